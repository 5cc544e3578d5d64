import GoldwireProtocols
import Testing

/// Faults of event stream readers in the field, each a small input with one right outcome.
@Suite struct EventStreamFaultTests {
  private func events(_ pieces: [String]) -> [String] {
    ParsedStream(pieces.map { Array($0.utf8) }).events.map(\.data)
  }

  @Test func `B33 A line iterator swallows blank lines`() {
    let bytes = Array("data: {\"a\":1}\n\ndata: {\"b\":2}\n\n".utf8)
    for pieces in bytes.deliveries {
      #expect(ParsedStream(pieces).events.map(\.data) == ["{\"a\":1}", "{\"b\":2}"])
    }
  }

  @Test(arguments: ["data: A\r\ndata: B\r\ndata: C\r\n\r\n", "data: A\r\ndata: B\rdata: C\r\n\r\n"])
  func `B34 CR LF is cut by an edge, and line ends are mixed`(text: String) {
    #expect(events(["data: A\r\ndata: B\r", "\ndata: C\r\n\r", "\n"]) == ["A\nB\nC"])
    for pieces in Array(text.utf8).deliveries {
      let parsed = ParsedStream(pieces)
      #expect(parsed.events.map(\.data) == ["A\nB\nC"])
      #expect(parsed.items == [.event])
    }
  }

  @Test func `B35 A character is cut by an edge`() {
    let head = Array("data: ".utf8)
    #expect(
      ParsedStream([head + [0xE4, 0xBD], [0xA0, 0xE5, 0xA5, 0xBD, 0x0A, 0x0A]]).events.map(\.data)
        == ["你好"])
    for pieces in (head + [0x61, 0xFF, 0x62, 0x0A, 0x0A]).deliveries {
      #expect(ParsedStream(pieces).events.map(\.data) == ["a\u{FFFD}b"])
    }
  }

  @Test func `B37 Other line separators of Unicode end no line`() {
    let text = "data: a\u{2028}b\u{85}c\u{B}d\u{C}e\n\n"
    for pieces in Array(text.utf8).deliveries {
      #expect(ParsedStream(pieces).events.map(\.data) == ["a\u{2028}b\u{85}c\u{B}d\u{C}e"])
    }
  }

  @Test func `B39 A NULL in an id leaves the id that was set`() {
    for pieces in Array("id: 7\nid: x\0y\ndata: a\n\n".utf8).deliveries {
      let parsed = ParsedStream(pieces)
      #expect(parsed.events == [.init("message", "a", "7")])
      #expect(parsed.lastEventID == "7")
    }
  }

  @Test func `B40 The stream ends inside an event`() {
    let a = ParsedStream([Array("id: 1\ndata: a\n\nid: 2\ndata: b\n".utf8)])
    #expect(a.events == [.init("message", "a", "1")])
    #expect(a.lastEventID == "1")
    let b = ParsedStream([Array("id: 9\rdata: z\r\r".utf8)])
    #expect(b.events == [.init("message", "z", "9")])
    #expect(b.partial == 0)
    #expect(events(["data: q\n\r"]) == ["q"])
  }

  @Test func `B42 The retry field is bad, signed, foreign, huge or zero`() {
    let text = "retry: 1500\n\nretry: 15s\n\nretry: -1\n\nretry: \u{665}\n\nretry\n\ndata: x\n\n"
    for pieces in Array(text.utf8).deliveries {
      #expect(ParsedStream(pieces).items == [.retry(1_500), .event])
    }
  }

  @Test func `B47 Empty data is an event; ids alone and comments are none`() {
    let text = "id: p0\ndata:\n\nid: 5\n\n: hb\n\ndata: {\"x\":1}\n\n"
    for pieces in Array(text.utf8).deliveries {
      let parsed = ParsedStream(pieces)
      #expect(parsed.items == [.event, .id, .comment, .event])
      #expect(parsed.events == [.init("message", "", "p0"), .init("message", "{\"x\":1}", "5")])
    }
  }

  @Test func `The seed's example: several data lines, one space taken, no partial event`() {
    let text = "id: 1\ndata: queued\ndata:  more\n: beat\nother: x\n\nid: 2\ndata: building\n"
    let parsed = ParsedStream([Array(text.utf8)])
    #expect(parsed.events == [.init("message", "queued\n more", "1")])
  }
}
