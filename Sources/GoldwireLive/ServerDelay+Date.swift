public import Foundation
internal import GoldwireProtocols

/// The seconds that a `Retry-After` value asks to wait from `now`; nil where it is absent or invalid.
///
/// As strict as the form that takes seconds: whatever the locale, calendar and zone of the device.
public func serverDelay(_ raw: String?, now: Date) -> TimeInterval? {
  switch RetryAfter.read(raw, now: 0) {
  case .seconds(let seconds): Double(seconds)
  case .date(let instant, .imf):
    max(0, Date(timeIntervalSince1970: Double(instant)).timeIntervalSince(now))
  case .absent, .date, .invalid: nil
  }
}
