import GoldwirePackets
import GoldwireTestSupport

/// What came out of one side of one connection, in order; bytes that follow each other are joined.
enum Heard: Equatable {
  case bytes([UInt8])
  case gap(Int, StreamPiece.GapCause)
  case fin
  case reset
  case refused(unreachable: Bool)

  static func text(_ string: String) -> Heard { .bytes(Array(string.utf8)) }
}

/// One connection as it was heard, named by the side that has port 80 and the one that has not.
struct HeardConnection: Equatable {
  var client: [Heard] = []
  var server: [Heard] = []
  var index = 0
  var conflicts = 0
}

/// Reads a built capture through the whole layer, as a pipeline would.
struct StreamHarness {
  var decoder: PacketDecoder
  var table: ConnectionTable
  var heard: [HeardConnection] = []
  var ignored: [PacketVerdict.Reason] = []
  var time = 0
  private var current: [Int: Int] = [:]
  private var buffer: [UInt8] = []

  init(seed: UInt64 = 1, limits: PacketLimits = PacketLimits()) {
    decoder = PacketDecoder(limits: limits)
    table = ConnectionTable(seed: seed, limits: limits)
  }

  /// Reads a whole capture to its end.
  static func run(
    _ capture: CaptureBuilder, seed: UInt64 = 1, limits: PacketLimits = PacketLimits()
  ) -> StreamHarness {
    var harness = StreamHarness(seed: seed, limits: limits)
    harness.read(capture.bytes)
    harness.finish()
    return harness
  }

  /// Reads a capture file, without saying that it is the end.
  mutating func read(_ file: [UInt8]) {
    var reader = CaptureReader()
    var position = 0
    while case .packet(let packet)? = try? reader.next(in: file.span, from: &position) {
      feed(Array(file[packet.range]), packet)
    }
  }

  /// Lets all connections come out.
  mutating func finish() {
    for index in table.indices {
      table.finish(index)
      drain(index)
    }
  }

  mutating func feed(_ frame: [UInt8], _ packet: CapturedPacket) {
    time = max(time, packet.time)
    take(
      decoder.decode(frame.span, originalCount: packet.originalCount, link: packet.link, at: packet.time),
      frame)
    while let next = decoder.decodeNext(
      frame.span, originalCount: packet.originalCount, at: packet.time)
    { take(next, frame) }
  }

  private mutating func take(_ verdict: PacketVerdict, _ frame: [UInt8]) {
    switch verdict {
    case .segment(let segment): take(segment, frame)
    case .reassembled(let segment): take(segment, decoder.takeDatagram())
    case .unreachable(let segment):
      let arrival = table.unreachable(segment, at: time)
      if arrival.isPending, let index = arrival.connection { drain(index) }
    case .fragment: break
    case .ignored(let reason): ignored.append(reason)
    }
  }

  private mutating func take(_ segment: Segment, _ bytes: [UInt8]) {
    let arrival = table.accept(segment, in: bytes.span, at: time)
    if let old = arrival.ended {
      table.finish(old)
      drain(old)
    }
    guard let index = arrival.connection else { return }
    if arrival.isNew {
      current[index] = heard.count
      heard.append(HeardConnection(index: index))
    }
    if arrival.isConflict { heard[current[index] ?? 0].conflicts += 1 }
    if arrival.count > 0 {
      let start = segment.start + arrival.skip
      add(.bytes(Array(bytes[start..<start + arrival.count])), index, arrival.sender)
    }
    if arrival.isPending { drain(index) }
  }

  private mutating func drain(_ index: Int) {
    while let piece = table.pull(index, into: &buffer) {
      switch piece {
      case .bytes(let side): add(.bytes(buffer), index, side)
      case .gap(let side, let count, let cause): add(.gap(count, cause), index, side)
      case .fin(let side): add(.fin, index, side)
      case .reset(let side): add(.reset, index, side)
      case .refused(let side, let unreachable): add(.refused(unreachable: unreachable), index, side)
      }
    }
  }

  private mutating func add(_ piece: Heard, _ index: Int, _ side: Side) {
    guard let place = current[index], let key = table.key(of: index) else { return }
    if key.endpoint(of: side).port == 80 {
      Self.join(piece, &heard[place].server)
    } else {
      Self.join(piece, &heard[place].client)
    }
  }

  private static func join(_ piece: Heard, _ pieces: inout [Heard]) {
    if case .bytes(let new) = piece, case .bytes(let old)? = pieces.last {
      pieces[pieces.count - 1] = .bytes(old + new)
    } else {
      pieces.append(piece)
    }
  }

  /// What is known of one side of a connection, which is named by whether it has port 80.
  func facts(_ place: Int = 0, server: Bool) -> SideFacts {
    let index = heard[place].index
    let isFirst = table.key(of: index)?.endpoint(of: .first).port == 80
    return table.facts(of: index, isFirst == server ? .first : .second)
  }
}
