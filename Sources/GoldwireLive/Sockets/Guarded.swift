internal import Foundation

/// A value behind a lock, for short and synchronous work alone.
///
/// The standard library's `Mutex` would do, but on Linux the thread sanitizer knows nothing of it, and takes
/// everything behind it for a race.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// A lock around a value that nobody else has.
  package init(_ value: sending Value) { self.value = value }

  /// Gives the value to `body`, while nobody else has it.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
