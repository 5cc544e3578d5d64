public import GoldwireMachines
public import GoldwireTrace

/// Why a connection could not be made.
public struct WebSocketRefusal: Error, Equatable, Sendable {
  /// The layer at which it failed.
  public let cause: Cause
  /// The head of the server's answer, where there was one.
  public let answer: Answer?

  /// The status of the server's answer, where there was one.
  public var status: Int? { answer?.status }

  /// Makes a refusal.
  public init(_ cause: Cause, answer: Answer? = nil) {
    self.cause = cause
    self.answer = answer
  }
}
