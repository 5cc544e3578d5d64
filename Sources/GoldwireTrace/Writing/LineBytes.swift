internal import GoldwireBytes

extension [UInt8] {
  /// Appends the canonical bytes of a trace's first line, with its line feed.
  public mutating func append(_ header: TraceHeader) {
  }

  /// Appends the canonical bytes of one event, with its line feed.
  public mutating func append(_ line: TraceLine) {
  }
}
