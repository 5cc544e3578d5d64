#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Bytes of a file, of standard input or of memory, read in blocks; gzip is recognised and inflated.
public struct ByteInput: ~Copyable {
  /// The bytes asked for in one read.
  public static let blockBytes = 262_144

  /// The file as the caller named it; `-` for standard input, empty for memory.
  public let path: String
  /// Whether compressed data ended before its end.
  public private(set) var isTruncated: Bool = false
  private let descriptor: Int32
  private var memory: [UInt8]
  private let memoryBytes: Int
  private var inflater: Inflater?
  private var limits: Inflater.Limits
  private var hasBegun = false
  private var isAtEnd = false
  private var block: [UInt8] = []
  private var used = 0
  private var isPending = false

  /// Opens a file for reading; `-` is standard input.
  public init(path: String, limits: Inflater.Limits = Inflater.Limits()) throws(FileError) {
    self.path = path
    self.limits = limits
    memory = []
    memoryBytes = 0
    if path == "-" {
      descriptor = STDIN_FILENO
    } else {
      descriptor = openForReading(path)
      guard descriptor >= 0 else { throw FileError(path: path, .open, code: errno) }
    }
  }

  /// Reads from memory.
  public init(bytes: [UInt8], limits: Inflater.Limits = Inflater.Limits()) {
    path = ""
    self.limits = limits
    descriptor = -1
    memory = bytes
    memoryBytes = bytes.count
  }

  deinit {
    if descriptor > STDERR_FILENO { close(descriptor) }
  }

  /// Which file is read; nil for what is no regular file.
  public var identity: FileIdentity? { descriptor < 0 ? nil : FileIdentity(descriptor: descriptor) }

  /// How many bytes there are in all; nil where only the end will tell, as of a pipe or of compressed data.
  var size: Int? {
    if inflater != nil { return nil }
    guard descriptor >= 0 else { return memoryBytes }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Appends the next block to `buffer`; false at the end of the bytes.
  public mutating func read(into buffer: inout [UInt8]) throws(FileError) -> Bool {
    if !hasBegun {
      hasBegun = true
      try begin()
    }
    if inflater != nil { return try readInflated(into: &buffer) }
    if !block.isEmpty {
      buffer.append(contentsOf: block)
      block.removeAll(keepingCapacity: true)
      return true
    }
    return try readPlain(into: &buffer)
  }

  /// Fills the first block, and looks whether it is gzip's.
  private mutating func begin() throws(FileError) {
    var first: [UInt8] = []
    while first.count < 2, try readPlain(into: &first) {}
    swap(&first, &block)
    guard block.count >= 2, block[0] == 0x1F, block[1] == 0x8B else { return }
    do throws(Inflater.Failure) { inflater = try Inflater(.gzip, limits: limits) } catch {
      throw FileError(path: path, .inflate, code: 0)
    }
  }

  private mutating func readPlain(into buffer: inout [UInt8]) throws(FileError) -> Bool {
    if isAtEnd { return false }
    if descriptor < 0 {
      isAtEnd = true
      buffer.append(contentsOf: memory)
      memory = []
      return true
    }
    var count = 0
    let descriptor = descriptor
    buffer.append(addingCapacity: Self.blockBytes) { out in
      unsafe out.withUnsafeMutableBufferPointer { room, initialized in
        let base = unsafe room.baseAddress.map { unsafe UnsafeMutableRawPointer($0 + initialized) }
        let free = room.count - initialized
        repeat {
          count = unsafe systemRead(descriptor, base, min(free, Self.blockBytes))
        } while count < 0 && errno == EINTR
        initialized += max(count, 0)
      }
    }
    if count < 0 { throw FileError(path: path, .read, code: errno) }
    isAtEnd = count == 0
    return count > 0
  }

  private mutating func readInflated(into buffer: inout [UInt8]) throws(FileError) -> Bool {
    let before = buffer.count
    while buffer.count == before {
      if !isPending, used >= block.count {
        block.removeAll(keepingCapacity: true)
        used = 0
        var fresh: [UInt8] = []
        swap(&fresh, &block)
        let more = try readPlain(into: &fresh)
        swap(&fresh, &block)
        guard more else {
          isTruncated = inflater?.isWhole == false
          return false
        }
      }
      let status = try inflateBlock(into: &buffer)
      if status == .finished { return buffer.count > before }
      isPending = status == .outputFull
    }
    return true
  }

  private mutating func inflateBlock(into buffer: inout [UInt8]) throws(FileError) -> Inflater.Status {
    var input: [UInt8] = []
    swap(&input, &block)
    defer { swap(&input, &block) }
    do throws(Inflater.Failure) {
      return try inflater?.inflate(
        input.span, from: &used, appendingTo: &buffer, atMost: Self.blockBytes) ?? .finished
    } catch {
      throw FileError(path: path, .inflate, code: 0)
    }
  }
}

private func openForReading(_ path: String) -> Int32 {
  unsafe open(path, O_RDONLY | O_CLOEXEC)
}

private func systemRead(_ descriptor: Int32, _ base: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, base, count)
}
