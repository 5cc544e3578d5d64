import GoldwireMachines
import GoldwireTap
import GoldwireTrace
import Synchronization

/// A tap that records into memory, at instants of the test's own.
final class Recording: Sendable {
  /// Bytes that another thread adds to.
  private final class Box: Sendable {
    let bytes = Mutex<[UInt8]>([])
    func append(_ span: Span<UInt8>) {
      bytes.withLock { bytes in for index in span.indices { bytes.append(span[index]) } }
    }
  }

  /// The clocks at t = 0, at 14:13:20 on some day.
  static let begin = TapClocks(continuous: 5_000_000, suspending: 4_000_000, wall: 1_790_000_000 * 1_000_000)

  let tap: Tap
  private let box: Box

  init(parameters: TapParameters = TapParameters(), blind: [Blind] = [], mostBytes: Int = 1 << 28) throws {
    let box = Box()
    self.box = box
    tap = try Tap(
      sendingTo: { bytes in box.append(bytes) }, parameters: parameters, blind: blind, mostBytes: mostBytes,
      clocks: Self.begin)
  }

  /// What was written so far.
  var bytes: [UInt8] { box.bytes.withLock { $0 } }

  /// The lines that were written so far, without the header.
  var lines: [String] { Self.lines(bytes) }

  /// Ends the recording at `t`, and gives its lines.
  func finish(_ t: Int) -> [String] {
    tap.finish(at: at(t))
    return lines
  }

  /// The lines of a trace, without the header.
  static func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
  }
}

/// The instant at `t` of a recording's trace.
func at(_ t: Int) -> TapInstant { TapInstant(microseconds: Recording.begin.continuous + t) }

/// The clocks at `t` of a recording's trace, of which the device slept so much, and the wall clock was set so far.
func clocks(_ t: Int, slept: Int = 0, set: Int = 0) -> TapClocks {
  TapClocks(
    continuous: Recording.begin.continuous + t, suspending: Recording.begin.suspending + t - slept,
    wall: Recording.begin.wall + t + set)
}
