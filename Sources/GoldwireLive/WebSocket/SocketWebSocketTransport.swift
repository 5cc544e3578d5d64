public import Foundation

/// WebSocket connections over this package's own sockets and frame codec, without TLS: `ws:` alone.
///
/// For platforms on which `URLSessionWebSocketTask` does not work, and for tests against a server on the same machine. It
/// offers no extension, follows no redirect, and answers pings and closes by itself (RFC 6455).
public struct SocketWebSocketTransport: WebSocketTransport {
  /// What a connection takes at most, and how it sends.
  public struct Options: Equatable, Sendable {
    /// The subprotocols that are offered, the preferred first.
    public var subprotocols: [String] = []
    /// Further header fields of the request, such as `Authorization`.
    public var fields: [String: String] = [:]
    /// The most bytes of the heads that answer the request.
    public var headBytes: Int = 65_536
    /// The most bytes of a message that is received; a larger one ends the connection with the code 1009.
    public var messageBytes: Int = 16 << 20
    /// The most bytes that wait to be sent; a message beyond them is not sent.
    public var waitingBytes: Int = 16 << 20
    /// The most bytes of a frame of a message that is sent; nil to send each message in one.
    public var fragmentBytes: Int?
    /// How long the end of a connection is waited for once a close frame was sent or received.
    public var closeTimeout: Duration = .seconds(5)

    /// Makes the default options.
    public init() {}
  }

  /// Why a transport cannot be made.
  public enum Failure: Error, Equatable, Sendable {
    /// The URL is no `ws:` URL with a host, or has a fragment.
    case url
    /// A header field is one of the handshake's own, or has characters that no field may have.
    case field
  }

  private let request: WebSocketRequest
  private let options: Options
  private let clock: any DriverClock

  /// Makes a transport to one URL.
  ///
  /// Throws a ``Failure``.
  public init(
    url: URL, options: Options = Options(), clock: any DriverClock = ContinuousDriverClock()
  ) throws(Failure) {
    request = try WebSocketRequest(url, options)
    self.options = options
    self.clock = clock
  }

  /// Starts a connection.
  public func connect(_ inbox: WebSocketInbox) -> any WebSocketConnection {
    let connection = SocketWebSocketConnection(request, options, clock, inbox)
    connection.start()
    return connection
  }
}
