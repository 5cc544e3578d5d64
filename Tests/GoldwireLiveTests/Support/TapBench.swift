import GoldwireMachines
import GoldwireReplay
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Synchronization

/// A tap that records into memory by a test's clock, and the replay of what it recorded.
final class TapBench: Sendable {
  let tap: Tap
  private let clock: ManualClock
  private let box: Box

  private final class Box: Sendable {
    let bytes = Mutex<[UInt8]>([])
    func append(_ span: Span<UInt8>) {
      bytes.withLock { bytes in for index in span.indices { bytes.append(span[index]) } }
    }
  }

  /// Makes a tap; `wall` is the wall clock at its start, in µs since 1970.
  init(_ clock: ManualClock, _ parameters: TapParameters, wall: Int = 1_593_145_690_000_000) throws {
    let box = Box()
    self.box = box
    self.clock = clock
    let now = clock.now.microseconds
    tap = try Tap(
      sendingTo: { box.append($0) }, parameters: parameters,
      clocks: TapClocks(continuous: now, suspending: now, wall: wall))
  }

  /// Ends the recording, and gives it as a reader reads it.
  func finish() throws -> Trace {
    tap.finish(at: clock.now)
    return try Trace(bytes: box.bytes.withLock { $0 })
  }
}

extension Trace {
  /// What the recorded driver did, held against what its machine says it should have done.
  func conformance(_ machine: MachineName) throws -> Conformance {
    let named = header.inForce?.values[machine] ?? [:]
    return try Conformance(
      self, MachineParameters(machine, named), early: TimeSpan(microseconds: 0),
      slack: TimeSpan(microseconds: 0))
  }

  /// The trace as text.
  var text: String { String(decoding: bytes(), as: UTF8.self) }
}
