/// What the server does with one request.
package struct AnswerBehaviour: Equatable, Sendable {
  /// Whether there is an answer at all.
  package enum Deed: String, CaseIterable, Sendable {
    /// There is.
    case answer
    /// There is none, and the connection stays.
    case silent
    /// The connection is reset.
    case reset
    /// The connection is closed.
    case close
  }

  /// How the end of a body is told.
  package enum End: String, CaseIterable, Sendable {
    /// By its length.
    case length
    /// By its last chunk.
    case chunked
    /// By the end of the connection.
    case close
    /// Not: the connection is reset where it would be.
    case reset
    /// Not: nothing comes, and the connection stays.
    case open
  }

  /// What stands in Retry-After.
  package enum RetryAfter: Equatable, Sendable {
    /// This text.
    case text(String)
    /// The date that is so many seconds away, in one of the forms.
    case date(seconds: Int, form: DateForm)
  }

  /// The forms of a date in HTTP.
  package enum DateForm: String, CaseIterable, Sendable {
    case imf
    case rfc850
    case asctime
  }

  package var deed: Deed = .answer
  package var status: Int = 200
  /// How long the answer is held back.
  package var delay: Delay = Delay()
  package var retryAfter: RetryAfter?
  /// Whether there is a Date.
  package var hasDate: Bool = true
  /// The seconds in Age.
  package var age: Int?
  /// Where a redirect leads to.
  package var location: String?
  /// The bytes of the body.
  package var body: Int = 0
  package var type: String = "text/plain"
  /// The bytes of the body after which it breaks off.
  package var cut: Int?
  package var end: End = .length
  /// Faults of the network, with times since the request.
  package var network: [NetworkFault] = []

  /// An empty 200.
  package init() {}
}
