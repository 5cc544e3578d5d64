internal import GoldwireMachines
internal import GoldwireTrace
internal import Synchronization

/// How the events and actions of one of the built-in machines are spelled as JSON.
protocol ForeignCoding: Sendable {
  associatedtype Event: Sendable
  associatedtype Action: Equatable, Sendable

  /// The event's keys, each with a comma before it.
  static func bytes(_ event: Event) -> [UInt8]
  /// The action that a line is; nil for a word that the machine does not have, or one that lacks a key.
  static func action(_ line: GoldenLine) -> Action?
  /// Takes note of what an event or an action says of the connection.
  static func follow(_ event: Event, _ track: inout ForeignTrack)
  static func follow(_ line: GoldenLine, _ track: inout ForeignTrack)
}

/// A machine that runs in another process, as a value: a copy goes its own way.
struct ForeignMachine<Coding: ForeignCoding>: Machine {
  typealias Event = Coding.Event
  typealias Action = Coding.Action

  /// The one machine over there; it is forgotten there with the last value that means it.
  private final class Instance: Sendable {
    let number: Int?
    let session: ForeignSession

    init(_ number: Int?, _ session: ForeignSession) { (self.number, self.session) = (number, session) }

    deinit { if let number { session.drop(number) } }
  }

  private struct Input: Sendable {
    var now: Int
    var bytes: [UInt8]
  }

  /// The ticks that were told again to its copies since the latest event, whichever copy it was.
  private final class Retold: Sendable {
    let ticks = Mutex(0)
  }

  private let session: ForeignSession
  private let parameters: MachineParameters
  private let unit: Unit
  private var instance: Instance
  /// What it was told, where it cannot be copied.
  private var inputs: [Input] = []
  /// The ticks since the latest event, and the actions since the beginning.
  private var (ticks, acts) = (0, 0)
  /// The ticks within a second, from its first instant on, without an event between.
  private var second = (start: 0, ticks: 0)
  private let retold = Retold()
  private(set) var wakeup: Int?
  /// The lines that the latest actions were.
  private(set) var lines: [GoldenLine] = []
  private(set) var track = ForeignTrack()

  init(_ session: ForeignSession, _ parameters: MachineParameters, _ unit: Unit) {
    (self.session, self.parameters, self.unit) = (session, parameters, unit)
    instance = Instance(session.make(unit, parameters), session)
  }

  mutating func handle(_ event: Event, at now: Int, emit: (Action) -> Void) {
    Coding.follow(event, &track)
    ticks = 0
    second = (now, 0)
    retold.ticks.withLock { $0 = 0 }
    take(Input(now: now, bytes: Coding.bytes(event)), emit)
  }

  mutating func tick(at now: Int, emit: (Action) -> Void) {
    ticks += 1
    guard ticks <= session.limits.ticks else {
      return refuse("asks to be woken more than \(session.limits.ticks) times without an event between")
    }
    let elapsed = now &- second.start
    if elapsed < 0 || elapsed >= (unit == .us ? 1_000_000 : 1_000) { second = (now, 0) }
    second.ticks += 1
    guard second.ticks <= session.limits.ticksWithinASecond else {
      return refuse("asks to be woken more than \(session.limits.ticksWithinASecond) times within a second")
    }
    take(Self.tick(now), emit)
    if let wakeup, wakeup <= now { settle(now) }
  }

  private static func tick(_ now: Int) -> Input { Input(now: now, bytes: Array(",\"event\":\"tick\"".utf8)) }

  /// Sees on a copy that it does not ask to be woken at one instant for ever.
  private func settle(_ now: Int) {
    var trial = self
    for _ in 0..<session.limits.ticksAtOneInstant {
      trial.take(Self.tick(now)) { _ in }
      guard let wakeup = trial.wakeup, wakeup <= now else { return }
    }
    trial.refuse("asks to be woken without end at one instant")
  }

  /// Ends the conversation, for a fault of the machine.
  private mutating func refuse(_ fault: String) {
    session.fail(ReplayError("\(session.name): \(fault); this is a fault of the machine"))
    (wakeup, lines) = (nil, [])
  }

