/// Builds a capture file in memory, packet by packet, with a clock of its own.
///
///     var capture = CaptureBuilder()
///     let socket = capture.connection()
///     capture.connect(socket)
///     capture.send(socket, .client, "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
///     capture.fin(socket, .client)
///     let file: [UInt8] = capture.bytes
public struct CaptureBuilder: Sendable {
  /// The container's format.
  public enum Format: Sendable, CaseIterable { case pcap, pcapng }
  /// How a pcapng packet is stored.
  public enum Block: Sendable, CaseIterable { case enhanced, simple, obsolete }

  /// The instant of the first packet, in microseconds since 1970.
  public static let start: Int = 1_700_000_000_000_000

  /// The file so far.
  public private(set) var bytes: [UInt8] = []
  /// The frames so far, in the order of the file, as they were before the snap length cut them.
  public private(set) var frames: [[UInt8]] = []
  /// The time of the next packet, in microseconds since `start`.
  public var now: Int = 0
  /// How far the clock goes on with each packet, in microseconds.
  public var step: Int = 1_000
  /// How many bytes of each packet are kept.
  public var snaplen: Int = 262_144
  /// The kind of block that pcapng packets are stored in.
  public var block: Block = .enhanced
  /// The interface that the next packets come from.
  public var interface: Int = 0

  let format: Format
  var bigEndian: Bool
  var connections: [BuiltConnection] = []
  var detours: [[[UInt8]]] = []
  private var interfaces: [(link: BuiltLink, resolution: UInt8?)] = []
  private let nanoseconds: Bool

  /// Starts a file; pcap has one interface, pcapng gets this as its first.
  ///
  /// `resolution` is pcapng's `if_tsresol`: 6 and 9 are powers of ten, 0x80 and more are powers of two. In
  /// pcap 9 means the nanosecond magic.
  public init(
    _ format: Format = .pcap, link: BuiltLink = .ethernet, bigEndian: Bool = false, resolution: UInt8? = nil
  ) {
    self.format = format
    self.bigEndian = bigEndian
    nanoseconds = resolution == 9
    switch format {
    case .pcap:
      bytes.put(nanoseconds ? 0xA1B2_3C4D as UInt32 : 0xA1B2_C3D4, bigEndian: bigEndian)
      for number: UInt16 in [2, 4] { bytes.put(number, bigEndian: bigEndian) }
      for number: UInt32 in [0, 0, 262_144, link.number] { bytes.put(number, bigEndian: bigEndian) }
      interfaces = [(link, resolution)]
    case .pcapng:
      section(bigEndian: bigEndian)
      addInterface(link, resolution: resolution)
    }
  }

  /// Starts a new section of a pcapng file; interfaces must be added to it.
  public mutating func section(bigEndian: Bool) {
    self.bigEndian = bigEndian
    interfaces = []
    interface = 0
    var body: [UInt8] = []
    body.put(0x1A2B_3C4D as UInt32, bigEndian: bigEndian)
    for number: UInt16 in [1, 0] { body.put(number, bigEndian: bigEndian) }
    body.put(-1 as Int64, bigEndian: bigEndian)
    addBlock(0x0A0D_0D0A, body)
  }

  /// Adds an interface to the pcapng section, and gives its number.
  @discardableResult
  public mutating func addInterface(
    _ link: BuiltLink, resolution: UInt8? = nil, offsetSeconds: Int64? = nil, snaplen: UInt32 = 0
  ) -> Int {
    var body: [UInt8] = []
    body.put(UInt16(link.number), bigEndian: bigEndian)
    body.put(0 as UInt16)
    body.put(snaplen, bigEndian: bigEndian)
    if let resolution { option(9, [resolution], in: &body) }
    if let offsetSeconds {
      var value: [UInt8] = []
      value.put(offsetSeconds, bigEndian: bigEndian)
      option(14, value, in: &body)
    }
    if resolution != nil || offsetSeconds != nil { option(0, [], in: &body) }
    addBlock(1, body)
    interfaces.append((link, resolution))
    return interfaces.count - 1
  }

