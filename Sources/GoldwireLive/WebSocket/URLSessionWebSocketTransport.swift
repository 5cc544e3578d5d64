#if canImport(Darwin)
  public import Foundation

  /// WebSocket connections of `URLSession`, with its TLS, proxies and protocols.
  ///
  /// It shows neither the peer's pings nor pongs as such: that a ping was answered is told by its completion. Of the end of a
  /// connection it shows an error, from which the cause is read as far as possible.
  public struct URLSessionWebSocketTransport: WebSocketTransport {
    private let request: URLRequest
    private let messageBytes: Int
    private let closeTimeout: Duration
    private let clock: any DriverClock
    private let configuration: @Sendable () -> URLSessionConfiguration

    /// Makes a transport to one URL.
    ///
    /// - Parameters:
    ///   - request: the opening request, `ws:` or `wss:`, with further header fields and subprotocols.
    ///   - messageBytes: the most bytes of a message that is received.
    ///   - closeTimeout: how long the end of a connection is waited for once a close frame was sent.
    ///   - clock: measures that.
    ///   - configuration: is made anew for each connection, which has a session of its own.
    public init(
      request: URLRequest, messageBytes: Int = 16 << 20, closeTimeout: Duration = .seconds(5),
      clock: any DriverClock = ContinuousDriverClock(),
      configuration: @escaping @Sendable () -> URLSessionConfiguration = { .default }
    ) {
      self.request = request
      self.messageBytes = messageBytes
      self.closeTimeout = closeTimeout
      self.clock = clock
      self.configuration = configuration
    }

    /// Starts a connection.
    public func connect(_ inbox: WebSocketInbox) -> any WebSocketConnection {
      let connection = URLSessionWebSocketConnection(inbox, clock, closeTimeout)
      connection.start(request, configuration(), messageBytes)
      return connection
    }
  }
#endif
