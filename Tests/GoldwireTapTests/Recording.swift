import GoldwireMachines
import GoldwireTap
import GoldwireTrace
import Synchronization

/// A tap that records into memory, at instants of the test's own.
final class Recording: Sendable {
  let tap: Tap

  /// The clocks at t = 0: 12:00 on some day.
  static let begin = TapClocks(continuous: 5_000_000, suspending: 4_000_000, wall: 1_790_000_000 * 1_000_000)

  init(
    parameters: TapParameters = TapParameters(), blind: [Blind] = [], mostBytes: Int = 1 << 28
  ) throws {
    let held = Box()
    box = held
    tap = try Tap(
      sendingTo: { bytes in held.append(bytes) }, parameters: parameters, blind: blind, mostBytes: mostBytes,
      clocks: Self.begin)
  }

  private let box: Box

  /// Bytes that another thread adds to.
  private final class Box: Sendable {
    let bytes = Mutex<[UInt8]>([])
    func append(_ span: Span<UInt8>) {
      bytes.withLock { bytes in for index in span.indices { bytes.append(span[index]) } }
    }
  }

  /// What was written so far.
  var bytes: [UInt8] { box.bytes.withLock { $0 } }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Ends the recording, and gives it as a reader reads it.
  func finish(_ t: Int) throws -> Trace {
    tap.finish(at: at(t))
    return try trace()
  }

  func trace() throws -> Trace { try Trace(reading: TraceReader(ByteInput(bytes: bytes))) }
}

/// The instant at `t` of a recording's trace.
func at(_ t: Int) -> TapInstant { TapInstant(microseconds: Recording.begin.continuous + t) }
