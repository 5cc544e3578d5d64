import GoldwireProtocols
import GoldwireTestSupport
import Testing

@Suite struct EventStreamParserTests {
  @Test(arguments: EventStreamVector.all)
  func `Each vector gives its events, however it is cut`(vector: EventStreamVector) {
    #expect(ParsedStream(vector.chunks).events == vector.events)
    let whole = ParsedStream([vector.bytes])
    for pieces in vector.bytes.deliveries { #expect(ParsedStream(pieces) == whole) }
    #expect(whole.events == vector.events)
  }

  @Test func `The vectors are all there`() {
    #expect(EventStreamVector.all.count == 36)
  }

  @Test func `An id alone changes the last id at the blank line only`() {
    #expect(ParsedStream([Array("id: 42\n\n".utf8)]).items == [.id])
    #expect(ParsedStream([Array("id: 42\n\n".utf8)]).lastEventID == "42")
    #expect(ParsedStream([Array("id: 42\n".utf8)]).lastEventID == "")
    #expect(ParsedStream([Array("id: 42\n".utf8)]).partial == 7)
  }

  @Test func `A retry field is told at its own line, and only if it is digits alone`() {
    let text = "retry: 1500\ndata: x\nretry: 15s\nretry: -1\nretry: \u{665}\nretry\nretry:\nretry: +1\n\n"
    #expect(ParsedStream([Array(text.utf8)]).items == [.retry(1_500), .event])
    let huge = ParsedStream([Array("retry: 99999999999999999999\nretry:0\n".utf8)])
    #expect(huge.items == [.retry(2_147_483_647), .retry(0)])
  }

  @Test func `Comments are told, and are no part of an unfinished block`() {
    let parsed = ParsedStream([Array(": a\n:\n\ndata: x\n: b\n".utf8)])
    #expect(parsed.items == [.comment, .comment, .comment])
    #expect(parsed.partial == 8)
    #expect(ParsedStream([Array(": never ended".utf8)]).partial == 13)
  }

  @Test func `Unfinished bytes are counted from the end of the last block`() {
    #expect(ParsedStream([Array("data: x\r\n\r\n".utf8)]).partial == 0)
    #expect(ParsedStream([Array("data: x\r\n\r\nid: 2\r\n".utf8)]).partial == 7)
    #expect(ParsedStream([[0xEF, 0xBB, 0xBF]]).partial == 0)
    #expect(ParsedStream([[0xEF, 0xBB]]).partial == 2)
  }

  @Test func `Nothing of an unfinished block survives a restart`() {
    var parser = EventStreamParser(keepsData: true)
    let first = Array("\u{FEFF}event: e\nid: 2\ndata: lost\r".utf8)
    _ = ParsedStream([first], parser: &parser)
    parser.restart(lastEventID: Array("1".utf8))
    let second = ParsedStream([Array("\n\u{FEFF}data: x\n\ndata: y\n\n".utf8)], parser: &parser)
    #expect(second.events == [.init("message", "y", "1")])
    parser.restart()
    let third = ParsedStream([Array("\u{FEFF}data: z\n\n".utf8)], parser: &parser)
    #expect(third.events == [.init("message", "z", "")])
  }

  @Test func `The id stands in the block only where its field does`() {
    let text = "id: a\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\nid: b\0c\ndata: 4\n\nid: x\nid: y\ndata: 5\n\n"
    let parsed = ParsedStream([Array(text.utf8)])
    #expect(parsed.ownIDs == ["a", nil, "", nil, "y"])
    #expect(parsed.events.map(\.lastEventID) == ["a", "a", "", "", "y"])
  }

  @Test func `Equal content has equal digests, other content others`() {
    let text =
      "data: a\n\nevent: message\nid: 9\ndata: a\n\nevent: x\ndata: a\n\ndata: b\n\ndata: a\ndata\n\n"
    let digests = ParsedStream([Array(text.utf8)]).digests
    #expect(digests[0] == digests[1])
    #expect(Set(digests).count == 4)
    var other = EventStreamParser(keepsData: true, digestKey: 8)
    #expect(ParsedStream([Array(text.utf8)], parser: &other).digests[0] != digests[0])
  }

  @Test func `A parser that keeps no data counts and digests all the same`() {
    for vector in EventStreamVector.all {
      var counting = EventStreamParser(keepsData: false, digestKey: 7)
      let parsed = ParsedStream([vector.bytes], parser: &counting)
      let kept = ParsedStream([vector.bytes])
      #expect(parsed.counts == kept.counts)
      #expect(parsed.digests == kept.digests)
      #expect(parsed.events.allSatisfy { $0.data == "" })
    }
  }

  @Test func `What is over a limit is cut and marked, and the next block is whole again`() {
    var limits = EventStreamParser.Limits()
    limits.data = 4
    limits.id = 2
    limits.type = 3
    let text =
      "data: 12\ndata: 34\n\nid: 123\ndata: a\n\nevent: long\ndata: b\n\nid: 12\nevent: abc\ndata: c\n\n"
    for pieces in Array(text.utf8).deliveries {
      var parser = EventStreamParser(keepsData: true, limits: limits)
      var cuts: [Bool] = []
      for piece in pieces {
        var index = 0
        while parser.next(piece.span, at: &index) != nil { cuts.append(parser.isCut) }
      }
      #expect(cuts == [true, true, true, false])
    }
    var parser = EventStreamParser(keepsData: true, limits: limits)
    let parsed = ParsedStream([Array(text.utf8)], parser: &parser)
    #expect(parsed.counts == [5, 1, 1, 1])
    #expect(parsed.events.map(\.data) == ["12\n3", "a", "b", "c"])
    #expect(parsed.ownIDs == [nil, nil, nil, "12"])
  }

  @Test(arguments: 0..<400 as Range<UInt64>)
  func `Random streams read as the standard's own words read them`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = [
      "data", "data:", "data: ", "id", "id: ", "event: ", "retry: ", ":", "\n", "\n", "\n\n", "\r",
      "\r\n", "\r\n\r\n", "1", "7", "x", "é", "\u{2028}", "\0", " ", "\u{FEFF}", "Data: ", "colour: ",
    ]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      if Int.random(in: 0..<12, using: &random) == 0 {
        bytes.append(UInt8.random(in: 0...255, using: &random))
      } else {
        bytes += Array((words.randomElement(using: &random) ?? "").utf8)
      }
    }
    let whole = ParsedStream([bytes])
    let plain = PlainEventStream(bytes)
    #expect(whole.events == plain.events)
    #expect(whole.lastEventID == plain.lastEventID)
    #expect(whole.items.compactMap(\.milliseconds) == plain.retries)
    #expect(whole.counts.count == plain.events.count)
    for pieces in bytes.deliveries { #expect(ParsedStream(pieces) == whole) }
  }
}

extension EventStreamParser.Item {
  var milliseconds: Int? {
    if case .retry(let milliseconds) = self { milliseconds } else { nil }
  }
}
