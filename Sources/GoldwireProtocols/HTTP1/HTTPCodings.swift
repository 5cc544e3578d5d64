/// The content codings of a body, in the order in which they were applied.
public struct HTTPCodings: Equatable, Sendable {
  /// One content coding.
  public enum Coding: UInt8, Sendable {
    /// gzip, also called x-gzip.
    case gzip = 1
    /// deflate: the zlib format, or bare deflate from servers that got it wrong.
    case deflate = 2
    /// Brotli.
    case brotli = 3
    /// Zstandard.
    case zstd = 4
    /// compress, also called x-compress.
    case compress = 5
    /// One that is not known.
    case other = 6
  }

  /// The most codings that are kept; more make the list ``isTooLong``.
  public static let limit: Int = 8

  private var packed: UInt32 = 0
  /// The number of codings kept; `identity` does not count.
  public private(set) var count: Int = 0
  /// Whether there were more than ``limit``.
  public private(set) var isTooLong: Bool = false

  init() {}

  /// Whether the body is sent as it is.
  public var isEmpty: Bool { count == 0 }

  /// The coding at `index`; the one applied last, which must be undone first, stands last.
  public subscript(index: Int) -> Coding {
    Coding(rawValue: UInt8(truncatingIfNeeded: packed >> (4 &* UInt32(clamping: index)) & 0xF)) ?? .other
  }

  mutating func append(_ coding: Coding) {
    guard count < HTTPCodings.limit else {
      isTooLong = true
      return
    }
    packed |= UInt32(coding.rawValue) << (4 &* UInt32(count))
    count &+= 1
  }
}
