/// What a continuation keeps of the app, its device and its session.
struct KeptDevice {
  /// The most sessions, pauses, and steps of the wall clock, that are told one by one.
  static let most = 256

  private var app: ContinuationPins.Kept?
  private var network: ContinuationPins.Kept?
  private var sessions: [ContinuationPins.Kept] = []
  private var pauses: [ContinuationPins.Kept] = []
  private var steps: [ContinuationPins.Kept] = []

  /// The lines to tell again.
  var pins: [ContinuationPins.Kept] { [app, network].compactMap(\.self) + sessions + pauses + steps }

  mutating func note(_ kept: ContinuationPins.Kept) {
    switch kept.line.event {
    case .appBackground, .appForeground: app = kept
    case .appNetwork: network = kept
    case .appSession:
      sessions.append(kept)
      if sessions.count > Self.most { sessions.removeFirst() }
    case .recPause:
      pauses.append(kept)
      if pauses.count > Self.most { pauses.removeFirst() }
    case .recWall:
      steps.append(kept)
      if steps.count > Self.most { joinOldest() }
    default: break
    }
  }

  /// Makes one step of the two oldest, since their sum must be told.
  private mutating func joinOldest() {
    let first = steps.removeFirst()
    if case .recWall(let one) = first.line.event, case .recWall(let two) = steps[0].line.event {
      steps[0].line.event = .recWall(step: one &+ two)
    }
  }
}
