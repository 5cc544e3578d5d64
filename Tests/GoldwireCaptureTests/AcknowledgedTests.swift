import GoldwireTestSupport
import GoldwireTrace
import Testing

/// A line of kind `ack` says that the server's host has all that the client has sent.
@Suite struct AcknowledgedTests {
  private static func lines(_ recording: Recording) -> [Int] {
    recording.lines.filter { $0.event == .recLife(dir: .in, kind: .ack) }.map(\.t)
  }

  private static func capture() -> (CaptureBuilder, CaptureBuilder.Socket) {
    var capture = CaptureBuilder()
    let socket = capture.open(at: 0)
    capture.upgrade(socket)
    return (capture, socket)
  }

  @Test func aMessageThatAcknowledgesIsToldOnceASecond() throws {
    var (capture, socket) = Self.capture()
    for time in [3_000_000, 3_500_000, 4_200_000, 6_000_000] {
      capture.frame(socket, .client, 0x81, [1], at: time)
      capture.frame(socket, .server, 0x81, [2], at: time + 50_000)
    }
    #expect(try Self.lines(Recording(capture)) == [3_050_000, 4_250_000, 6_050_000])
  }

  @Test func aPongNeedsNoLine() throws {
    var (capture, socket) = Self.capture()
    for time in [3_000_000, 33_000_000] {
      capture.frame(socket, .client, 0x89, [1], at: time)
      capture.frame(socket, .server, 0x8A, [1], at: time + 50_000)
    }
    #expect(try Self.lines(Recording(capture)) == [])
  }

  @Test func aMessageThatAcknowledgesNothingNewIsNone() throws {
    var (capture, socket) = Self.capture()
    for time in [3_000_000, 5_000_000] { capture.frame(socket, .server, 0x81, [2], at: time) }
    #expect(try Self.lines(Recording(capture)) == [])
  }

  @Test func anAcknowledgementOfAPartIsNone() throws {
    var (capture, socket) = Self.capture()
    capture.frame(socket, .client, 0x81, [1], at: 3_000_000)
    capture.acknowledge(socket, by: .server)
    capture.frame(socket, .client, 0x89, [2], at: 3_010_000)
    // The first of both alone, and then all.
    capture.emit(socket, .server, flags: 16, at: 3_050_000)
    capture.ack(socket, by: .server, at: 3_060_000)
    #expect(try Self.lines(Recording(capture)) == [3_060_000])
  }

  @Test func whatArrivedBeforeASilenceStaysTold() throws {
    var (capture, socket) = Self.capture()
    capture.frame(socket, .client, 0x81, [1], at: 3_000_000)
    capture.frame(socket, .server, 0x81, [2], at: 3_050_000)
    capture.frame(socket, .client, 0x89, [1], at: 3_600_000)
    capture.ack(socket, by: .server, at: 3_640_000)
    capture.frame(socket, .client, 0x81, [1], at: 20_000_000)
    #expect(try Self.lines(Recording(capture)) == [3_050_000, 3_640_000])
  }
}
