/// Makes WebSocket connections; what happens on one is put into its inbox.
///
/// The driver copes with events that come on any thread, late, twice or never.
public protocol WebSocketTransport: Sendable {
  /// Starts a connection and returns at once; how it goes is told to `inbox`.
  func connect(_ inbox: WebSocketInbox) -> any WebSocketConnection
}

/// One connection, from its start to its end; every method returns at once and may be called on any thread.
public protocol WebSocketConnection: AnyObject, Sendable {
  /// The payload bytes of this connection's pings, where the transport knows them.
  var pingBytes: Int? { get }

  /// Sends a ping; `ordinal` counts the pings of this connection from 1.
  ///
  /// A transport that sees pongs puts them into the inbox, and calls `completion` only if the ping could not be sent.
  /// One that does not calls it when the ping is answered, or will not be.
  func ping(_ ordinal: Int, _ completion: @escaping @Sendable (WebSocketPingCompletion) -> Void)

  /// Sends a message; `completion` tells whether it could be handed to the system.
  func send(_ content: WebSocketContent, _ completion: @escaping @Sendable (Bool) -> Void)

  /// Sends a close frame and ends the connection, by force if the peer does not end it in time.
  func close(_ code: WebSocketCloseCode)

  /// Ends the connection at once, whatever the peer does; a second call does nothing.
  func cancel()
}

extension WebSocketConnection {
  /// Not known.
  public var pingBytes: Int? { nil }
}
