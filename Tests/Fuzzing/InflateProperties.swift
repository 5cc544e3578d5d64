import GoldwireTrace

/// Compressed data inflates to the same however it comes in and however little room there is.
enum InflateProperties {
  private struct Given: Equatable {
    var bytes: [UInt8] = []
    var failure: Inflater.Failure?
    var isWhole = false
  }

  private static let most = 1 << 18

  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    let choice = input.byte()
    let cut = input.cut()
    let formats: [Inflater.Format] = [.gzip, .zlib, .httpDeflate, .raw(windowBits: 8 + Int(choice >> 2 & 7))]
    let format = formats[Int(choice & 3)]
    let whole = try inflate(format, [input.rest], room: Self.most)
    let room = choice & 0x20 == 0 ? 1 + Int(choice >> 6) : 4_096
    let pieces = try inflate(format, cut.pieces(of: input.rest), room: room)
    // Where output was given up at the limit, whether an error follows depends on how far one looked.
    if whole.bytes.count < Self.most, pieces.bytes.count < Self.most {
      try hold(whole == pieces, "the same whole and in pieces: \(whole) and \(pieces)")
    }
    guard format == .gzip else { return }
    try file(input.rest, whole)
    try writing(input.rest)
  }

  private static func inflate(
    _ format: Inflater.Format, _ pieces: [[UInt8]], room: Int
  ) throws(FuzzFinding) -> Given {
    var given = Given()
    let made = try? Inflater(format, limits: Inflater.Limits(ratioFloor: .max))
    guard var inflater = made else { throw FuzzFinding("an inflater can be made") }
    pieces: for piece in pieces {
      var offset = 0
      while given.bytes.count < Self.most {
        let (start, before) = (offset, given.bytes.count)
        let status: Inflater.Status
        do throws(Inflater.Failure) {
          status = try inflater.inflate(piece.span, from: &offset, appendingTo: &given.bytes, atMost: room)
        } catch {
          given.failure = error
          break pieces
        }
        if status == .finished { break pieces }
        if status == .needsInput { break }
        try hold(offset > start || given.bytes.count > before, "where the output was full something was done")
      }
    }
    given.isWhole = inflater.isWhole
    return given
  }

  /// What a file reader makes of the bytes.
  private static func file(_ bytes: [UInt8], _ whole: Given) throws(FuzzFinding) {
    guard bytes.starts(with: [0x1F, 0x8B]), whole.bytes.count < Self.most else { return }
    var file = ByteInput(bytes: bytes)
    var got: [UInt8] = []
    do throws(FileError) { while try file.read(into: &got) {} } catch {
      try hold(whole.failure != nil, "what can be inflated can be read")
      return
    }
    try hold(whole.failure == nil && got == whole.bytes, "a file reader gives what was inflated")
    try hold(file.isTruncated == !whole.isWhole, "a file reader knows whether the data is whole")
  }

  /// What is compressed inflates to what it was.
  private static func writing(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard var writer = try? GzipWriter() else { return }
    var packed: [UInt8] = []
    let half = bytes.count / 2
    writer.write(bytes.span.extracting(..<half), to: &packed)
    writer.sync(to: &packed)
    writer.write(bytes.span.extracting(half...), to: &packed)
    writer.finish(to: &packed)
    let again = try inflate(.gzip, [packed], room: Self.most)
    try hold(again.bytes == bytes && again.isWhole, "what is compressed inflates to what it was")
  }
}
