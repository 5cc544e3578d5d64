import GoldwireTestSupport

/// One TCP connection as a capture sees it: segments of both sides, some twice, some late, and acknowledgments.
struct Wire: Sendable {
  typealias Side = BuiltConnection.Side

  /// An IP packet at its instant, in microseconds since the capture's first.
  struct Packet: Sendable {
    var time: Int
    var connection: Int
    var isFromServer: Bool
    var bytes: [UInt8]
  }

  /// The connection's number in the capture.
  let number: Int
  /// The connection's own randomness.
  var random: SeededGenerator
  /// The connection's clock.
  var now: Int
  /// The packets that were not taken yet.
  var packets: [Packet] = []
  /// The bytes of all packets so far.
  private(set) var size = 0
  /// From one side to the other and back, in microseconds.
  let roundTrip: Int

  private var ends: BuiltConnection
  private let segmentBytes: Int

  /// How many of a thousand segments stand in the capture twice, and how many that have a later one behind it.
  private static let (again, late) = (10, 150)
  private static let (fin, syn, reset, push, ack) = (
    1 as UInt8, 2 as UInt8, 4 as UInt8, 8 as UInt8, 16 as UInt8
  )

  /// Makes a connection of a client to one of eight servers, before its first packet.
  ///
  /// Clients have addresses of the range for benchmarks (RFC 2544), a fifth of them of the one for documentation
  /// (RFC 3849). One in twenty has numbers that wrap around soon.
  init(_ number: Int, client: Int, at time: Int, seed: UInt64) {
    self.number = number
    var shared = SeededGenerator(seed: seed &* 31 &+ UInt64(client))
    let isIPv6 = shared.happens(200)
    let server = shared.below(8)
    roundTrip = 4_000 + shared.below(90_000)
    random = SeededGenerator(seed: (seed &* 1_000_003 &+ UInt64(number)) ^ 0x5EED)
    now = time
    segmentBytes = isIPv6 ? 1_440 : 1_460
    let low = [UInt8(client >> 8 & 0xFF), UInt8(client & 0xFF)]
    let port = UInt16(20_000 + number % 40_000)
    var initial = [UInt32(truncatingIfNeeded: random.next()), UInt32(truncatingIfNeeded: random.next())]
    if random.happens(50) { initial[random.below(2)] = .max - UInt32(random.below(40_000)) }
    let prefix: [UInt8] = [0x20, 0x01, 0x0D, 0xB8]
    let zeros = [UInt8](repeating: 0, count: 9)
    ends =
      isIPv6
      ? BuiltConnection(
        client: BuiltHost(address: prefix + zeros + [UInt8(client >> 16 & 0xFF)] + low, port: port),
        server: BuiltHost(address: prefix + [1] + zeros + [0, UInt8(server)], port: 8_080), initial: initial)
      : BuiltConnection(
        client: BuiltHost(address: [198, 18 | UInt8(client >> 16 & 1)] + low, port: port),
        server: BuiltHost(address: [192, 0, 2, UInt8(1 + server)], port: server < 4 ? 80 : 8_080),
        initial: initial)
  }

  // MARK: The connection

  /// The three packets that open the connection.
  mutating func open() {
    let maximum: [UInt8] = [2, 4, UInt8(segmentBytes >> 8), UInt8(segmentBytes & 0xFF)]
    put(.client, Wire.syn, options: maximum + [4, 2, 1, 1, 3, 3, 7])
    ends.next[0] &+= 1
    now += roundTrip
    ends.acknowledged[1] = ends.next[0]
    put(.server, Wire.syn | Wire.ack, options: maximum + [4, 2, 1, 1, 3, 3, 7])
    ends.next[1] &+= 1
    acknowledge(by: .client)
    now += 80
  }

  /// A side closes in good order, and the other follows.
  mutating func close(by side: Side) {
    now += 150
    for closing in [side, side.other] {
      put(closing, Wire.fin | Wire.ack)
      ends.next[closing.rawValue] &+= 1
      ends.acknowledged[closing.other.rawValue] = ends.next[closing.rawValue]
      now += roundTrip
    }
    put(side, Wire.ack)
  }

  /// A side aborts.
  mutating func reset(by side: Side) {
    now += 150
    put(side, Wire.reset | Wire.ack)
  }

  /// Sends bytes in as few segments as they fit into.
  mutating func send(_ side: Side, _ bytes: [UInt8], _ truth: inout CaptureTruth) {
    now += side == .server ? roundTrip : 40
    let start = ends.next[side.rawValue]
    var arrivals = arrivals(of: (bytes.count + segmentBytes - 1) / segmentBytes, &truth)
    arrivals.sort { ($0.place, $0.index) < ($1.place, $1.index) }
    var seen: Set<Int> = []
    var whole = 0
    var unacknowledged = 0
    for arrival in arrivals {
      let from = arrival.index * segmentBytes
      let to = min(from + segmentBytes, bytes.count)
      ends.next[side.rawValue] = start &+ UInt32(from)
      put(side, to == bytes.count ? Wire.ack | Wire.push : Wire.ack, Array(bytes[from..<to]))
      now += 11
      let isNext = arrival.index == whole
      seen.insert(arrival.index)
      while seen.contains(whole) { whole += 1 }
      ends.acknowledged[side.other.rawValue] = start &+ UInt32(min(whole * segmentBytes, bytes.count))
      unacknowledged += 1
      if unacknowledged == 2 || !isNext || arrival.index == arrivals.count - 1 && random.happens(600) {
        now += 19
        put(side.other, Wire.ack)
        unacknowledged = 0
      }
    }
    ends.next[side.rawValue] = start &+ UInt32(bytes.count)
  }

  /// Where each of so many segments stands in the capture, the second copies included.
  private mutating func arrivals(
    of count: Int, _ truth: inout CaptureTruth
  ) -> [(place: Int, index: Int)] {
    var arrivals: [(place: Int, index: Int)] = []
    for index in 0..<count {
      let chance = random.below(1_000)
      let later = index * 2 + 3 + 2 * random.below(3)
      if chance < Wire.again {
        truth.again += 1
        arrivals += [(index * 2, index), (later, index)]
      } else if chance < Wire.again + Wire.late, index + 1 < count {
        truth.late += 1
        arrivals.append((later, index))
      } else {
        arrivals.append((index * 2, index))
      }
    }
    return arrivals
  }

  private mutating func acknowledge(by side: Side) {
    ends.acknowledged[side.rawValue] = ends.next[side.other.rawValue]
    now += 30
    put(side, Wire.ack)
  }

  private mutating func put(_ side: Side, _ flags: UInt8, _ payload: [UInt8] = [], options: [UInt8] = []) {
    var segment = ends.segment(side, flags: flags, payload)
    segment.options = options
    segment.window = flags & Wire.reset == 0 ? 65_160 : 0
    let bytes = segment.packet
    size += bytes.count + 30
    packets.append(Packet(time: now, connection: number, isFromServer: side == .server, bytes: bytes))
  }
}
