extension Retry {
  /// What decides whether a request may be sent more than once; frozen at its first send.
  public struct Request: Equatable, Sendable {
    /// The method changes nothing on the server: GET or HEAD.
    public var isSafe: Bool
    /// The caller declares that the server keeps idempotency keys.
    public var serverKeepsKeys: Bool
    /// The request carries an idempotency key.
    public var hasKey: Bool
    /// The body, if there is one, can be produced again.
    public var bodyIsRepeatable: Bool

    /// Makes a request from what the caller declares.
    public init(isSafe: Bool, serverKeepsKeys: Bool, hasKey: Bool, bodyIsRepeatable: Bool) {
      self.isSafe = isSafe
      self.serverKeepsKeys = serverKeepsKeys
      self.hasKey = hasKey
      self.bodyIsRepeatable = bodyIsRepeatable
    }

    /// Makes a request from a trace's line; without a word about it, only GET and HEAD are replayable.
    public init(method: String, replayable: Bool? = nil, hasKey: Bool = false) {
      isSafe = method == "GET" || method == "HEAD"
      serverKeepsKeys = replayable ?? false
      self.hasKey = hasKey
      bodyIsRepeatable = replayable ?? true
    }

    /// The request may be sent more than once.
    public var isReplayable: Bool {
      bodyIsRepeatable && (isSafe || (serverKeepsKeys && hasKey))
    }
  }
}
