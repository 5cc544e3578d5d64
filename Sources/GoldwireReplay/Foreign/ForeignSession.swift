internal import Synchronization
public import GoldwireTrace

/// A conversation with machines of another language, one line and one reply at a time: `docs/machines.md`.
///
/// The first failure ends it: every machine of it stands still from then on, and ``failure`` says why.
public final class ForeignSession: Sendable {
  /// The version of the conversation.
  public static let version = 1

  /// The built-in machine in whose place these stand.
  public let machine: MachineName
  /// What to call them in an error.
  public let name: String
  /// Whether a machine can be copied as it stands.
  let copies: Bool
  let limits: ForeignLimits
  private let link: any ForeignLink
  private let state = Mutex(State())

  private struct State {
    var last = 0
    var alive = 0
    var dropped: [Int] = []
    var failure: ReplayError?
  }

  /// What came of an event: the actions, in order, and the next wake-up.
  struct Reply: Sendable {
    var lines: [GoldenLine] = []
    var wake: Int?
  }

  /// Opens the conversation: says the version, and learns which machine it is.
  ///
  /// Throws a ``ReplayError`` that names the command, for what is no such machine.
  public init(_ link: any ForeignLink, name: String, limits: ForeignLimits = ForeignLimits())
    throws(ReplayError)
  {
    self.link = link
    self.name = name
    self.limits = limits
    do {
      let bytes = try link.exchange(Array("{\"goldwire\":\(Self.version)}\n".utf8))
      let hello = try Self.parse(bytes)
      guard let version = hello["goldwire"] else { throw hello.error("expected the key \"goldwire\"") }
      guard try version.whole() == Self.version else {
        throw version.error("expected version \(Self.version)")
      }
      guard let word = hello["machine"] else { throw hello.error("expected the key \"machine\"") }
      machine = try word.word()
      copies = try hello["copies"]?.bool() ?? false
    } catch {
      link.abandon()
      throw Self.rubbish(error, name)
    }
  }

  /// Why the conversation has ended; nil while it goes on.
  public var failure: ReplayError? { state.withLock { $0.failure } }

  /// Ends it: nothing more is asked.
  ///
  /// Throws where the command has said more than it was asked, or ends otherwise than well; ``failure`` is told
  /// before, and not once more.
  public func finish() throws(ReplayError) {
    guard failure == nil else { return }
    do throws(ReplayError) {
      try link.finish()
    } catch {
      fail(error)
      throw error
    }
  }

  // MARK: Machines

  /// Makes a machine; its number, or nil where the conversation is over.
  func make(_ unit: Unit, _ parameters: MachineParameters) -> Int? {
    begin { number in
      var line = Array("{\"new\":\(number),\"unit\":\"\(unit.rawValue)\",\"parameters\":".utf8)
      line.append(ParameterTable([parameters.machine: parameters.values]), of: parameters.machine)
      return line
    }
  }

  /// Copies a machine as it stands; the copy's number.
  func copy(_ number: Int) -> Int? {
    begin { copy in Array("{\"copy\":\(number),\"as\":\(copy)".utf8) }
  }

  /// Forgets a machine, with the next that is made.
  func drop(_ number: Int) {
    state.withLock {
      $0.alive -= 1
      $0.dropped.append(number)
    }
  }

  private func begin(_ line: (Int) -> [UInt8]) -> Int? {
    let (number, dropped, isFull) = state.withLock { state in
      state.last += 1
      state.alive += 1
      defer { state.dropped.removeAll() }
      return (state.last, state.dropped, state.alive > limits.machines)
    }
    if isFull {
      fail(ReplayError("\(name): more than \(limits.machines) machines at once; ask a shorter trace"))
      return nil
    }
    var bytes = line(number)
    if !dropped.isEmpty { bytes.put(",\"drop\":[\(dropped.map(String.init).joined(separator: ","))]") }
    bytes.put("}\n")
    return ask(bytes) == nil ? nil : number
  }

  /// Tells a machine something: `,"event":"tick"` and what belongs to it.
  func tell(_ number: Int, at now: Int, _ event: [UInt8]) -> Reply {
    ask(Array("{\"to\":\(number),\"at\":\(now)".utf8) + event + Array("}\n".utf8)) ?? Reply()
  }

  // MARK: Lines

  private func ask(_ line: [UInt8]) -> Reply? {
    // One line and its reply at a time, whoever asks.
    state.withLock { state in
      guard state.failure == nil else { return nil }
      do {
        guard line.count <= limits.lineBytes else {
          throw ReplayError("\(name): an event is longer than \(limits.lineBytes) bytes")
        }
        return try reply(link.exchange(line))
      } catch {
        state.failure = Self.rubbish(error, name)
        link.abandon()
      }
      return nil
    }
  }

  func fail(_ error: ReplayError) {
    state.withLock { if $0.failure == nil { $0.failure = error } }
  }

  private func reply(_ bytes: [UInt8]) throws -> Reply {
    let value = try Self.parse(bytes)
    var reply = Reply()
    for member in try value.members() {
      switch member.key {
      case "do":
        let actions = try member.value.elements()
        guard actions.count <= limits.actions else {
          throw member.value.error("expected at most \(limits.actions) actions of one event")
        }
        reply.lines = try actions.map { action throws(TraceError) in
          let line = try Self.action(action)
          try ForeignWords.hold(line, action, to: machine)
          return line
        }
      case "wake":
        reply.wake = try Self.wake(member.value)
      case "error":
        throw member.value.error("it reports an error of its own; its standard error says more")
      default: throw TraceError(line: 1, column: member.column, "unknown key; expected do, wake or error")
      }
    }
    return reply
  }

  /// An instant, or nil for `null` and for one that no trace reaches.
  private static func wake(_ value: JSONValue) throws(TraceError) -> Int? {
    switch value.content {
    case .null: return nil
    case .decimal(let number) where number > Double(TraceLimits.number): return nil
    default: return try value.whole(in: -TraceLimits.number...TraceLimits.number)
    }
  }

  private static func action(_ value: JSONValue) throws(TraceError) -> GoldenLine {
    var members = try value.members()
    for member in members where ["t", "ch", "req", "grade"].contains(member.key) {
      throw TraceError(line: 1, column: member.column, "an action has no key \"\(member.key)\"")
    }
    guard var instant = members.first else { throw value.error("expected the key \"do\"") }
    instant.key = "t"
    instant.value.content = .whole(0)
    members.append(instant)
    var dated = value
    dated.content = .object(members)
    return try GoldenParser.line(dated)
  }

  private static func parse(_ bytes: [UInt8]) throws(TraceError) -> JSONValue { try JSONValue.parse(bytes) }

  private static func rubbish(_ error: any Error, _ name: String) -> ReplayError {
    if let error = error as? ReplayError { return error }
    let error = error as? TraceError ?? TraceError("expected JSON")
    let place = error.column > 0 ? "at byte \(error.column) " : ""
    return ReplayError("\(name): its reply is none of a machine's: \(place)\(error.message)")
  }

  /// The failure of an action that its machine does not have.
  func refuse(_ action: ActionWord) {
    fail(
      ReplayError(
        "\(name): a \(machine.rawValue) has no action \"\(action)\" with these keys; docs/machines.md has them"
      ))
  }
}
