/// A decompressor of gzip, zlib and raw deflate streams that come in pieces of any size.
///
/// Output is bounded: one call writes no more than its output span or its limit holds, and the whole stream
/// no more than ``Limits``. A gzip file may have several members one after another.
///
/// ```swift
/// var inflater = try Inflater(.raw(windowBits: 15))
/// var message: [UInt8] = []
/// var used = 0
/// let status = try inflater.inflate(payload.span, from: &used, appendingTo: &message, atMost: 1 << 20)
/// ```
public struct Inflater: ~Copyable {
  /// The wrapping of the compressed data.
  public enum Format: Equatable, Sendable {
    /// gzip: header, data, checksum, and perhaps further members.
    case gzip
    /// zlib's own wrapping.
    case zlib
    /// What HTTP calls deflate: zlib's wrapping, or raw from servers that leave it out.
    case httpDeflate
    /// No wrapping, with a window of 8 to 15 bits, as permessage-deflate has it.
    case raw(windowBits: Int)
  }

  /// What a call came to.
  public enum Status: Equatable, Sendable {
    /// All input is used up; more may follow.
    case needsInput
    /// There is no more room for output; call again with the rest of the input.
    case outputFull
    /// The stream has ended; `offset` stands behind its last byte.
    case finished
  }

  /// Why a stream could not be inflated.
  public enum Failure: Error, Equatable, Sendable {
    /// The data breaks its format or its checksum.
    case damaged
    /// The stream inflates to more than the limits allow.
    case tooLarge
    /// zlib had no memory or refused the parameters.
    case unavailable
  }

  /// How much a stream may inflate to.
  public struct Limits: Equatable, Sendable {
    /// The most bytes that one stream may give.
    public var outputBytes: Int
    /// The most bytes out for each byte in, judged from ``ratioFloor`` bytes of output on.
    public var ratio: Int
    /// The output up to which the ratio does not matter.
    public var ratioFloor: Int

    /// Makes limits; as they come, a stream may give 64 GiB, and 600 bytes a byte beyond 16 MiB.
    public init(outputBytes: Int = 1 << 36, ratio: Int = 600, ratioFloor: Int = 1 << 24) {
      self.outputBytes = outputBytes
      self.ratio = ratio
      self.ratioFloor = ratioFloor
    }
  }

  private let format: Format
  private let limits: Limits
  private var zlib: ZlibStream
  private var head: [UInt8] = []
  private var headUsed = 0
  private var isRaw = false
  private var isFinished = false
  private var betweenMembers = false
  /// The bytes taken in so far.
  public private(set) var inputBytes: Int = 0
  /// The bytes given out so far.
  public private(set) var outputBytes: Int = 0

  /// Makes a decompressor at the start of a stream.
  ///
  /// Throws ``Failure/unavailable`` for window bits outside 8 to 15 and where zlib has no memory.
  public init(_ format: Format, limits: Limits = Limits()) throws(Failure) {
    self.format = format
    self.limits = limits
    let bits: Int
    switch format {
    case .gzip: bits = 31
    case .zlib, .httpDeflate: bits = 15
    case .raw(let windowBits):
      guard windowBits >= 8, windowBits <= 15 else { throw .unavailable }
      // With a smaller window zlib reads what lies beyond it as long as that is in the output of the same call, so
      // that the pieces in which data comes would decide. Who goes beyond the window agreed on is read.
      bits = -15
    }
    guard let zlib = ZlibStream(inflatingWindowBits: bits) else { throw .unavailable }
    self.zlib = zlib
  }

  /// Whether the stream may end here: at its end, or between two members of a gzip file.
  public var isWhole: Bool { isFinished || betweenMembers }

  /// Begins anew: the window is forgotten, as a WebSocket message without context takeover wants it.
  ///
  /// The counts of bytes start again from zero.
  public mutating func reset() {
    zlib.reset()
    if isRaw, let wrapped = ZlibStream(inflatingWindowBits: 15) {
      zlib = wrapped
      isRaw = false
    }
    head.removeAll(keepingCapacity: true)
    headUsed = 0
    isFinished = false
    betweenMembers = false
    inputBytes = 0
    outputBytes = 0
  }

  /// Begins another raw stream behind one that has ended; the window, and the counts of bytes, stay.
  public mutating func goOn() {
    guard case .raw = format else { return reset() }
    zlib.goOn()
    isFinished = false
  }

  /// Inflates the input from `offset` into the free room of `output`; `offset` moves on by what was used.
  public mutating func inflate(
    _ input: Span<UInt8>, from offset: inout Int, into output: inout OutputSpan<UInt8>
  ) throws(Failure) -> Status {
    if format == .httpDeflate, headUsed < 2 {
      if head.count < 2 {
        while head.count < 2, offset < input.count {
          head.append(input[offset])
          offset += 1
        }
        if head.count < 2 { return .needsInput }
        try choose()
      }
      let first = head
      var used = headUsed
      let status = try run(first.span, from: &used, into: &output)
      headUsed = used
      if status != .needsInput { return status }
    }
    return try run(input, from: &offset, into: &output)
  }

  /// Inflates the input from `offset` behind what `array` holds, by at most `room` bytes.
  ///
  /// Gives ``Status/outputFull`` once `room` bytes were added and more are there or may be.
  public mutating func inflate(
    _ input: Span<UInt8>, from offset: inout Int, appendingTo array: inout [UInt8], atMost room: Int
  ) throws(Failure) -> Status {
    var left = max(room, 0)
    var status = Status.outputFull
    while left > 0 {
      let chunk = min(left, 16_384)
      let before = array.count
      var failure: Failure?
      array.append(addingCapacity: chunk) { out in
        do throws(Failure) { status = try inflate(input, from: &offset, into: &out) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      left -= array.count - before
      if status != .outputFull { return status }
    }
    return status
  }

  /// Whether the two first bytes are zlib's header; if not, the stream is raw.
  private mutating func choose() throws(Failure) {
    let isWrapped = head[0] & 15 == 8 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
    if isWrapped { return }
    guard let raw = ZlibStream(inflatingWindowBits: -15) else { throw .unavailable }
    zlib = raw
    isRaw = true
  }

  private mutating func run(
    _ input: Span<UInt8>, from offset: inout Int, into output: inout OutputSpan<UInt8>
  ) throws(Failure) -> Status {
    while true {
      if isFinished { return .finished }
      if betweenMembers {
        guard offset < input.count else { return .needsInput }
        // Padding after the last member is no part of the data.
        guard input[offset] == 0x1F else {
          isFinished = true
          return .finished
        }
        zlib.reset()
        betweenMembers = false
      }
      let (start, room) = (offset, output.freeCapacity)
      let outcome = zlib.step(input, from: &offset, into: &output)
      inputBytes += offset - start
      outputBytes += room - output.freeCapacity
      try judge()
      switch outcome {
      case .ended where format == .gzip: betweenMembers = true
      case .ended: isFinished = true
      case .progress, .stuck:
        if output.freeCapacity == 0 { return .outputFull }
        if offset >= input.count { return .needsInput }
        if outcome == .stuck { throw .damaged }
      case .damaged, .dictionary: throw .damaged
      case .memory: throw .unavailable
      }
    }
  }

  private func judge() throws(Failure) {
    if outputBytes > limits.outputBytes { throw .tooLarge }
    if outputBytes > limits.ratioFloor, outputBytes / max(limits.ratio, 1) > inputBytes { throw .tooLarge }
  }
}
