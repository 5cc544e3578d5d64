public import Foundation
internal import GoldwireMachines

/// The seconds that a `Retry-After` value asks to wait from `now`; nil where it is absent or invalid.
///
/// As strict as the form that takes seconds: whatever the locale, calendar and zone of the device.
public func serverDelay(_ raw: String?, now: Date) -> TimeInterval? {
  serverDelay(raw, now: now.timeIntervalSince1970)
}
