internal import GoldwireProtocols

/// What to do after an answer that asks for patience.
public enum Decision: Equatable, Sendable {
  /// Do not send again.
  case stop
  /// Do not send again by yourself: the wait asked for is longer than the cap.
  case deferred
  /// Send again after so many seconds.
  case retry(Double)
}

/// Decides on one answer, with the default parameters; a pure function of its arguments.
///
/// `retryIndex` counts the retries made so far, `server` is in seconds, `unit` is random from 0 to 1. The
/// delay is the larger of `server` and `2^retryIndex * (0.5 + 0.5 * unit)` seconds; over 30 seconds it is
/// deferred, never shortened.
public func decide(
  status: Int, replayable: Bool, retryIndex: Int, server: Double?, unit: Double
) -> Decision {
  guard replayable, status == 429 || status == 503 else { return .stop }
  guard (0..<3).contains(retryIndex), unit.isFinite, (0...1).contains(unit) else { return .stop }
  if let server, !server.isFinite || server < 0 { return .stop }
  let local = Double(1 << retryIndex) * (0.5 + 0.5 * unit)
  let delay = max(local, server ?? 0)
  return delay <= 30 ? .retry(delay) : .deferred
}

/// The seconds that a `Retry-After` value asks to wait; nil where it is absent or invalid.
///
/// `now` is in seconds since 1970. Strict: of the dates only `Fri, 26 Jun 2020 04:28:20 GMT` is read.
/// A past date gives 0. ``ServerDelay`` tells absent from invalid, and why.
public func serverDelay(_ raw: String?, now: Double) -> Double? {
  switch RetryAfter.read(raw, now: 0) {
  case .seconds(let seconds): Double(seconds)
  case .date(let instant, .imf): max(0, Double(instant) - now)
  case .absent, .date, .invalid: nil
  }
}
