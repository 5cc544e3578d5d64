internal import GoldwireMachines
internal import GoldwireTrace

/// What a trace tells only later: the random unit of each wait, and which responses the transport followed.
///
/// Where no unit was recorded it is fitted to the recorded next send: the wait is a band, and the unit is the
/// one in it with which the machine's wait ends at that send, or at the band's nearer edge. With no next send
/// either, the unit is the largest, so that a send that the recording lacks is missing whatever the unit was.
struct RetryPlan: Sendable {
  private struct Key: Hashable {
    var channel: Int
    var req: Int
    var attempt: Int
  }

  private struct Attempt {
    var sent: Int?
    var waited: Int?
    var unit: Int?
    var hops = 0
  }

  private var attempts: [Key: Attempt] = [:]
  private let parameters: Retry.Parameters
  /// Whether the recording has a wait.
  private(set) var hasWaits = false
  /// Whether the recording has a stop.
  private(set) var hasStops = false

  init(_ trace: Trace, _ parameters: Retry.Parameters) {
    self.parameters = parameters
    for line in trace.lines {
      guard let channel = line.channel, channel.family == .http else { continue }
      switch line.event {
      case .httpSend(let send):
        let key = Key(channel: channel.number, req: send.req, attempt: send.attempt)
        if let hop = send.hop {
          attempts[key, default: Attempt()].hops = max(attempts[key]?.hops ?? 0, hop)
        } else if send.attempt > 1, attempts[key]?.sent == nil {
          attempts[key, default: Attempt()].sent = line.t
        }
      case .httpWait(let req, let attempt, let wait, let unit):
        hasWaits = true
        let key = Key(channel: channel.number, req: req, attempt: attempt)
        attempts[key, default: Attempt()].waited = wait
        attempts[key, default: Attempt()].unit = unit
      case .httpStop: hasStops = true
      default: break
      }
    }
  }

  /// Whether the unit of the wait before this attempt was recorded.
  func knowsUnit(_ channel: Channel, _ req: Int, _ attempt: Int) -> Bool {
    attempts[Key(channel: channel.number, req: req, attempt: attempt)]?.unit != nil
  }

  /// The random unit, in millionths, that a response or failure of this attempt is handled with.
  func unit(_ channel: Channel?, _ req: Int, _ attempt: Int, answered: Int) -> Int {
    guard let channel, attempt < Int.max else { return 1_000_000 }
    let next = attempts[Key(channel: channel.number, req: req, attempt: attempt + 1)]
    if let unit = next?.unit { return unit }
    let wait: Int
    if let waited = next?.waited {
      wait = waited
    } else if let sent = next?.sent {
      let (span, overflow) = sent.subtractingReportingOverflow(answered)
      if overflow { return 1_000_000 }
      wait = span
    } else {
      return 1_000_000
    }
    return fitted(wait, index: max(0, attempt - 1))
  }

  /// The largest unit whose local delay is no longer than the wait, held within the band.
  private func fitted(_ wait: Int, index: Int) -> Int {
    let full = parameters.longestDelay(retryIndex: index)
    guard full.isFinite, full > 0 else { return 1_000_000 }
    let millionths = (Double(wait) / full * 2_000_000 - 1_000_000).rounded(.down)
    return Int(min(max(millionths, 0), 1_000_000))
  }

  /// Whether the transport followed a response by itself: another hop of the same attempt came after it.
  func isFollowed(_ channel: Channel?, _ response: HTTPResponse) -> Bool {
    guard let channel else { return false }
    let key = Key(channel: channel.number, req: response.req, attempt: response.attempt)
    return (attempts[key]?.hops ?? 0) > (response.hop ?? 0)
  }
}
