/// How a capture file ended.
public enum CaptureEnd: Equatable, Sendable {
  /// At the end of a record.
  case whole
  /// In the middle of the record that began at this byte of the file.
  case torn(at: Int)
}
