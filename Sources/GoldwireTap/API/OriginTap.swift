public import GoldwireTrace

/// Records the requests to one HTTP origin: a channel `http1`, `http2` … of the trace.
///
/// Made by ``Tap/origin()``.
public struct OriginTap: Sendable {
  let channel: TapChannel

  /// Begins a logical request, which the tap numbers; nothing is recorded until it is sent.
  ///
  /// `replayable` is what the caller declared, `key` its idempotency key's pseudonym, `bytes` the body's announced length.
  public func request(
    _ method: Method, replayable: Bool? = nil, key: TapKey? = nil, bytes: Int? = nil
  ) -> RequestTap {
    RequestTap(
      channel: channel, number: channel.next(), method: method, replayable: replayable, key: key, bytes: bytes
    )
  }
}

/// A pseudonym of an idempotency key; the tap is never told the key.
public struct TapKey: Hashable, Sendable {
  let number: Int
}
