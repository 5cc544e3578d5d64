import GoldwireTestSupport

/// One event stream over several connections: it is cut, and taken up again with the last event's id.
struct StreamTalk: Talk {
  var wire: Wire
  private(set) var isOver = false
  private let settings: TalkSettings
  private let numbers: Range<Int>
  private var budget = 0
  private var isOpen = false
  private var isChunked = true
  private var lineEnd: [UInt8] = [10]
  private var lastID = 0
  private var delay = 1_000

  /// Makes a stream over connections of these numbers, one after the other.
  init(_ numbers: Range<Int>, at time: Int, _ settings: TalkSettings) {
    self.settings = settings
    self.numbers = numbers
    wire = Wire(numbers.lowerBound, client: numbers.lowerBound, at: time, seed: settings.seed)
    wire.open()
  }

  mutating func step(_ truth: inout CaptureTruth) {
    guard isOpen else { return open(&truth) }
    guard wire.size < budget else { return end(&truth) }
    wire.now += 100 + wire.random.below(150_000)
    var block = block(&truth)
    switch wire.random.below(10) {
    case 0, 1:
      for _ in 0...wire.random.below(4) { block += self.block(&truth) }
      wire.send(.server, coded(block), &truth)
    case 2, 3:
      let middle = 1 + wire.random.below(block.count - 1)
      let (head, tail) = (coded(Array(block[..<middle])), coded(Array(block[middle...])))
      if wire.random.happens(500) { return wire.send(.server, head + tail, &truth) }
      wire.send(.server, head, &truth)
      wire.now += wire.random.below(30_000)
      wire.send(.server, tail, &truth)
    default: wire.send(.server, coded(block), &truth)
    }
  }

  private func coded(_ bytes: [UInt8]) -> [UInt8] { isChunked ? chunk(bytes) : bytes }

  private mutating func open(_ truth: inout CaptureTruth) {
    budget = settings.budget / 2 + wire.random.below(settings.budget)
    let cursor = lastID > 0 ? "Last-Event-ID: \(lastID)\r\n" : ""
    let head = requestHead(
      "GET", "/events?key=FAKE", "Accept: text/event-stream\r\n\(cursor)", secret: wire.number)
    wire.send(.client, Array(head.utf8), &truth)
    truth.count("sse.connect")
    if lastID > 0 { truth.count("sse.connect cursor") }
    if wire.number + 1 < numbers.upperBound, wire.random.happens(120) {
      let fields = "Retry-After: 2\r\nContent-Length: 0\r\n"
      wire.send(.server, Array(responseHead(503, "Busy", fields).utf8), &truth)
      truth.count("sse.open 503")
      truth.count("sse.open retryAfter")
      wire.close(by: .server)
      return again(after: 2_000_000)
    }
    isOpen = true
    isChunked = wire.random.happens(800)
    lineEnd = wire.random.one(of: [[10], [10], [10], [13, 10], [13]])
    let fields =
      "Content-Type: text/event-stream\r\nCache-Control: no-store\r\n"
      + (isChunked ? "Transfer-Encoding: chunked\r\n" : "Connection: close\r\n")
    var bytes = Array(responseHead(200, "OK", fields).utf8)
    if wire.random.happens(100) { bytes += coded([0xEF, 0xBB, 0xBF]) }
    wire.send(.server, bytes, &truth)
    truth.count("sse.open 200")
  }

  /// An event, or what stands between events.
  private mutating func block(_ truth: inout CaptureTruth) -> [UInt8] {
    var lines: [[UInt8]] = []
    switch wire.random.below(100) {
    case 0..<3:
      delay = 500 * (1 + wire.random.below(6))
      lines = [Array("retry: \(delay)".utf8)]
      truth.count("sse.retry")
    case 3..<7:
      lines = [Array(": still here".utf8)]
      truth.count("sse.comment")
    case 7..<9:
      lastID += 1
      lines = [Array("id: \(lastID)".utf8)]
      truth.count("sse.id")
    default:
      if wire.random.happens(900) {
        lastID += 1
        lines.append(Array("id: \(lastID)".utf8))
        truth.count("sse.event id")
      }
      if wire.random.happens(600) {
        lines.append(Array("event: \(wire.random.one(of: ["price", "order", "news"]))".utf8))
      }
      var size = -1
      for _ in 0..<(wire.random.happens(850) ? 1 : 2 + wire.random.below(3)) {
        let data =
          Array("{\"v\":\"".utf8)
          + settings.filler.text(wire.random.size(around: settings.payload), &wire.random)
          + Array("\"}".utf8)
        size += data.count + 1
        lines.append(Array("data: ".utf8) + data)
      }
      truth.count("sse.event", bytes: size)
    }
    return lines.flatMap { $0 + lineEnd } + lineEnd
  }

  /// The connection ends: the whole stream, or within it, perhaps within an event.
  private mutating func end(_ truth: inout CaptureTruth) {
    let isLast = wire.number + 1 >= numbers.upperBound
    if isLast, wire.random.happens(700) {
      if isChunked { wire.send(.server, Array("0\r\n\r\n".utf8), &truth) }
      wire.close(by: .server)
      truth.count("sse.cut in eof", bytes: 0)
    } else {
      var partial: [UInt8] = []
      if wire.random.happens(500) {
        partial = Array("data: ".utf8) + settings.filler.text(1 + wire.random.below(300), &wire.random)
        wire.send(.server, coded(partial), &truth)
      }
      cut(partial.count, &truth)
    }
    isOpen = false
    if isLast { isOver = true } else { again(after: delay * 1_000) }
  }

  private mutating func cut(_ partial: Int, _ truth: inout CaptureTruth) {
    switch wire.random.below(3) {
    case 0:
      wire.reset(by: .server)
      truth.count("sse.cut in reset", bytes: partial)
    case 1:
      wire.close(by: .client)
      truth.count("sse.cut out local", bytes: partial)
    default:
      // Without its last chunk a chunked body is not whole; one that ends with the connection always is.
      wire.close(by: .server)
      truth.count("sse.cut in \(isChunked ? "error" : "eof")", bytes: partial)
    }
  }

  /// The client connects anew.
  private mutating func again(after pause: Int) {
    let packets = wire.packets
    wire = Wire(
      wire.number + 1, client: numbers.lowerBound, at: wire.now + pause + 1_000, seed: settings.seed)
    wire.packets = packets
    wire.open()
  }
}
