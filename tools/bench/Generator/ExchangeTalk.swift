import GoldwireTestSupport

/// Requests and responses over one connection that is kept open.
struct ExchangeTalk: Talk {
  var wire: Wire
  private(set) var isOver = false
  private let settings: TalkSettings
  private let budget: Int
  private var requests = 0

  init(_ number: Int, at time: Int, _ settings: TalkSettings) {
    self.settings = settings
    wire = Wire(number, client: number, at: time, seed: settings.seed)
    budget = settings.budget / 2 + wire.random.below(settings.budget)
    wire.open()
  }

  mutating func step(_ truth: inout CaptureTruth) {
    wire.now += 2 * wire.roundTrip + wire.random.below(300_000)
    guard wire.size < budget else { return end(&truth) }
    switch wire.random.below(100) {
    case 0..<3: pipeline(&truth)
    case 3..<5:
      request("HEAD", &truth)
      respond(200, "OK", bodyOf: settings.payload, isHead: true, &truth)
    case 5..<7: expect(&truth)
    case 7..<75: ask("GET", &truth)
    default: ask("POST", &truth)
    }
  }

  /// A request until it gets an answer that is no refusal.
  private mutating func ask(_ method: String, _ truth: inout CaptureTruth) {
    requests += 1
    let size = wire.random.size(around: settings.payload * 3)
    let body = method == "POST" ? Array(settings.filler.text(size, &wire.random)) : []
    let target = "/items/\(wire.number)/\(requests)?token=FAKE-\(wire.random.below(1_000_000))"
    var tries = 0
    while true {
      tries += 1
      request(method, target, body, &truth)
      if tries > 1 { truth.count("http.send again") }
      guard tries < 4, wire.random.happens(60) else { break }
      wire.now += refuse(&truth) * 1_000_000 + 1_000
    }
    switch wire.random.below(100) {
    case 0..<4: respond(204, "No Content", bodyOf: nil, &truth)
    case 4..<8 where method == "GET": respond(304, "Not Modified", bodyOf: nil, &truth)
    case 8..<12: respond(404, "Not Found", bodyOf: 40, &truth)
    default:
      respond(method == "GET" ? 200 : 201, "OK", bodyOf: method == "GET" ? settings.payload * 12 : 20, &truth)
    }
  }

  private mutating func request(_ method: String, _ truth: inout CaptureTruth) {
    requests += 1
    request(method, "/items/\(wire.number)/\(requests)", [], &truth)
  }

  private mutating func request(
    _ method: String, _ target: String, _ body: [UInt8], _ truth: inout CaptureTruth
  ) {
    let fields = body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
    wire.send(
      .client, Array(requestHead(method, target, fields, secret: wire.number).utf8) + body, &truth)
    truth.count("http.send \(method)")
    if !body.isEmpty { truth.count("http.body out", bytes: body.count) }
  }

  /// A refusal that says when to come again; gives the seconds.
  private mutating func refuse(_ truth: inout CaptureTruth) -> Int {
    let seconds = 1 + wire.random.below(4)
    let isDate = wire.random.happens(250)
    // The response's Date stands still, so that a date is so many seconds after it.
    let value = isDate ? "Tue, 14 Nov 2023 22:13:\(20 + seconds) GMT" : "\(seconds)"
    let status = wire.random.one(of: [429, 503])
    send(status, "Later", "Retry-After: \(value)\r\n", Array("{\"error\":\"later\"}".utf8), &truth)
    truth.count(isDate ? "http.response retryAt" : "http.response retryAfter")
    return seconds
  }

  /// A response with a body of mean size `mean`, or none.
  private mutating func respond(
    _ status: Int, _ reason: String, bodyOf mean: Int?, isHead: Bool = false, _ truth: inout CaptureTruth
  ) {
    let size = mean.map { wire.random.size(around: $0) } ?? 0
    let isPacked = wire.random.happens(200)
    let body = Array(
      isPacked ? settings.filler.bytes(size, &wire.random) : settings.filler.text(size, &wire.random))
    var fields = mean == nil ? "" : "Content-Type: application/json\r\n"
    if isPacked, mean != nil { fields += "Content-Encoding: gzip\r\n" }
    if mean != nil, wire.random.happens(300) {
      send(
        status, reason, fields, body, isHead: isHead, isChunked: true,
        &truth)
    } else {
      send(status, reason, fields, mean == nil ? nil : body, isHead: isHead, &truth)
    }
  }

