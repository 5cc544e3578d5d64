/// A writer of a trace: canonical lines into one large buffer, handed on in blocks.
///
/// ```swift
/// let output = try ByteOutput(path: "trace.jsonl")
/// var writer = TraceWriter(to: output)
/// try writer.write(header)
/// try writer.write(TraceLine(t: 0, channel: Channel(.ws, 1), generation: 1, event: .wsConnect))
/// try writer.finish()
/// ```
public struct TraceWriter: ~Copyable {
  /// When lines are handed on.
  public enum Flushing: Sendable {
    /// Once the buffer holds 256 KiB.
    case whenFull
    /// After each line, so that a recorder may be killed at any instant.
    case eachLine
  }

  /// The bytes that the buffer holds before it is handed on.
  public static let blockBytes = 262_144

  private let flushing: Flushing
  private let send: (Span<UInt8>) throws(FileError) -> Void
  private let settle: () throws(FileError) -> Void
  private let end: () throws(FileError) -> Void
  private var buffer: [UInt8] = []
  private var sent = 0

  /// The bytes written so far, before any compression, those in the buffer included.
  public var bytes: Int { sent &+ buffer.count }

  /// Makes a writer to a file or standard output.
  public init(to output: ByteOutput, flushing: Flushing = .whenFull) {
    self.init(
      flushing: flushing, send: { (bytes) throws(FileError) in try output.write(bytes) },
      sync: { () throws(FileError) in try output.sync() },
      end: { () throws(FileError) in try output.finish() })
  }

  /// Makes a writer that hands its blocks to `send`, whole lines each, and calls `end` once after the last.
  ///
  /// `sync` makes what was handed on readable, where the way to the file holds some of it back.
  public init(
    flushing: Flushing = .whenFull, send: @escaping (Span<UInt8>) throws(FileError) -> Void,
    sync: @escaping () throws(FileError) -> Void = {},
    end: @escaping () throws(FileError) -> Void = {}
  ) {
    self.flushing = flushing
    self.send = send
    self.settle = sync
    self.end = end
    buffer.reserveCapacity(Self.blockBytes + 4_096)
  }

  /// Writes the first line.
  public mutating func write(_ header: TraceHeader) throws(FileError) {
    buffer.append(header)
    if flushing == .eachLine { try flush() }
  }

  /// Writes one event.
  public mutating func write(_ line: TraceLine) throws(FileError) {
    buffer.append(line)
    if flushing == .eachLine || buffer.count >= Self.blockBytes { try flush() }
  }

  /// Hands on what the buffer holds.
  ///
  /// What could not be written is dropped: after an error the output ends at a line that was flushed.
  public mutating func flush() throws(FileError) {
    if buffer.isEmpty { return }
    var bytes: [UInt8] = []
    swap(&bytes, &buffer)
    defer {
      bytes.removeAll(keepingCapacity: true)
      swap(&bytes, &buffer)
    }
    sent &+= bytes.count
    try send(bytes.span)
  }

  /// Hands on what the buffer holds, and makes all lines so far readable though a compressed file is not ended.
  public mutating func sync() throws(FileError) {
    try flush()
    try settle()
  }

  /// Hands on the rest, and ends the output.
  public mutating func finish() throws(FileError) {
    try flush()
    try end()
  }
}
