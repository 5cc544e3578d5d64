package import GoldwireTrace

/// An error that ends a verb: one line that names the place and the remedy; the exit status is 2.
///
/// What the input holds is never quoted.
package struct CommandError: Error, Equatable {
  /// The file that it is about, as the user named it; `-` is standard input or output.
  package var file: String?
  /// The line in that file, from 1.
  package var line: Int?
  /// The column in that line, from 1.
  package var column: Int?
  /// What is wrong.
  package var message: String
  /// What to do about it.
  package var remedy: String?
  /// Makes an error.
  package init(
    _ message: String, file: String? = nil, line: Int? = nil, column: Int? = nil, remedy: String? = nil
  ) {
    self.message = message
    self.file = file
    self.line = line
    self.column = column
    self.remedy = remedy
  }
}

extension CommandError {
  /// The error of a file, as one of the command's.
  package init(_ error: FileError) {
    let isOutput = error.path == "-" && error.operation != .read && error.operation != .inflate
    self.init(
      "cannot \(error.operation.rawValue): \(error.reason)", file: isOutput ? "standard output" : error.path)
  }

  /// An error that reading `file` threw.
  package init(_ error: any Error, in file: String) {
    switch error {
    case let error as CommandError: self = error
    case let error as FileError: self.init(error)
    case let error as TraceError:
      self.init(
        error.message, file: file, line: error.line > 0 ? error.line : nil,
        column: error.column > 0 ? error.column : nil)
    default: self.init("cannot be read", file: file)
    }
  }
}

extension CommandError: CustomStringConvertible {
  /// The line without the command's name: `FILE:LINE:COLUMN: what is wrong; what to do`.
  package var description: String {
    var text = ""
    if let file {
      text += file == "-" ? "standard input" : file
      if let line { text += ":\(line)" }
      if let line, line > 0, let column { text += ":\(column)" }
      text += ": "
    }
    text += message
    if let remedy { text += "; \(remedy)" }
    return text
  }
}

/// A command line that cannot be understood: one line that names the nearest right one.
package struct UsageError: Error, Equatable {
  /// The verb that it is about, or nil for the command itself.
  package var verb: String?
  /// What is wrong, and what was perhaps meant.
  package var message: String

  /// Makes an error.
  package init(_ message: String, verb: String? = nil) {
    self.message = message
    self.verb = verb
  }
}

extension UsageError: CustomStringConvertible {
  /// The line without the command's name; it ends with where the help is.
  package var description: String {
    let command = verb.map { "goldwire \($0)" } ?? "goldwire"
    return "\(message); see `\(command) --help`"
  }
}