  private mutating func take(_ input: Input, _ emit: (Action) -> Void) {
    if !isKnownUniquelyReferenced(&instance) { part() }
    if !session.copies { inputs.append(input) }
    guard let number = instance.number else {
      (wakeup, lines) = (nil, [])
      return
    }
    let reply = session.tell(number, at: input.now, input.bytes)
    (wakeup, lines) = (reply.wake, reply.lines)
    acts += lines.count
    guard acts <= session.limits.actionsInAll else {
      return refuse("does more than \(session.limits.actionsInAll) actions")
    }
    for index in lines.indices {
      guard let action = Coding.action(lines[index]) else {
        session.refuse(lines[index].action)
        (wakeup, lines) = (nil, [])
        return
      }
      if let fault = track.fault(lines[index]) { return refuse(fault) }
      track.take(lines[index])
      Coding.follow(lines[index], &track)
      if lines[index].generation == nil, track.generation > 0 { lines[index].generation = track.generation }
      emit(action)
    }
  }

  /// Another value means the same machine: this one gets its own, copied or brought to where it stands.
  private mutating func part() {
    if session.copies {
      instance = Instance(instance.number.flatMap(session.copy), session)
      return
    }
    let ticks = ticks
    let again = retold.ticks.withLock { count in
      count += ticks
      return count
    }
    let isRestless = second.ticks > session.limits.ticksWithinASecondToldAgain
    guard again <= session.limits.ticksToldAgain, !isRestless else {
      return refuse("cannot be copied, and asks to be woken too often to be told all again")
    }
    instance = Instance(session.make(unit, parameters), session)
    guard let number = instance.number else { return }
    for input in inputs { _ = session.tell(number, at: input.now, input.bytes) }
  }
}

/// An adapter whose machines are those of a conversation.
struct ForeignAdapter<Base: ReplayAdapter, Coding: ForeignCoding>: ReplayAdapter
where Base.Subject.Event == Coding.Event, Base.Subject.Action == Coding.Action {
  typealias Subject = ForeignMachine<Coding>
  typealias Memory = Base.Memory

  let base: Base
  let session: ForeignSession
  let parameters: MachineParameters
  let unit: Unit

  var family: Channel.Family { base.family }
  var isPerRequest: Bool { base.isPerRequest }
  func makeMachine() -> Subject { ForeignMachine(session, parameters, unit) }
  func makeMemory() -> Memory { base.makeMemory() }
  func channel(of line: TraceLine) -> Channel? { base.channel(of: line) }
  func isPrompt(_ line: TraceLine) -> Bool { base.isPrompt(line) }
  func isSeen(_ action: GoldenLine) -> Bool { base.isSeen(action) }
  func keepsTime(_ action: GoldenLine) -> Bool { base.keepsTime(action) }

  func read(_ line: TraceLine, at index: Int, memory: inout Memory) -> Reading<Subject.Event> {
    base.read(line, at: index, memory: &memory)
  }

  /// The line that the machine itself wrote; an event's id is known here as well.
  func line(for action: Subject.Action, of machine: Subject, memory: Memory) -> GoldenLine {
    let known = base.line(for: action, of: base.makeMachine(), memory: memory)
    var line = machine.lines.first { Coding.action($0) == action } ?? known
    if line.id == nil { line.id = known.id }
    if isPerRequest { line.generation = nil }
    return line
  }

  func resume(at line: TraceLine, memory: Memory) -> Subject.Event? { base.resume(at: line, memory: memory) }

  func generation(of machine: Subject) -> Int? {
    machine.track.generation > 0 && !isPerRequest ? machine.track.generation : nil
  }

  /// As the built-in heartbeat stands to a close: it is its own while a pong or the handshake is awaited.
  func standing(of action: GoldenLine, with machine: Subject) -> Standing {
    guard family == .ws else { return .asked }
    let track = machine.track
    guard action.action == .close else { return action.generation == track.generation ? .asked : .stray }
    guard action.generation == track.generation, track.isConnecting || track.isOpen else { return .over }
    return track.isConnecting || track.isAwaiting ? .asked : .unasked
  }
}
