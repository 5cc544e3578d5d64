public import GoldwirePackets

/// A live interface, opened by libpcap, whose packets are handed to a recorder.
public struct LiveCapture: ~Copyable {
  /// The interface as the user named it.
  public let interface: String
  /// How its frames are to be read.
  public let link: LinkType
  /// libpcap's name for that.
  public let linkName: String
  private var handle: PcapHandle
  private var dropped = DropCounter()

  /// What waiting for packets came to.
  public enum Step: Equatable, Sendable {
    /// At least one packet was handed on.
    case packets
    /// Nothing came in time.
    case idle
  }

  /// Opens an interface, with a filter expression if there is one.
  ///
  /// `snapshot` is how many bytes of each packet are taken, `buffer` how many bytes the kernel may hold for us.
  public init(
    interface: String, filter: String? = nil, snapshot: Int = 262_144, buffer: Int = 16 << 20
  ) throws(CaptureFailure) {
    let handle = try PcapHandle.live(interface, filter: filter, snapshot: snapshot, buffer: buffer)
    let link = LinkType(dataLink: handle.dataLink)
    guard link.isSupported else {
      throw CaptureFailure(interface, "frames of link type \(handle.linkName) cannot be decoded")
    }
    self.interface = interface
    self.link = link
    linkName = handle.linkName
    self.handle = handle
  }

  /// The clock that live packets are stamped with, in µs since 1970.
  public static func clock() -> Int { PcapHandle.clock() }

  /// Waits at most so many milliseconds, and hands on what has come, at most a few hundred packets.
  public mutating func step(
    into recorder: inout CaptureRecorder, wait milliseconds: Int32, atMost count: Int = 256
  ) throws(CaptureFailure) -> Step {
    if try take(count, into: &recorder) > 0 { return .packets }
    guard waitUntilReadable(handle.descriptor, milliseconds) else { return .idle }
    return try take(count, into: &recorder) > 0 ? .packets : .idle
  }

  private mutating func take(
    _ count: Int, into recorder: inout CaptureRecorder
  ) throws(CaptureFailure) -> Int {
    var taken = 0
    while taken < count, !recorder.isFull {
      let step = handle.next { (frame, originalCount, time) in
        recorder.accept(frame, originalCount: originalCount, link: link, at: time)
      }
      switch step {
      case .packet: taken += 1
      case .none: return taken
      case .failed(let text): throw CaptureFailure(interface, "reading failed: \(text)")
      }
    }
    return taken
  }

  /// How many packets the kernel and the interface dropped since this was asked last.
  public mutating func takeDrops() -> Int {
    guard let (kernel, interface) = handle.drops() else { return 0 }
    return dropped.take(kernel: kernel, interface: interface)
  }
}
