internal import GoldwireServer
internal import GoldwireTestSupport

/// A session that a driver has with the fault server: one family, drawn from a seed.
///
/// All times are scaled: what takes tens of seconds in the field takes tens of milliseconds here.
public struct LiveScenario: Sendable {
  /// The kind of its faults.
  public let family: LiveFamily
  /// What it is drawn from.
  public let seed: UInt64
  /// The fault server's script, as JSON.
  public let script: String
  /// How the client is set up.
  public let client: LiveClient

  /// Draws a scenario.
  public init(_ family: LiveFamily, seed: UInt64) {
    self.family = family
    self.seed = seed
    var draw = LiveDraw(family, seed)
    switch family.kind {
    case .heartbeat:
      let heartbeat = LiveHeartbeat(family, &draw)
      client = .heartbeat(heartbeat)
      script = LiveScript.socket(family, heartbeat, &draw)
    case .retry:
      client = .retry(LiveRetry(family, &draw))
      script = LiveScript.request(family, &draw)
    case .stream:
      client = .stream(LiveStream(family, &draw))
      script = LiveScript.stream(family, &draw)
    }
  }
}

/// How the client of a scenario is set up.
public enum LiveClient: Sendable {
  case heartbeat(LiveHeartbeat)
  case retry(LiveRetry)
  case stream(LiveStream)
}

/// The draws of a scenario.
struct LiveDraw {
  private var random: SeededGenerator

  init(_ family: LiveFamily, _ seed: UInt64) {
    let index = LiveFamily.allCases.firstIndex(of: family) ?? 0
    random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(index))
  }

  mutating func whole(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  mutating func chance(_ percent: Int) -> Bool { whole(1...100) <= percent }
}
