/// Why packets cannot be had: one line that names the place and, where there is one, the remedy.
///
/// It never quotes what a capture holds.
public struct CaptureFailure: Error, Equatable, Sendable {
  /// The file or interface as the user named it.
  public var place: String
  /// What is wrong.
  public var message: String
  /// What to do about it.
  public var remedy: String?

  /// Makes a failure.
  public init(_ place: String, _ message: String, remedy: String? = nil) {
    self.place = place
    self.message = message
    self.remedy = remedy
  }
}

extension CaptureFailure: CustomStringConvertible {
  /// The line: place, message, remedy.
  public var description: String { "\(place): \(message)" + (remedy.map { "; \($0)" } ?? "") }
}
