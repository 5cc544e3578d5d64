/// A compressor of one gzip member, whose bytes depend on its input alone.
///
/// The header has no name and the time 0, and names no system, so equal input is equal bytes.
public struct GzipWriter: ~Copyable {
  private var zlib: ZlibStream
  private var sum: UInt32 = 0
  private var length: UInt32 = 0
  private var hasBegun = false
  private var isPending = false

  /// Makes a compressor; throws where zlib has no memory.
  public init() throws(Inflater.Failure) {
    guard let zlib = ZlibStream(deflatingLevel: 6) else { throw .unavailable }
    self.zlib = zlib
  }

  /// Compresses `input` behind what `output` holds; part of it may stay inside until ``finish(to:)``.
  public mutating func write(_ input: Span<UInt8>, to output: inout [UInt8]) {
    begin(&output)
    sum = ZlibStream.checksum(sum, input)
    length &+= UInt32(truncatingIfNeeded: input.count)
    if input.count > 0 { isPending = true }
    var offset = 0
    while offset < input.count {
      output.append(addingCapacity: 65_536) { out in
        _ = zlib.step(input, from: &offset, into: &out)
      }
    }
  }

  /// Writes what is still inside up to a whole byte, so that a reader gets it though the member is not ended.
  public mutating func sync(to output: inout [UInt8]) {
    guard isPending else { return }
    isPending = false
    drain(.sync, to: &output)
  }

  /// Ends the member: writes what is still inside, and the checksum.
  public mutating func finish(to output: inout [UInt8]) {
    begin(&output)
    drain(.finish, to: &output)
    for shift in [UInt32(0), 8, 16, 24] { output.append(UInt8(truncatingIfNeeded: sum >> shift)) }
    for shift in [UInt32(0), 8, 16, 24] { output.append(UInt8(truncatingIfNeeded: length >> shift)) }
  }

  private mutating func drain(_ flush: ZlibStream.Flush, to output: inout [UInt8]) {
    var offset = 0
    var isEnded = false
    while !isEnded {
      output.append(addingCapacity: 65_536) { out in
        switch zlib.step([UInt8]().span, from: &offset, into: &out, flush) {
        case .progress, .stuck: isEnded = out.freeCapacity > 0
        case .ended, .damaged, .dictionary, .memory: isEnded = true
        }
      }
    }
  }

  private mutating func begin(_ output: inout [UInt8]) {
    if hasBegun { return }
    hasBegun = true
    output.append(contentsOf: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
  }
}
