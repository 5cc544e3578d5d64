internal import GoldwireTrace

/// Why something cannot be replayed or compared: a place where there is one, and a remedy, in one line.
///
/// It never quotes what a file holds.
public struct ReplayError: Error, Equatable, Sendable {
  /// The file as the caller named it.
  public var path: String?
  /// The line in the file, from 1; 0 where none can be named.
  public var line: Int
  /// The byte in the line, from 1; 0 where none can be named.
  public var column: Int
  /// What is wrong, and what to do, without a full stop.
  public var message: String

  /// Makes an error.
  public init(path: String? = nil, line: Int = 0, column: Int = 0, _ message: String) {
    self.path = path
    self.line = line
    self.column = column
    self.message = message
  }

  /// Makes an error of what is wrong in a file.
  init(_ error: any Error, path: String) {
    switch error {
    case let error as ReplayError:
      self = error
      self.path = error.path ?? path
    case let error as TraceError:
      self.init(path: path, line: error.line, column: error.column, error.message)
    case let error as FileError: self.init(path: path, error.reason)
    default: self.init(path: path, "cannot be read")
    }
  }
}

extension ReplayError: CustomStringConvertible {
  /// The one line: `FILE:LINE:COLUMN: what is wrong`.
  public var description: String {
    var text = ""
    if let path {
      text += path
      if line > 0 { text += ":\(line)" }
      if line > 0, column > 0 { text += ":\(column)" }
      text += ": "
    }
    return text + message
  }
}
