/// What carries lines to a machine of another language and brings its replies: a child process, or a test's own.
public protocol ForeignLink: Sendable {
  /// Sends one line, which ends with a line feed, and gives the one line that answers it, without its line feed.
  ///
  /// Throws a ``ReplayError`` that names the command where no reply comes, or one that is too long.
  func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8]
  /// Says that nothing more is asked, and sees it go.
  ///
  /// Throws a ``ReplayError`` that names the command where it has said more than it was asked, or failed at last.
  func finish() throws(ReplayError)
  /// Ends it without a word, since what it says is of no use.
  func abandon()
}

extension ForeignLink {
  /// Nothing is to be seen of the end.
  public func finish() throws(ReplayError) {}
}