  /// Adds any block to a pcapng file; the body is padded to four bytes.
  public mutating func addBlock(_ type: UInt32, _ body: [UInt8]) {
    let padding = (4 - body.count % 4) % 4
    let total = UInt32(body.count + padding + 12)
    bytes.put(type, bigEndian: bigEndian)
    bytes.put(total, bigEndian: bigEndian)
    bytes += body
    bytes += [UInt8](repeating: 0, count: padding)
    bytes.put(total, bigEndian: bigEndian)
  }

  /// Adds TLS secrets in the key log format to a pcapng file.
  public mutating func addKeyLog(_ text: String) {
    var body: [UInt8] = []
    body.put(0x544C_534B as UInt32, bigEndian: bigEndian)
    body.put(UInt32(text.utf8.count), bigEndian: bigEndian)
    addBlock(10, body + Array(text.utf8))
  }

  /// Adds an option to the body of a pcapng block.
  public func option(_ code: UInt16, _ value: [UInt8], in body: inout [UInt8]) {
    body.put(code, bigEndian: bigEndian)
    body.put(UInt16(value.count), bigEndian: bigEndian)
    body += value
    body += [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
  }

  /// The link of the interface that the next packets come from.
  public var link: BuiltLink { interfaces[interface].link }

  /// Adds a whole frame, at the clock's time or at `at`, in microseconds since `start`.
  ///
  /// Inside `lost`, `reversed` and `collected` it is put aside instead.
  public mutating func add(frame: [UInt8], at time: Int? = nil) {
    if let time { now = time }
    if detours.isEmpty { write(frame) } else { detours[detours.count - 1].append(frame) }
  }

  /// Wraps an IP packet in the link of the current interface and adds it.
  public mutating func add(packet: [UInt8], at time: Int? = nil) {
    add(frame: link.frame(of: packet), at: time)
  }

  private mutating func write(_ frame: [UInt8]) {
    let kept = Array(frame.prefix(snaplen))
    let lengths = [UInt32(kept.count), UInt32(frame.count)]
    let microseconds = Self.start + now
    frames.append(frame)
    now += step
    guard format == .pcapng else {
      let fraction = microseconds % 1_000_000 * (nanoseconds ? 1_000 : 1)
      bytes.put(UInt32(microseconds / 1_000_000), bigEndian: bigEndian)
      for number in [UInt32(fraction)] + lengths { bytes.put(number, bigEndian: bigEndian) }
      bytes += kept
      return
    }
    var body: [UInt8] = []
    let ticks = ticks(of: microseconds)
    let words = [UInt32(truncatingIfNeeded: ticks >> 32), UInt32(truncatingIfNeeded: ticks)]
    switch block {
    case .enhanced:
      for number in [UInt32(interface)] + words + lengths { body.put(number, bigEndian: bigEndian) }
      addBlock(6, body + kept)
    case .obsolete:
      for number in [UInt16(interface), 0] { body.put(number, bigEndian: bigEndian) }
      for number in words + lengths { body.put(number, bigEndian: bigEndian) }
      addBlock(2, body + kept)
    case .simple:
      body.put(UInt32(frame.count), bigEndian: bigEndian)
      addBlock(3, body + kept)
    }
  }

  private func ticks(of microseconds: Int) -> UInt64 {
    let resolution = interfaces[interface].resolution ?? 6
    if resolution >= 0x80 {
      let shift = Int(resolution & 0x7F)
      let seconds = UInt64(microseconds / 1_000_000) << UInt64(shift)
      return seconds + (UInt64(microseconds % 1_000_000) << UInt64(shift) + 999_999) / 1_000_000
    }
    var ticks = UInt64(microseconds)
    for _ in 6..<max(6, Int(resolution)) { ticks *= 10 }
    for _ in min(6, Int(resolution))..<6 { ticks /= 10 }
    return ticks
  }
}
