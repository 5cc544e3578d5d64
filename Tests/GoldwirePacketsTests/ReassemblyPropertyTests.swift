import GoldwirePackets
import GoldwireTestSupport
import Testing

/// Whatever order segments come in, what was sent comes out; whatever bytes come in, nothing traps.
@Suite struct ReassemblyPropertyTests {
  @Test(
    "Any cut, order, repetition and overlap delivers exactly what was sent",
    arguments: 0..<300 as Range<UInt64>)
  func segmentation(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let sent = (0..<Int.random(in: 1...3_000, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    var capture = CaptureBuilder(
      .pcap, link: [.ethernet, .sll2, .raw(101)][Int(seed % 3)], bigEndian: seed % 2 == 0)
    let start: UInt32 =
      seed % 4 == 0 ? 0xFFFF_FFFF &- UInt32(seed) : UInt32.random(in: 0 ... .max, using: &random)
    let socket = capture.connection(ipv6: seed % 5 == 0, clientStart: start)
    capture.connect(socket)
    // Cut into pieces, some of which begin earlier or end later than they need to.
    var pieces: [Range<Int>] = []
    var offset = 0
    while offset < sent.count {
      let end = min(sent.count, offset + Int.random(in: 1...300, using: &random))
      let early =
        Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0...offset, using: &random) : offset
      let late = Int.random(in: 0..<4, using: &random) == 0 ? min(sent.count, end + 40) : end
      pieces.append(early..<late)
      offset = end
    }
    for _ in 0..<pieces.count / 3 {
      if let again = pieces.randomElement(using: &random) { pieces.append(again) }
    }
    // Shuffle within a distance, so that holes stay open for a while.
    var order = Array(pieces.indices)
    for index in order.indices {
      order.swapAt(index, min(order.count - 1, index + Int.random(in: 0...12, using: &random)))
    }
    for index in order {
      capture.resend(socket, .client, Array(sent[pieces[index]]), from: pieces[index].lowerBound)
      if Int.random(in: 0..<6, using: &random) == 0 { capture.repeatLast() }
    }
    capture.resend(socket, .client, [], from: sent.count)
    let harness = StreamHarness.run(capture)
    #expect(harness.heard.map(\.client) == [[.bytes(sent)]])
    #expect(harness.heard[0].conflicts == 0)
  }

  @Test(
    "Lost segments are gaps of their size, and all other bytes come out", arguments: 0..<100 as Range<UInt64>)
  func losses(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var capture = CaptureBuilder()
    let socket = capture.connection()
    capture.connect(socket)
    var sent: [UInt8?] = []
    for number in 0..<60 {
      let piece = [UInt8](repeating: UInt8(number), count: Int.random(in: 2...50, using: &random))
      if Int.random(in: 0..<4, using: &random) == 0 {
        capture.lost { $0.send(socket, .client, piece) }
        sent += [UInt8?](repeating: nil, count: piece.count)
      } else {
        capture.send(socket, .client, piece)
        sent += piece
      }
      if Bool.random(using: &random) { capture.ack(socket, by: .server) }
    }
    capture.fin(socket, .client)
    capture.ack(socket, by: .server)
    var heard: [UInt8?] = []
    let pieces = StreamHarness.run(capture).heard[0].client
    #expect(pieces.last == .fin)
    for piece in pieces {
      switch piece {
      case .bytes(let bytes): heard += bytes
      case .gap(let count, let cause):
        #expect(cause == .lost)
        heard += [UInt8?](repeating: nil, count: count)
      default: #expect(piece == .fin)
      }
    }
    #expect(heard == sent)
  }

  private static func specimen(_ variant: Int) -> [UInt8] {
    let link: [BuiltLink] = [
      .ethernet, .tagged([0x88A8, 0x8100]), .sll2, .null(bigEndian: true), .pktap, .pppoe,
    ]
    var capture = CaptureBuilder(
      variant % 2 == 0 ? .pcapng : .pcap, link: link[variant % link.count], bigEndian: variant % 3 == 0,
      resolution: variant % 4 == 0 ? 9 : nil)
    let socket = capture.connection(ipv6: variant % 5 < 2)
    capture.connect(socket)
    capture.send(socket, .client, "GET / HTTP/1.1\r\n\r\n", size: 7)
    capture.reversed { $0.send(socket, .server, [UInt8](repeating: 7, count: 40), size: 9) }
    for packet in capture.state(of: socket).segment(.client, [UInt8](repeating: 1, count: 60)).fragments(
      of: 24)
    {
      capture.add(packet: packet)
    }
    capture.keepAlive(socket, .server)
    capture.close(socket)
    capture.rst(socket, .client)
    if variant % 2 == 0 {
      capture.addKeyLog("CLIENT_RANDOM")
      capture.addBlock(5, [UInt8](repeating: 0, count: 12))
    }
    return capture.bytes
  }

  @Test("No change of a capture's bytes makes anything trap", arguments: 0..<30)
  func mutants(_ variant: Int) {
    let file = Self.specimen(variant)
    var random = SeededGenerator(seed: UInt64(variant))
    var limits = PacketLimits()
    limits.connections = 3
    limits.heldSegments = 4
    var packets = 0
    for _ in 0..<100 {
      var mutant = file
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: mutant.indices, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: mutant[place] = [0, 1, 0x7F, 0x80, 0xFF][Int.random(in: 0..<5, using: &random)]
        case 1: mutant[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: mutant[place] = UInt8.random(in: 0...255, using: &random)
        case 3: mutant.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 4 where mutant.count > 40: mutant.removeSubrange(place..<min(mutant.count, place + 4))
        default:
          for index in place..<min(mutant.count, place + 4) { mutant[index] = 0xFF }
        }
      }
      var harness = StreamHarness(seed: UInt64(variant), limits: limits)
      harness.read(mutant)
      harness.finish()
      packets += harness.heard.count
      let whole = ReadCapture.read(mutant, pieces: [max(1, mutant.count)])
      #expect(ReadCapture.read(mutant, pieces: [13]) == whole)
    }
    #expect(packets > 0)
  }

