/// A source of random units, in millionths from 0 to 1,000,000, both included.
///
/// A driver asks it once for each wait, and the number is written to the trace, so that a replay draws the same.
public typealias RandomUnit = @Sendable () -> Int

/// Draws a random unit from the system's source.
@Sendable
public func systemRandomUnit() -> Int {
  var source = SystemRandomNumberGenerator()
  return Int.random(in: 0...1_000_000, using: &source)
}
