internal import GoldwireTrace

/// What a machine of another language was told, and where its connection stands, as its events and actions tell.
struct ForeignTrack: Equatable, Sendable {
  /// The latest connection that it was told of, or made.
  private(set) var generation = 0
  var isConnecting = false
  var isOpen = false
  var isAwaiting = false
  /// The latest connection that began, by an event or by an action.
  private var begun = 0
  /// The latest send of a request that it was told of, or made.
  private var attempt = 0
  /// The events of each connection.
  private var events: [Int: Set<Int>] = [:]
  /// The ids and cursors that it was told; the empty one is known.
  private var names: Set<Int> = [0]

  // MARK: What it is told

  /// A connection begins.
  mutating func begin(_ number: Int) {
    tell(generation: number)
    begun = max(begun, number)
    (isConnecting, isOpen, isAwaiting) = (false, false, false)
  }

  /// An event names a connection, a send, or an id.
  mutating func tell(generation number: Int) { generation = max(generation, number) }
  mutating func tell(attempt number: Int) { attempt = max(attempt, number) }
  mutating func tell(name: Int?) { if let name { names.insert(name) } }

  /// An event of a stream has this number in its connection.
  mutating func tell(event number: Int, of generation: Int) { events[generation, default: []].insert(number) }

  // MARK: What it says

  /// What an action names that it was never told; nil for nothing.
  func fault(_ line: GoldenLine) -> String? {
    if let number = line.generation {
      let isThere =
        line.action == .connect
        ? number > begun && number <= generation + 1 : number <= generation
      guard isThere else { return "acts on connection \(number), which does not exist" }
    }
    if let number = line.attempt, number > attempt + 1 {
      return "names send \(number), where the latest is \(attempt)"
    }
    if let number = line.n, events[line.generation ?? generation]?.contains(number) != true {
      return "names event \(number), which did not come"
    }
    for name in [line.id, line.cursor] {
      if let name, !names.contains(name) { return "names e\(name), which it was not told" }
    }
    return nil
  }

  /// Takes note of a connection or a send that it makes by itself.
  mutating func take(_ line: GoldenLine) {
    if line.action == .connect { begin(line.generation ?? generation + 1) }
    if line.action == .send, let attempt = line.attempt { tell(attempt: attempt) }
  }
}
