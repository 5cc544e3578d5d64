import GoldwireMachines

/// An event with its instant.
struct Step<Event: Sendable>: Sendable {
  let at: Int
  let event: Event

  init(_ at: Int, _ event: Event) {
    self.at = at
    self.event = event
  }
}

/// An action with its instant.
struct Done<Action: Equatable & Sendable>: Equatable, Sendable, CustomStringConvertible {
  let at: Int
  let action: Action

  init(_ at: Int, _ action: Action) {
    self.at = at
    self.action = action
  }

  var description: String { "\(at) \(action)" }
}

/// Runs a machine over events and its own wake-ups: at one instant the events first, then the tick.
func play<M: Machine>(_ machine: inout M, _ steps: [Step<M.Event>], through end: Int) -> [Done<M.Action>] {
  var actions: [Done<M.Action>] = []
  var now = steps.first?.at ?? 0
  for step in steps {
    if now < step.at {
      machine.advance(from: now, through: step.at - 1) { actions.append(Done($0, $1)) }
    }
    now = step.at
    machine.handle(step.event, at: now) { actions.append(Done(now, $0)) }
  }
  machine.advance(from: now, through: end) { actions.append(Done($0, $1)) }
  return actions
}
