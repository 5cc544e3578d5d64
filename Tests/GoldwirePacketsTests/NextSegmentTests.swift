import GoldwireTestSupport
import Testing

@testable import GoldwirePackets

/// The short way for the segment that is just the next one comes to what the general way does.
@Suite struct NextSegmentTests {
  private static let bytes = (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  /// A conversation in which most segments come in order, and some twice, late, cut, empty, or with another flag.
  private static func segments(_ random: inout SeededGenerator) -> [Segment] {
    var sender = Side.first
    let client = Endpoint(address: IPAddress(ipv4: 1), port: 5)
    let key = FlowKey(from: client, to: Endpoint(address: IPAddress(ipv4: 2), port: 80), sender: &sender)
    var next: (UInt32, UInt32) = (UInt32.max - 500, 7_000)
    var all: [Segment] = []
    for _ in 0..<120 {
      let side = Bool.random(using: &random) ? Side.first : .second
      let own = side == .first ? next.0 : next.1
      var flags = TCPFlags.ack
      switch Int.random(in: 0..<200, using: &random) {
      case 0: flags = [.ack, .fin]
      case 1: flags = [.ack, .rst]
      case 2: flags = .psh
      default: break
      }
      let length = Bool.random(using: &random) ? 0 : Int.random(in: 1...200, using: &random)
      let isCut = Int.random(in: 0..<100, using: &random) == 0
      let back = Int.random(in: 0..<30, using: &random) == 0 ? UInt32.random(in: 0...60, using: &random) : 0
      all.append(
        Segment(
          key: key, sender: side, flags: flags, window: UInt16.random(in: 0...9, using: &random),
          sequence: own &- back, acknowledgment: side == .first ? next.1 : next.0,
          start: Int.random(in: 0...100, using: &random), count: isCut ? length / 2 : length, length: length))
      let step = Int.random(in: 0..<60, using: &random) == 0 ? 0 : UInt32(length) &- back
      if side == .first { next.0 = own &+ step } else { next.1 = own &+ step }
    }
    return all
  }

  @Test("Both ways give the same arrivals, pieces and facts")
  func agreement() {
    let taken = (0..<80 as Range<UInt64>).reduce(0) { sum, seed in
      var random = SeededGenerator(seed: seed)
      return sum + compare(Self.segments(&random))
    }
    #expect(taken > 1_000)
  }

  /// Takes segments both ways; gives how many went the short one.
  private func compare(_ segments: [Segment]) -> Int {
    let limits = StreamLimits(PacketLimits())
    var short = TCPConnection(key: segments[0].key, serial: 0, at: 0)
    var general = short
    var taken = 0
    for (time, segment) in segments.enumerated() {
      var (one, other) = (Arrival(sender: segment.sender), Arrival(sender: segment.sender))
      if short.takeNext(segment, in: Self.bytes.span, at: time, limits: limits) {
        one.count = segment.length
        taken += 1
      } else {
        short.take(segment, in: Self.bytes.span, at: time, limits: limits, &one)
      }
      general.take(segment, in: Self.bytes.span, at: time, limits: limits, &other)
      #expect(one == other)
      var (left, right): ([UInt8], [UInt8]) = ([], [])
      while true {
        let (piece, wanted) = (short.pull(into: &left), general.pull(into: &right))
        #expect(piece == wanted)
        #expect(left == right)
        if piece == nil || wanted == nil { break }
      }
      #expect(short.first.facts == general.first.facts)
      #expect(short.second.facts == general.second.facts)
    }
    return taken
  }
}
