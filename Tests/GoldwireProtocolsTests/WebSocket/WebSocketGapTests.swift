import GoldwireProtocols
import Testing

/// Gaps between and inside frames, and beginnings in the middle.
@Suite struct WebSocketGapTests {
  @Test("A gap in a payload is counted over; the message is undecodable") func inPayload() {
    var reading = WebSocketReading()
    reading.take(Array(Frames.text("Hello")[..<4]))
    #expect(reading.decoder.lost(2) == .counted)
    reading.take(Array("o".utf8) + Frames.text("x"))
    #expect(reading.lines == ["text 5 undecodable", "text 1: x"])
  }

  @Test("A gap up to a payload's end ends the frame at the next step") func toPayloadEnd() {
    var reading = WebSocketReading()
    reading.take(Array(Frames.text("Hello")[..<4]))
    #expect(reading.decoder.lost(3) == .counted)
    #expect(reading.lines == [])
    reading.take([])
    #expect(reading.lines == ["text 5 undecodable"])
  }

  @Test("A ping with a gap says its size and keeps what came before") func inPing() {
    var reading = WebSocketReading()
    reading.take(Array(Frames.ping("abcde")[..<4]))
    #expect(reading.decoder.lost(2) == .counted)
    reading.take(Array("e".utf8))
    #expect(reading.lines == ["ping 5: ab"])
  }

  @Test("A close with a gap has no code, and breaks no rule") func inClose() {
    var reading = WebSocketReading()
    reading.take(Array(Frames.close(1000, "bye")[..<3]))
    #expect(reading.decoder.lost(4) == .counted)
    reading.take([])
    #expect(reading.lines == ["close -"])
  }

  @Test("After a gap beyond a frame a segment of whole frames is waited for") func beyond() {
    var reading = WebSocketReading()
    reading.take(Array(Frames.text("Hello")[..<4]))
    #expect(reading.decoder.lost(100) == .resynchronising)
    #expect(reading.decoder.isResynchronising)
    reading.take(Array("not frames".utf8))
    reading.take(Frames.text("masked", mask: 1))
    reading.take(Frames.text("whole") + Frames.ping("p"))
    #expect(reading.lines == ["resumed 22", "text 5: whole", "ping 1: p"])
  }

  @Test("After a gap a continuation of what was not seen breaks no rule") func orphan() {
    var reading = WebSocketReading()
    _ = reading.decoder.lost(nil)
    reading.take(Frames.rest("xyz", isFinal: false) + Frames.rest("end") + Frames.text("new"))
    reading.take(Frames.rest("odd"))
    #expect(reading.lines == ["resumed 0", "text 3: new", "rfc6455-5.4"])
  }

  @Test("A gap in a frame's head drops it") func inHead() {
    var reading = WebSocketReading()
    reading.take([0x81])
    #expect(reading.decoder.lost(6) == .resynchronising)
    reading.take(Frames.text("x"))
    #expect(reading.lines == ["resumed 0", "text 1: x"])
  }

  @Test("In the middle the compression bit may be one that was agreed") func middle() {
    var reading = WebSocketReading(from: .unknown, inMiddle: true)
    reading.take([0xC1, 1, 0x61] + Frames.rest("x") + Frames.text("y"))
    #expect(reading.lines == ["text 1 to ? undecodable", "rfc6455-5.4", "text 1: y"])
  }

  @Test("A gap of nothing, and one after the end") func nothing() {
    var reading = WebSocketReading()
    #expect(reading.decoder.lost(0) == .counted)
    reading.take([0x82, 127, 0xFF, 0, 0, 0, 0, 0, 0, 0])
    #expect(reading.decoder.isStopped && reading.lines == ["rfc6455-5.2"])
    #expect(reading.decoder.lost(9) == .ignored)
    reading.take(Frames.text("swallowed"))
    #expect(reading.lines.count == 1)
  }

  @Test("Sizes near the largest number never trap") func huge() {
    var reading = WebSocketReading()
    reading.take([0x02, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + [0x61])
    #expect(reading.decoder.lost(Int.max - 2) == .counted)
    reading.take([0x62, 0x80, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7))
    #expect(reading.decoder.lost(Int.max) == .counted)
    reading.take([])
    #expect(reading.lines == ["limit frame", "limit frame", "binary \(Int.max) in 2 undecodable"])
  }
}
