import GoldwirePackets

/// Frames decode to places within them, without memory of others, and the less the less there is of them.
enum PacketProperties {
  private static let links: [LinkType] = [
    .ethernet, .null, .ppp, .raw12, .raw14, .pppHDLC, .pppoe, .raw, .hdlc, .wifi, .loop, .sll, .prism,
    .radiotap, .user2, .avs, .ppi, .pppWithDirection, .ipv4, .ipv6, .pktap, .sll2,
  ]

  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let link = links[Int(input.byte()) % links.count]
    var limits = PacketLimits()
    limits.datagrams = 3
    limits.fragments = 8
    var decoder = PacketDecoder(limits: limits)
    var time = 0
    while !input.isEmpty {
      let more = input.byte()
      time &+= more & 0x80 == 0 ? 1_000 : 20_000_000
      let frame = input.field()
      let original = frame.count + Int(more & 0x7F)
      let verdict = decoder.decode(frame.span, originalCount: original, link: link, at: time)
      var (next, packets) = (Optional(verdict), 0)
      while let found = next {
        try hold(decoder.waitingDatagrams <= limits.datagrams, "no more datagrams wait than the limit")
        switch found {
        case .segment(let segment): try lies(segment, in: frame.count)
        case .reassembled(let segment): try lies(segment, in: decoder.takeDatagram().count)
        case .unreachable(let segment): try hold(segment.count == 0, "a quoted segment has no payload")
        case .fragment, .ignored: break
        }
        packets += 1
        try hold(packets <= frame.count / 16 + 2, "a frame has no more packets than there is room for")
        next = decoder.decodeNext(frame.span, originalCount: original, at: time)
      }
      try alone(frame, original, link, limits, verdict)
      try shortened(frame, original, link, limits, verdict)
    }
  }

  private static func lies(_ segment: Segment, in count: Int) throws(FuzzFinding) {
    try hold(
      segment.start >= 0 && segment.count >= 0 && segment.range.upperBound <= count,
      "a payload lies within its packet: \(segment)")
    try hold(segment.length >= segment.count, "a payload is at least as long as what was captured of it")
  }

  /// What needs no other frame is decoded so by a decoder that saw none.
  private static func alone(
    _ frame: [UInt8], _ original: Int, _ link: LinkType, _ limits: PacketLimits, _ verdict: PacketVerdict
  ) throws(FuzzFinding) {
    switch verdict {
    case .reassembled, .fragment, .ignored(.badFragment): return
    case .segment, .unreachable, .ignored: break
    }
    var fresh = PacketDecoder(limits: limits)
    let again = fresh.decode(frame.span, originalCount: original, link: link, at: 0)
    if case .fragment = again { return }
    try hold(again == verdict, "a frame means the same alone: \(verdict) and \(again)")
  }

  /// Of a frame that the capture cut, the same segment is found with less payload, or none.
  private static func shortened(
    _ frame: [UInt8], _ original: Int, _ link: LinkType, _ limits: PacketLimits, _ verdict: PacketVerdict
  ) throws(FuzzFinding) {
    guard case .segment(let whole) = verdict else { return }
    for count in [whole.start, frame.count / 2, frame.count - 1] where count < frame.count {
      var decoder = PacketDecoder(limits: limits)
      let part = frame.span.extracting(first: count)
      guard case .segment(let found) = decoder.decode(part, originalCount: original, link: link, at: 0) else {
        continue
      }
      // Without payload its place says nothing, and the window and the options may be cut.
      var same = found
      same.count = whole.count
      if found.count == 0 {
        (same.start, same.window, same.windowScale) = (whole.start, whole.window, whole.windowScale)
      }
      try lies(found, in: count)
      try hold(
        same == whole && found.count <= whole.count,
        "a cut frame has the same segment: \(whole) and \(found)")
    }
  }
}
