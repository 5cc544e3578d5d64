/// What carries lines to a machine of another language and brings its replies: a child process, or a test's own.
public protocol ForeignLink: Sendable {
  /// Sends one line, which ends with a line feed, and gives the one line that answers it, without its line feed.
  ///
  /// Throws a ``ReplayError`` that names the command where no reply comes, or one that is too long.
  func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8]
  /// Ends it without a word, since what it says is of no use.
  func abandon()
}
