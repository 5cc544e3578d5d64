@testable import GoldwireCapture
import GoldwireProtocols
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// Event streams under every content coding, alone and in sequence, with a limit to what comes out.
@Suite struct CodingTests {
  private static let text = "id: 1\ndata: a\n\nid: 2\ndata: bc\n\n"
  private static let events = [
    #""ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":1"#,
    #""ch":"sse1","gen":1,"ev":"sse.event","n":2,"id":"e2","bytes":2"#,
  ]

  private static func record(
    _ coding: String, _ body: [UInt8], size: Int = 1_460,
    _ change: (inout RecordSettings) -> Void = { _ in }
  ) throws -> [String] {
    var capture = CaptureBuilder()
    let socket = capture.open()
    capture.send(socket, .client, "GET /e HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n")
    capture.send(
      socket, .server,
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: \(coding)\r\n\r\n")
    capture.send(socket, .server, body, size: size)
    return Array(try Recording(capture, filter: nil, change).plain.dropFirst(2))
  }

  private static func coded(_ coding: Substring, _ bytes: [UInt8]) -> [UInt8] {
    switch coding {
    case "br": Coded.brotli(bytes)
    case "zstd": Coded.zstd(bytes)
    case "deflate": Coded.deflate(bytes)
    default: Coded.gzip(bytes)
    }
  }

  @Test(
    "Every coding is undone, and every sequence of them, at every cut",
    arguments: [
      "gzip", "x-gzip", "deflate", "br", "zstd", "gzip, br", "br, gzip", "zstd, deflate", "deflate,zstd,br",
      "gzip, br, zstd, deflate", "identity, zstd",
    ])
  func sequences(coding: String) throws {
    let names = coding.split { $0 == "," || $0 == " " }.filter { $0 != "identity" }
    let body = names.reduce(Array(Self.text.utf8)) { Self.coded($1, $0) }
    for size in everyCut { #expect(try Self.record(coding, body, size: size) == Self.events) }
  }

  @Test("Pieces that give nothing are no damage, however many they are") func emptyPieces() throws {
    let flushes = (0..<20).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }
    let body = flushes + Coded.bareDeflate(Coded.zstd(Array(Self.text.utf8)))
    for size in everyCut { #expect(try Self.record("zstd, deflate", body, size: size) == Self.events) }
  }

  @Test("What real encoders make is read") func vectors() throws {
    let brotli =
      "1bae00701c076eac33c467206ce308959e0a6469e0098bd520d6d727880e1e6cc081c498dab8d9e2178749c258d9cd05b43d3221edfd60d6d806d9c23103"
    let zstd =
      "28b52ffd0468fd0100d40269643a20310a646174613a2074686520717569636b2062726f776e20666f7820310a0a69643a203232333034350600200a1bdc8181812000bb30a12a035c6afdf7"
    for (coding, hex) in [("br", brotli), ("zstd", zstd)] {
      let told = try Self.record(coding, Self.bytes(hex), size: 5)
      #expect(
        told == (1...5).map { #""ch":"sse1","gen":1,"ev":"sse.event","n":\#($0),"id":"e\#($0)","bytes":21"# })
    }
  }

  @Test("One Zstandard frame may follow another; nothing may follow Brotli's end") func frames() throws {
    let halves = [Self.text.prefix(15), Self.text.dropFirst(15)].map { Array($0.utf8) }
    #expect(try Self.record("zstd", halves.flatMap { Coded.zstd($0) }) == Self.events)
    #expect(try Self.record("br", halves.flatMap { Coded.brotli($0) }) == Array(Self.events.prefix(1)))
  }

  private static let undecodable = #""ch":"sse1","gen":1,"ev":"rec.note","note":"undecodable""#
  private static let limit = #""ch":"sse1","gen":1,"ev":"rec.gap","dir":"in","why":"limit""#

  @Test("A bomb is stopped at the limit, a bomb within a bomb too, and both say so") func bombs() throws {
    let bomb = Coded.zstdBomb(blocks: 40)
    for (coding, body) in [
      ("zstd", bomb), ("zstd, gzip", Coded.gzip(bomb)), ("zstd, zstd", Coded.zstd(bomb)),
      ("br", Self.bytes("9bffff3ff825f0e2b14020f7fe07")),
    ] {
      let told = try Self.record(coding, body) { $0.limits.inflateAllowance = 1 << 20 }
      #expect(told == [Self.limit], "\(coding)")
      #expect(try Self.record(coding, body) { $0.limits.inflateAllowance = 16 << 20 }.isEmpty, "\(coding)")
    }
  }

  @Test(
    "A coding that is not known, and too many, are undecodable", arguments: ["compress", "rot13", "br,br,br"])
  func unknown(coding: String) throws {
    #expect(try Self.record(coding, [1, 2, 3]) { $0.limits.codings = 2 } == [Self.undecodable])
  }

  @Test("Damage is undecodable, once", arguments: ["gzip", "deflate", "br", "zstd"])
  func damage(coding: String) throws {
    let body = [UInt8](repeating: 0xFF, count: 40)
    #expect(try Self.record(coding, body, size: 7) == [Self.undecodable])
  }

  @Test("Brotli counts for 64 of the decompressors and Zstandard for 32, and they are given back")
  func pool() {
    var limits = CaptureLimits()
    limits.inflaters = 97
    var pool = InflaterPool()
    let codings = Self.codings("br")
    let first = pool.body(codings, limits)
    #expect(first?.weight == 64)
    #expect(pool.body(Self.codings("zstd, gzip"), limits)?.weight == 33)
    #expect(pool.body(Self.codings("gzip"), limits) == nil)
    pool.giveBack(first?.weight ?? 0)
    #expect(pool.body(Self.codings("gzip"), limits)?.weight == 1)
    #expect(pool.raw(15, limits) != nil)
  }

  @Test("After a reset each coding begins anew", arguments: ["gzip", "deflate", "br", "zstd"])
  func reset(coding: String) throws {
    var pool = InflaterPool()
    let made = pool.body(Self.codings(coding), CaptureLimits())
    let inflater = try #require(made)
    for _ in 0..<3 {
      let body = Self.coded(coding[...], Array("abc".utf8))
      #expect(Self.inflate(body[...], inflater) == Array("abc".utf8))
      inflater.reset()
    }
  }

  @Test("Damaged bodies never trap and never loop") func mutations() throws {
    var mutator = Mutator(seed: 9, dictionary: [[0x28, 0xB5, 0x2F, 0xFD], [3], [0x1F, 0x8B]])
    for round in 0..<400 {
      let names: [Substring] = [["br"], ["zstd"], ["gzip", "br"], ["zstd", "deflate"]][round % 4]
      let body = names.reduce(Array(Self.text.utf8)) { Self.coded($1, $0) }
      var pool = InflaterPool()
      let codings = Self.codings(names.joined(separator: ","))
      let made = pool.body(codings, CaptureLimits())
      let inflater = try #require(made)
      _ = Self.inflate(mutator.mutate(body)[...], inflater)
    }
  }

  private static func inflate(_ body: ArraySlice<UInt8>, _ inflater: BodyInflater) -> [UInt8] {
    let body = Array(body)
    var output: [UInt8] = []
    var offset = 0
    for _ in 0..<10_000 {
      var step = InflateStep(consumed: 0, status: .failed)
      var isFull = false
      output.append(addingCapacity: 64) { out in
        step = inflater.inflate(body.span.extracting(offset..<body.count), into: &out)
        isFull = out.freeCapacity == 0
      }
      offset += step.consumed
      if step.status != .more || !isFull && (offset == body.count || step.consumed == 0) { return output }
    }
    Issue.record("it never ends")
    return output
  }

  private static func codings(_ value: String) -> HTTPCodings {
    var decoder = HTTP1Decoder(.responses)
    var exchanges = HTTP1Exchanges()
    let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(value)\r\n\r\n".utf8)
    var offset = 0
    while decoder.next(head.span, &offset, exchanges: &exchanges) != nil {}
    return decoder.head.codings
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
