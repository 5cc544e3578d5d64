import GoldwireMachines
import GoldwireTap
import GoldwireTrace

@testable import GoldwireLive

/// A tap that records into memory, from the instant 0 of a clock that is moved by hand.
struct HeartbeatRecording {
  let tap: Tap
  private let bytes = Guarded<[UInt8]>([])

  init(_ parameters: Heartbeat.Parameters) throws {
    let bytes = bytes
    tap = try Tap(
      sendingTo: { span in
        bytes.withLock { bytes in for index in span.indices { bytes.append(span[index]) } }
      },
      parameters: TapParameters(heartbeat: parameters),
      clocks: TapClocks(continuous: 0, suspending: 0, wall: 1_790_000_000_000_000))
  }

  /// Ends the recording, and gives it as a reader reads it.
  func finish(at instant: TapInstant) throws -> Trace {
    tap.finish(at: instant)
    return try Trace(reading: TraceReader(ByteInput(bytes: bytes.withLock { $0 })))
  }

  /// What was written so far.
  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
}
