internal import GoldwireBytes

/// A reader of a trace that gives one line at a time, and checks all of it.
///
/// ```swift
/// var reader = try TraceReader(ByteInput(path: "trace.jsonl"))
/// while let line = try reader.next() { print(reader.lineNumber, line.event) }
/// ```
public struct TraceReader: ~Copyable {
  /// The trace's first line.
  public let header: TraceHeader
  /// The limits of reading.
  public let limits: TraceLimits
  /// Whether the last line was torn, or the compressed data cut; known at the end.
  public private(set) var isTorn: Bool = false
  /// The number of the line that was given last.
  public var lineNumber: Int { parser.number }
  /// What was read over so far.
  public var skipped: Trace.Skipped { parser.skipped }

  /// How many lines there may be in all, if the others are as long as those so far; nil where nothing can tell.
  var expectedLines: Int? { pieces.expectedLines }

  private var pieces: LinePieces
  private var parser: LineParser

  /// Reads the header.
  ///
  /// Throws a ``FileError`` for what the system refuses, a ``TraceError`` for what is no header.
  public init(_ input: consuming ByteInput, limits: TraceLimits = TraceLimits()) throws {
    self.limits = limits
    var pieces = LinePieces(input, limits: limits)
    guard let range = try pieces.next() else {
      throw TraceError(
        pieces.input.isTruncated
          ? "the trace is torn before its header ends: nothing can be read from it"
          : "the trace is empty: expected a header line")
    }
    let unknown: Int
    do throws(TraceError) {
      (header, unknown) = try TraceHeader.read(pieces.bytes.span.extracting(range), limits: limits)
    } catch {
      if pieces.isLastTorn {
        throw TraceError(line: 1, "the trace is torn in its header: nothing can be read from it")
      }
      throw error
    }
    parser = LineParser(limits: limits)
    parser.skipped.keys = unknown
    parser.skipped.firstLine = unknown > 0 ? 1 : nil
    self.pieces = pieces
  }

  /// The next event, or nil at the end.
  ///
  /// Throws a ``FileError`` for what the system refuses, a ``TraceError`` for a line that is none.
  public mutating func next() throws -> TraceLine? {
    var line = TraceLine()
    return try read(into: &line) ? line : nil
  }

  /// Reads the next event into `line`; false at the end.
  ///
  /// Where each line is used before the next is read, this is a copy of the line less than ``next()``. It
  /// throws what that does; after an error, or at the end, what `line` holds is not the trace's.
  public mutating func read(into line: inout TraceLine) throws -> Bool {
    if pieces.readCanonical(from: parser.instant, into: &line) {
      parser.accept(line.t)
      return true
    }
    return try readOther(into: &line)
  }

  /// Reads a line that is not canonical, or that the buffer ends in.
  @inline(never)
  private mutating func readOther(into line: inout TraceLine) throws -> Bool {
    if pieces.readPlain(from: parser.instant, with: &parser.plain, into: &line) {
      parser.accept(line.t)
      return true
    }
    guard let other = try nextOfAnyKind() else { return false }
    line = other
    return true
  }

  @inline(never)
  private mutating func nextOfAnyKind() throws -> TraceLine? {
    while let range = try pieces.next() {
      // The bytes are moved out for the time, since a span of one's own field locks all of self.
      var bytes: [UInt8] = []
      swap(&bytes, &pieces.bytes)
      defer { swap(&bytes, &pieces.bytes) }
      do throws(TraceError) {
        if let line = try parser.read(bytes.span.extracting(range)) { return line }
      } catch {
        guard pieces.isLastTorn, !isWholeObject(bytes.span.extracting(range), limits) else { throw error }
        isTorn = true
        return nil
      }
    }
    if pieces.input.isTruncated { isTorn = true }
    return nil
  }
}

/// Whether a line is a whole JSON object, so that a fault in it is not a tear.
private func isWholeObject(_ bytes: Span<UInt8>, _ limits: TraceLimits) -> Bool {
  guard let value = try? JSONValue.parse(bytes, limits: limits) else { return false }
  if case .object = value.content { return true }
  return false
}