  @Test("Segments with random numbers and flags never trap, and deliver no more than they hold")
  func randomSegments() {
    var random = SeededGenerator(seed: 99)
    let payload = [UInt8](repeating: 3, count: 64)
    var limits = PacketLimits()
    limits.connections = 4
    limits.heldSegments = 8
    limits.heldBytesInAll = 2_000
    var harness = ConnectionTable(seed: 3, limits: limits)
    var buffer: [UInt8] = []
    let numbers: [UInt32] = [0, 1, 2, 60, 100, 5_000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, .max]
    for turn in 0..<50_000 {
      var sender = Side.first
      let port = UInt16.random(in: 1...6, using: &random)
      let ends = [
        Endpoint(address: IPAddress(ipv4: 1), port: port), Endpoint(address: IPAddress(ipv4: 2), port: 80),
      ].shuffled(using: &random)
      let key = FlowKey(from: ends[0], to: ends[1], sender: &sender)
      let count = Int.random(in: 0...64, using: &random)
      let segment = Segment(
        key: key, sender: sender, flags: TCPFlags(rawValue: UInt8.random(in: 0...31, using: &random)),
        windowScale: 14,
        sequence: (numbers.randomElement(using: &random) ?? 0) &+ UInt32.random(in: 0...99, using: &random),
        acknowledgment: numbers.randomElement(using: &random) ?? 0, count: count,
        length: count + (turn % 7 == 0 ? 9 : 0))
      let arrival = harness.accept(segment, in: payload.span, at: turn % 11 == 0 ? .max : turn)
      let isInside = arrival.skip >= 0 && arrival.count >= 0 && arrival.skip + arrival.count <= count
      if !isInside { Issue.record("turn \(turn): bytes beyond the payload") }
      var pulls = 0
      for index in [arrival.ended, arrival.connection].compactMap({ $0 }) {
        while harness.pull(index, into: &buffer) != nil { pulls += 1 }
      }
      if pulls >= 64 { Issue.record("turn \(turn): pulling does not end") }
    }
  }
}
