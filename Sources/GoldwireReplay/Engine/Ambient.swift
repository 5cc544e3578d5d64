public import GoldwireTrace

/// The state of the app, which each machine must be told, also one that is made later.
///
/// What a machine has not heard yet is told by its version, so that a line costs nothing for those that wait.
@usableFromInline
struct Ambient {
  /// A line, its index, and the version that it made.
  @usableFromInline
  struct News {
    @usableFromInline var line: TraceLine
    @usableFromInline var index: Int
    @usableFromInline var version: Int
  }

  @usableFromInline var version = 0
  /// How far the wall clock was set, in µs, since the recording began.
  @usableFromInline var wall = 0
  private var app: News?
  private var network: News?
  private var session: News?
  private var clock: News?
  /// The sessions, each another than the one before.
  private var sessions: [News] = []

  @usableFromInline
  init() {}

  /// Takes note of a line; false if it is none of the app's state.
  @usableFromInline
  mutating func take(_ line: TraceLine, at index: Int) -> Bool {
    let news = News(line: line, index: index, version: version + 1)
    switch line.event {
    case .appBackground, .appForeground: app = news
    case .appNetwork: network = news
    case .appSession:
      if sessions.last?.line.event != line.event { sessions.append(news) }
      session = news
    case .recWall(let step):
      wall = AnswerClock.sum(wall, step)
      clock = news
    default: return false
    }
    version += 1
    return true
  }

  /// All that a new machine must know.
  @usableFromInline
  var all: [TraceLine] {
    [app?.line, network?.line, session?.line, clockLine(since: 0)].compactMap(\.self)
  }

  /// What is new since a version: of sessions the first and the last, of all else the last.
  @usableFromInline
  func news(since version: Int, wall heard: Int) -> [News] {
    var news = [app, network, session, clock].compactMap(\.self).filter { $0.version > version }
    if let line = clockLine(since: heard), let place = news.firstIndex(where: { $0.index == clock?.index }) {
      news[place].line = line
    }
    if let first = firstSession(since: version), first.index != session?.index { news.append(first) }
    return news.sorted { $0.index < $1.index }
  }

  /// The latest setting of the wall clock as one step from what was heard.
  private func clockLine(since heard: Int) -> TraceLine? {
    guard var line = clock?.line else { return nil }
    let (step, overflow) = wall.subtractingReportingOverflow(heard)
    line.event = .recWall(step: overflow ? (heard < 0 ? Int.max : Int.min) : step)
    return line
  }

  private func firstSession(since version: Int) -> News? {
    var (low, high) = (0, sessions.count)
    while low < high {
      let middle = (low + high) / 2
      if sessions[middle].version > version { high = middle } else { low = middle + 1 }
    }
    return low < sessions.count ? sessions[low] : nil
  }
}
