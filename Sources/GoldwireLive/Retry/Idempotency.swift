internal import Foundation

/// What the caller declares of a write that would be sent twice.
///
/// GET and HEAD need none. Any other method is retried only where the server keeps idempotency keys: it is the caller who
/// knows that, and no method or status tells it.
public struct Idempotency: Sendable {
  /// The name of the field that carries the key.
  public let field: String
  /// The key; nil where the server keeps none.
  public let key: String?

  /// The server keeps no keys: the request is sent once.
  public static let none = Idempotency(field: "Idempotency-Key", key: nil)

  /// The server keeps keys: every attempt carries this one, a fresh one if none is given.
  public static func serverKeepsKeys(
    _ key: String? = nil, field: String = "Idempotency-Key"
  ) -> Idempotency {
    Idempotency(field: field, key: key ?? UUID().uuidString)
  }
}