  private mutating func send(
    _ status: Int, _ reason: String, _ fields: String, _ body: [UInt8]?, isHead: Bool = false,
    isChunked: Bool = false, _ truth: inout CaptureTruth
  ) {
    wire.send(
      .server, response(status, reason, fields, body, isHead: isHead, isChunked: isChunked, &truth), &truth)
  }

  /// The bytes of a response, which is counted.
  private mutating func response(
    _ status: Int, _ reason: String, _ fields: String, _ body: [UInt8]?, isHead: Bool = false,
    isChunked: Bool = false, _ truth: inout CaptureTruth
  ) -> [UInt8] {
    truth.count("http.response \(status)")
    guard let body else { return Array(responseHead(status, reason, fields).utf8) }
    let length = isChunked ? "Transfer-Encoding: chunked\r\n" : "Content-Length: \(body.count)\r\n"
    let head = Array(responseHead(status, reason, fields + length).utf8)
    if isHead { return head }
    if !body.isEmpty { truth.count("http.body in", bytes: body.count) }
    guard isChunked else { return head + body }
    var bytes = head
    var start = 0
    while start < body.count {
      let end = min(body.count, start + 1 + wire.random.below(1_500))
      bytes += chunk(Array(body[start..<end]))
      start = end
    }
    return bytes + Array("0\r\n\r\n".utf8)
  }

  /// Requests that do not wait for each other's responses.
  private mutating func pipeline(_ truth: inout CaptureTruth) {
    let count = 2 + wire.random.below(4)
    var heads = ""
    for _ in 0..<count {
      requests += 1
      heads += requestHead("GET", "/items/\(wire.number)/\(requests)", secret: wire.number)
      truth.count("http.send GET")
    }
    wire.send(.client, Array(heads.utf8), &truth)
    var bytes: [UInt8] = []
    for _ in 0..<count {
      let body = Array(settings.filler.text(wire.random.size(around: settings.payload * 4), &wire.random))
      bytes += response(
        200, "OK", "Content-Type: text/plain\r\n", body, isChunked: wire.random.happens(500), &truth)
    }
    wire.send(.server, bytes, &truth)
  }

  /// A request whose body waits for the interim response.
  private mutating func expect(_ truth: inout CaptureTruth) {
    requests += 1
    let body = Array(settings.filler.text(wire.random.size(around: settings.payload * 6), &wire.random))
    let fields = "Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n"
    let target = "/items/\(wire.number)/\(requests)"
    wire.send(.client, Array(requestHead("PUT", target, fields, secret: wire.number).utf8), &truth)
    truth.count("http.send PUT")
    wire.send(.server, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), &truth)
    truth.count("http.response 100")
    wire.send(.client, body, &truth)
    truth.count("http.body out", bytes: body.count)
    send(201, "Created", "", [], &truth)
  }

  /// The connection ends: idle, before a response, or within one.
  private mutating func end(_ truth: inout CaptureTruth) {
    isOver = true
    switch wire.random.below(20) {
    case 0:
      request("GET", &truth)
      wire.reset(by: .server)
      truth.count("http.error reset")
    case 1:
      request("GET", &truth)
      wire.close(by: .server)
      truth.count("http.error fin")
    case 2:
      request("GET", &truth)
      let body = Array(settings.filler.text(900, &wire.random))
      truth.count("http.response 200")
      wire.send(
        .server, Array(responseHead(200, "OK", "Content-Length: 2000\r\n").utf8) + body, &truth)
      truth.count("http.body in cut", bytes: body.count)
      truth.count("http.error reset")
      wire.reset(by: .server)
    case 3: wire.reset(by: wire.random.one(of: [.client, .server]))
    default: wire.close(by: wire.random.one(of: [.client, .server]))
    }
  }
}
