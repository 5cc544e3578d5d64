/// The sums of a recording, in `rec.end`; keys in this order, zeros left out but for `packets`.
///
/// Most end at 4,294,967,295, which keeps a line small.
public struct Counts: Equatable, Sendable {
  /// Packets read.
  public var packets = 0
  /// Packets that carried nothing for a trace: other families, damaged frames.
  public var ignored = 0
  /// Of the ignored: other protocols than IP on the link.
  @Sum public var notIP = 0
  /// Of the ignored: other protocols than TCP on IP.
  @Sum public var notTCP = 0
  /// Of the ignored: packets that the capture cut within their headers.
  @Sum public var cut = 0
  /// Of the ignored: headers that contradict themselves.
  @Sum public var damaged = 0
  /// Of the ignored: fragments that fit nowhere, or one too many.
  @Sum public var badFragment = 0
  /// Of the ignored: frames that the link encrypts.
  @Sum public var ciphered = 0
  /// Of the ignored: more tunnels in each other than are followed.
  @Sum public var nested = 0
  /// Of the ignored: frames of a link type that cannot be decoded, inside of one that can.
  @Sum public var linkType = 0
  /// Datagrams of which not all fragments came.
  @Sum public var datagrams = 0
  /// TCP connections.
  @Sum public var connections = 0
  /// Holes in the data.
  @Sum public var gaps = 0
  /// Connections that could not be read.
  @Sum public var opaque = 0
  /// Messages whose content could not be decoded.
  @Sum public var undecodable = 0
  /// Packets that the kernel or the interface dropped.
  public var dropped = 0

  /// Makes sums of nothing.
  public init() {}
}

/// A sum in four bytes, which stays at its highest.
@propertyWrapper
public struct Sum: Equatable, Sendable {
  private var raw: UInt32

  /// Makes a sum.
  public init(wrappedValue: Int) { raw = UInt32(clamping: wrappedValue) }

  /// The sum.
  public var wrappedValue: Int {
    get { Int(raw) }
    set { raw = UInt32(clamping: newValue) }
  }
}
