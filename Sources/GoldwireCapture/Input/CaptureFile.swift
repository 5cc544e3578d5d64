public import GoldwirePackets
public import GoldwireTrace

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// A capture file or standard input, plain or gzip, handed to a recorder block by block.
///
/// It is read into a buffer and never mapped: a mapped file that shrinks is a signal that nobody can catch.
public struct CaptureFile: ~Copyable {
  /// The file as the user named it.
  public let path: String
  /// How the file ended before its end, in words; nil if it was whole.
  public private(set) var damage: String?
  /// The packets handed on so far.
  public private(set) var packets = 0
  /// The packets that the filter did not take.
  public private(set) var passedOver = 0
  /// How many of those carry a VLAN tag, which most filters do not look behind.
  public private(set) var passedOverTagged = 0
  /// Whether standard input had nothing when it was looked at last.
  public private(set) var isWaiting = false
  /// Which file is read; nil for what is no regular file.
  public var identity: FileIdentity? { input.identity }

  private var input: ByteInput
  private var reader: CaptureReader
  private var buffer: [UInt8] = []
  private var position = 0
  private var filter: PacketFilter?
  private let mostPackets: Int
  private var isAtEnd = false
  /// Whether packets wait in the buffer because the recorder's lines should be taken first.
  private var isHeldUp = false

  /// Opens a file, or standard input for `-`.
  ///
  /// `filter` is a libpcap expression, `count` the most packets to take.
  public init(
    path: String, filter: String? = nil, count: Int? = nil, limits: PacketLimits = PacketLimits()
  ) throws(CaptureFailure) {
    let input: ByteInput
    do throws(FileError) { input = try ByteInput(path: path) } catch {
      throw CaptureFailure(path, "cannot read: \(error.reason)")
    }
    try self.init(input, path: path, filter, count, limits)
  }

  /// Reads a capture from memory.
  public init(
    bytes: [UInt8], filter: String? = nil, count: Int? = nil, limits: PacketLimits = PacketLimits()
  ) throws(CaptureFailure) {
    try self.init(ByteInput(bytes: bytes), path: "memory", filter, count, limits)
  }

  private init(
    _ input: consuming ByteInput, path: String, _ filter: String?, _ count: Int?, _ limits: PacketLimits
  ) throws(CaptureFailure) {
    self.filter = try filter.map { (text) throws(CaptureFailure) in try PacketFilter(text) }
    self.input = input
    self.path = path
    mostPackets = count ?? .max
    reader = CaptureReader(limits: limits)
  }

  /// Hands on what one block of the file holds; false at the end.
  ///
  /// On standard input it also returns now and then while nothing comes, so that lines can go out.
  public mutating func step(into recorder: inout CaptureRecorder) throws(CaptureFailure) -> Bool {
    if isAtEnd, !isHeldUp { return false }
    if !isHeldUp {
      isWaiting = !isReady()
      if isWaiting { return true }
      try fill()
    }
    do throws(CaptureError) {
      try hand(to: &recorder)
      if isHeldUp { return true }
      guard isAtEnd, packets < mostPackets else { return !isAtEnd }
      if case .torn(let offset) = try reader.finish(remaining: buffer.count - position) {
        damage = "torn at byte \(offset), in the middle of a record"
      } else if input.isTruncated {
        damage = "the compressed data is torn"
      }
    } catch {
      isAtEnd = true
      throw CaptureFailure(path, error.description, remedy: error.remedy)
    }
    return false
  }

  /// Reads on behind what is left of the buffer.
  private mutating func fill() throws(CaptureFailure) {
    if position > 0 {
      buffer.removeSubrange(..<position)
      position = 0
    }
    do throws(FileError) { isAtEnd = try !input.read(into: &buffer) } catch {
      throw CaptureFailure(path, "cannot read: \(error.reason)")
    }
  }

  /// Hands on the whole packets of the buffer, until too many lines wait.
  private mutating func hand(to recorder: inout CaptureRecorder) throws(CaptureError) {
    var block: [UInt8] = []
    swap(&block, &buffer)
    defer { swap(&block, &buffer) }
    let span = block.span
    isHeldUp = false
    while packets < mostPackets {
      if recorder.isFull {
        isHeldUp = true
        return
      }
      let record = reader.nextPlain(in: span, from: &position)
      if record.isThere {
        if filter == nil {
          packets &+= 1
          recorder.accept(
            span.extracting(record.range), originalCount: record.originalCount, link: reader.link,
            at: record.time)
        } else {
          take(reader.packet(record), span.extracting(record.range), &recorder)
        }
        continue
      }
      switch try reader.next(in: span, from: &position) {
      case .packet(let packet): take(packet, span.extracting(packet.range), &recorder)
      case .drops(let count): recorder.drop(count)
      case .secrets: break
      case .more: return
      }
    }
    isAtEnd = true
  }

  private mutating func take(
    _ packet: CapturedPacket, _ frame: Span<UInt8>, _ recorder: inout CaptureRecorder
  ) {
    if packet.drops > 0 { recorder.drop(packet.drops) }
    if filter != nil, filter?.accepts(frame, packet.originalCount, packet.link) == false {
      passedOver &+= 1
      if packet.link == .ethernet, frame.isTagged { passedOverTagged &+= 1 }
      return
    }
    packets &+= 1
    recorder.accept(
      frame, originalCount: packet.originalCount, link: packet.link, at: packet.time, grain: packet.grain,
      isTimed: packet.isTimed)
  }

  /// Whether reading would not wait; a file always is.
  private func isReady() -> Bool {
    guard path == "-" else { return true }
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&descriptor, 1, 250) != 0 && !StopFlag.isSet
  }
}

extension Span<UInt8> {
  /// Whether an Ethernet frame carries a VLAN tag.
  fileprivate var isTagged: Bool {
    guard count >= 14 else { return false }
    return switch (self[12], self[13]) {
    case (0x81, 0x00), (0x88, 0xA8), (0x91, 0x00): true
    default: false
    }
  }
}
