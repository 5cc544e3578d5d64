import GoldwirePackets

/// Segments that are cut out of one stream come out as that stream: in place, in order, and no byte twice.
///
/// The payload at each sequence number is a function of that number, so that it can be told where bytes come from.
enum StreamProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    var limits = PacketLimits()
    if input.byte() & 1 == 0 {
      limits.connections = 3
      limits.closedConnections = 2
      limits.heldSegments = 4
      limits.heldBytes = 400
      limits.heldBytesInAll = 600
      limits.holePackets = 5
      limits.straySegments = 3
    }
    var play = Play(table: ConnectionTable(seed: 1, limits: limits))
    for _ in 0..<2_000 where !input.isEmpty { try play.step(&input) }
    try play.finish()
  }

  /// One side of one connection as it was heard.
  private struct Heard {
    /// The sequence number of the next byte, where it is known.
    var next: UInt32?
    var delivered = 0
    var captured = 0
    var isOver = false
  }

  private struct Play {
    var table: ConnectionTable
    var time = 0
    var heard: [Int: [Heard]] = [:]
    var buffer: [UInt8] = []

    mutating func step(_ input: inout FuzzInput) throws(FuzzFinding) {
      let kind = input.byte()
      time += [0, 10_000, 1_000_000, 61_000_000][Int(kind >> 3 & 3)]
      let side: Side = kind & 4 == 0 ? .first : .second
      let flow = UInt16(kind & 3)
      let segment = Self.segment(&input, flow, side)
      switch kind >> 5 {
      case 7:
        let arrival = table.unreachable(segment.0, at: time)
        if arrival.isPending, let index = arrival.connection { try drain(index) }
      default: try take(segment.0, segment.1)
      }
    }

    /// A segment of a flow, whose numbers lie around a place of its own.
    private static func segment(
      _ input: inout FuzzInput, _ flow: UInt16, _ side: Side
    ) -> (Segment, [UInt8]) {
      let flags = TCPFlags(rawValue: input.byte() & 0x3F)
      let (more, length) = (input.byte(), Int(input.byte()))
      let (low, ack) = (input.short(), input.short())
      var sequence = base(flow, side) &+ UInt32(low)
      if more & 0xC0 == 0xC0 { sequence &+= UInt32(more & 0x3F) << 24 }
      let count = more & 0x80 == 0 ? length : min(length, Int(more & 0x3F))
      let first = flags.contains(.syn) ? sequence &+ 1 : sequence
      let payload = (0..<count).map { byte(first &+ UInt32($0), flow, side) }
      var sender = Side.first
      let ends = [
        Endpoint(address: IPAddress(ipv4: 0xC000_0201), port: 1_000 + flow),
        Endpoint(address: IPAddress(ipv4: 0xC000_0202), port: 80),
      ]
      let key = FlowKey(
        from: ends[side == .first ? 0 : 1], to: ends[side == .first ? 1 : 0], sender: &sender)
      let segment = Segment(
        key: key, sender: sender, flags: flags, window: more & 1 == 0 ? 65_535 : 0,
        windowScale: flags.contains(.syn) ? more & 15 : 0, sequence: sequence,
        acknowledgment: base(flow, side.other) &+ UInt32(ack), count: count, length: length)
      return (segment, payload)
    }

    private static func base(_ flow: UInt16, _ side: Side) -> UInt32 {
      // One of them wraps around.
      0xFFFF_FF00 &+ UInt32(flow) &* 0x1234_5678 &+ (side == .first ? 0 : 77_777)
    }

    private static func byte(_ number: UInt32, _ flow: UInt16, _ side: Side) -> UInt8 {
      let mixed = (number &+ UInt32(flow) << 8 &+ UInt32(side.rawValue) << 16) &* 0x9E37_79B1
      return UInt8(truncatingIfNeeded: mixed >> 24 ^ mixed >> 13)
    }

    private mutating func take(_ segment: Segment, _ payload: [UInt8]) throws(FuzzFinding) {
      let arrival = table.accept(segment, in: payload.span, at: time)
      if let old = arrival.ended {
        table.finish(old)
        try drain(old)
      }
      guard let index = arrival.connection else {
        try hold(arrival.count == 0 && !arrival.isPending, "nothing is delivered to nobody")
        return
      }
      if arrival.isNew { heard[index] = [Heard(), Heard()] }
      try hold(!arrival.isConflict, "bytes of one stream do not differ")
      let side = arrival.sender
      try hold(side == segment.sender, "an arrival is the sender's")
      heard[index]?[Int(side.rawValue)].captured += segment.count
      if arrival.count > 0 {
        try hold(
          arrival.skip >= 0 && arrival.skip + arrival.count <= segment.count,
          "what is delivered lies in the segment")
        let first = segment.flags.contains(.syn) ? segment.sequence &+ 1 : segment.sequence
        let bytes = Array(payload[arrival.skip..<arrival.skip + arrival.count])
        try deliver(bytes, index, side, from: first &+ UInt32(arrival.skip))
      }
      if arrival.isPending { try drain(index) }
    }

    private mutating func drain(_ index: Int) throws(FuzzFinding) {
      for _ in 0..<100_000 {
        guard let piece = table.pull(index, into: &buffer) else { return }
        switch piece {
        case .bytes(let side):
          try hold(!buffer.isEmpty, "bytes are some")
          try deliver(buffer, index, side, from: nil)
        case .gap(let side, let count, _):
          try hold(count >= 0, "a gap has a size")
          try change(index, side) { $0.next = count == 0 ? nil : $0.next.map { $0 &+ UInt32(count) } }
        case .fin(let side):
          try hold(heard[index]?[Int(side.rawValue)].isOver == false, "a stream ends once")
          try change(index, side) { $0.isOver = true }
        case .reset, .refused:
          let isOver = heard[index]?.allSatisfy(\.isOver) ?? true
          try hold(!isOver, "what has ended is not aborted")
          for side in [Side.first, .second] { try change(index, side) { $0.isOver = true } }
        }
      }
      throw FuzzFinding("pulling ends")
    }

    private mutating func deliver(
      _ bytes: [UInt8], _ index: Int, _ side: Side, from place: UInt32?
    ) throws(FuzzFinding) {
      guard let known = heard[index]?[Int(side.rawValue)], let key = table.key(of: index) else {
        throw FuzzFinding("bytes belong to a connection")
      }
      try hold(!known.isOver, "nothing follows the end")
      if let place, let next = known.next {
        try hold(place == next, "bytes come in place: \(place) for \(next)")
      }
      let flow = UInt16(truncatingIfNeeded: key.endpoint(of: .first).port &- 1_000)
      let start = place ?? known.next
      if let start {
        for (offset, byte) in bytes.enumerated() {
          try hold(
            byte == Self.byte(start &+ UInt32(offset), flow, side), "bytes are those of their place")
        }
      }
      try change(index, side) {
        $0.next = start.map { $0 &+ UInt32(bytes.count) }
        $0.delivered += bytes.count
      }
      let after = heard[index]?[Int(side.rawValue)]
      try hold((after?.delivered ?? 0) <= (after?.captured ?? 0), "no more comes out than went in")
    }

    private mutating func change(
      _ index: Int, _ side: Side, _ body: (inout Heard) -> Void
    ) throws(FuzzFinding) {
      guard var both = heard[index] else { throw FuzzFinding("what is pulled belongs to a connection") }
      body(&both[Int(side.rawValue)])
      heard[index] = both
    }

    mutating func finish() throws(FuzzFinding) {
      for index in table.indices {
        table.finish(index)
        try drain(index)
        for side in [Side.first, .second] where table.key(of: index) != nil {
          let facts = table.facts(of: index, side)
          try hold(!facts.hasHole, "nothing is held at the end")
          try hold(
            facts.deliveredBytes == heard[index]?[Int(side.rawValue)].delivered,
            "the bytes that were delivered are counted")
        }
      }
    }
  }
}
