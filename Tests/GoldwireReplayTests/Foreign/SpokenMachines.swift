import GoldwireMachines
import GoldwireProtocols
import GoldwireReplay
import GoldwireTrace
import Synchronization

/// The built-in machines at the other end of a conversation: what they are told arrives as JSON alone.
final class SpokenMachines: ForeignLink {
  private let machine: MachineName
  private let copies: Bool
  private let made = Mutex<[Int: Spoken]>([:])
  private let lines = Mutex<[String]>([])
  private let isAbandoned = Mutex(false)

  private enum Spoken {
    case heartbeat(Heartbeat)
    case retry(Retry)
    case stream(EventStream)
  }

  init(_ machine: MachineName, copies: Bool) { (self.machine, self.copies) = (machine, copies) }

  /// How many machines are still kept.
  var kept: Int { made.withLock { $0.count } }
  /// What was said to them.
  var said: [String] { lines.withLock { $0 } }

  func abandon() { isAbandoned.withLock { $0 = true } }

  func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8] {
    lines.withLock { $0.append(String(decoding: line.dropLast(), as: UTF8.self)) }
    do { return Array(try answer(try JSONValue.parse(Array(line.dropLast()))).utf8) } catch {
      throw ReplayError("spoken: \(error)")
    }
  }

  private func answer(_ message: JSONValue) throws -> String {
    for number in try message["drop"]?.elements() ?? [] { try drop(number.whole()) }
    if message["goldwire"] != nil {
      return "{\"goldwire\":1,\"machine\":\"\(machine.rawValue)\",\"copies\":\(copies)}"
    }
    if let number = try message["new"]?.whole() {
      let unit: Unit = try present(message["unit"]).word()
      let table = try ParameterTable(present(message["parameters"]), of: machine)
      let parameters = try MachineParameters(machine, table[machine] ?? [:])
      try keep(number, make(parameters, unit))
      return "{\"wake\":null}"
    }
    if let number = try message["copy"]?.whole() {
      let copy = try present(made.withLock { $0[number] })
      try keep(present(message["as"]).whole(), copy)
      return "{}"
    }
    return try tell(message)
  }

  private func drop(_ number: Int) throws {
    _ = try present(made.withLock { $0.removeValue(forKey: number) })
  }

  private func keep(_ number: Int, _ machine: Spoken) throws { made.withLock { $0[number] = machine } }

  private func make(_ parameters: MachineParameters, _ unit: Unit) throws -> Spoken {
    switch parameters.machine {
    case .heartbeat: .heartbeat(Heartbeat(try parameters.heartbeat(unit)))
    case .retry: .retry(Retry(try parameters.retry(unit)))
    case .stream: .stream(EventStream(try parameters.stream(unit)))
    }
  }

  private func tell(_ message: JSONValue) throws -> String {
    let number = try present(message["to"]).whole()
    let now = try present(message["at"]).whole(in: -TraceLimits.number...TraceLimits.number)
    var (actions, wake): ([String], Int?) = ([], nil)
    let isTick = try present(message["event"]).string() == "tick"
    switch try present(made.withLock { $0[number] }) {
    case .heartbeat(var machine):
      var told: [Heartbeat.Action] = []
      if isTick {
        machine.tick(at: now) { told.append($0) }
      } else {
        machine.handle(try SpokenEvents.heartbeat(message), at: now) { told.append($0) }
      }
      (actions, wake) = (told.map { Self.line($0, machine) }, machine.wakeup)
      try keep(number, .heartbeat(machine))
    case .retry(var machine):
      var told: [Retry.Action] = []
      if isTick {
        machine.tick(at: now) { told.append($0) }
      } else {
        machine.handle(try SpokenEvents.retry(message), at: now) { told.append($0) }
      }
      (actions, wake) = (told.map(Self.line), machine.wakeup)
      try keep(number, .retry(machine))
    case .stream(var machine):
      var told: [EventStream.Action] = []
      if isTick {
        machine.tick(at: now) { told.append($0) }
      } else {
        machine.handle(try SpokenEvents.stream(message), at: now) { told.append($0) }
      }
      (actions, wake) = (told.map { Self.line($0, machine) }, machine.wakeup)
      try keep(number, .stream(machine))
    }
    return "{\"do\":[\(actions.joined(separator: ","))],\"wake\":\(wake.map(String.init) ?? "null")}"
  }

  private static func line(_ action: Heartbeat.Action, _ machine: Heartbeat) -> String {
    switch action {
    case .ping(let generation): return "{\"do\":\"ping\",\"gen\":\(generation)}"
    case .close(let generation):
      return "{\"do\":\"close\",\"gen\":\(generation),\"why\":\"\(machine.cause?.rawValue ?? "")\"}"
    case .ended(let generation):
      let code = machine.code.map { ",\"code\":\($0)" } ?? ""
      return "{\"do\":\"ended\",\"gen\":\(generation),\"why\":\"\(machine.cause?.rawValue ?? "")\"\(code)}"
    }
  }

  private static func line(_ action: Retry.Action) -> String {
    switch action {
    case .send(let attempt): "{\"do\":\"send\",\"try\":\(attempt)}"
    case .wait(let span, let attempt): "{\"do\":\"wait\",\"try\":\(attempt),\"for\":\(span)}"
    case .stop(let outcome): "{\"do\":\"stop\",\"why\":\"\(outcome.word)\"}"
    }
  }

  private static func line(_ action: EventStream.Action, _ machine: EventStream) -> String {
    let generation = "\"gen\":\(machine.generation)"
    func name(_ cursor: Int) -> String { cursor == 0 ? "\"\"" : "\"e\(cursor)\"" }
    return switch action {
    case .connect(let cursor): "{\"do\":\"connect\",\(generation),\"cursor\":\(name(cursor))}"
    case .deliver(let n): "{\"do\":\"deliver\",\(generation),\"n\":\(n)}"
    case .skip(let n): "{\"do\":\"skip\",\(generation),\"n\":\(n)}"
    case .commit(let cursor): "{\"do\":\"commit\",\(generation),\"cursor\":\(name(cursor))}"
    case .stop(let why): "{\"do\":\"stop\",\(generation),\"why\":\"\(why.rawValue)\"}"
    case .note(let note): "{\"do\":\"note\",\(generation),\"why\":\"\(note.rawValue)\"}"
    }
  }
}

/// A key that must be there.
struct Lacking: Error {}

func present<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Lacking() }
  return value
}
