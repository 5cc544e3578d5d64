#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends requests by a `URLSession` of its own, and streams each body as it comes.
///
/// It works through a data delegate, the same on every platform. Redirects are followed as `URLSession` does by itself,
/// and told as hops. Nothing is kept of what passes through.
///
/// A `URLSession` sends a request again by itself where a connection that it used before turns out to be dead. On Linux
/// each request has a connection of its own, so that it cannot happen; on Apple's platforms that cannot be had, and a
/// packet capture is what shows it.
public final class URLSessionTransport: HTTPTransport {
  /// What bounds the memory of one body that is not read as fast as it comes.
  public struct Limits: Equatable, Sendable {
    /// The bytes at which the server is held back, where the platform can do that: not on Linux.
    public var pause = 1 << 20
    /// The bytes at which the request is given up, as a failure of the cause `other`.
    public var most = 16 << 20

    /// Makes the default limits.
    public init() {}
  }

  private let session: URLSession
  private let exchanges: URLSessionExchanges
  private let limits: Limits

  /// Makes a transport; the configuration is that of the session, by default one that keeps no cache, cookie or credential.
  public init(configuration: URLSessionConfiguration = .ephemeral, limits: Limits = Limits()) {
    let exchanges = URLSessionExchanges()
    self.exchanges = exchanges
    self.limits = limits
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }

  /// How many requests are under way, or have bodies that were neither read to the end nor cancelled.
  package var open: Watched<Int> { exchanges.open }

  /// Sends one attempt, and returns once the head of its reply is there.
  ///
  /// Throws a ``TransportFailure``, or `CancellationError`; then no request is left behind.
  public func send(
    _ request: URLRequest, onHop: @escaping @Sendable (ReplyHead) -> Void
  ) async throws -> HTTPReply {
    try Task.checkCancellation()
    let task = session.dataTask(with: sentOnce(request))
    let exchange = URLSessionExchange(task, limits, onHop)
    exchanges.add(exchange, task)
    task.resume()
    do {
      return HTTPReply(head: try await exchange.head(), body: exchange)
    } catch {
      exchange.cancel()
      throw error
    }
  }
}

extension URLSessionTransport {
  /// The request as it is sent: behind one on the same connection it might be sent twice, without anybody asking.
  private func sentOnce(_ request: URLRequest) -> URLRequest {
    #if canImport(Darwin)
      return request
    #else
      var request = request
      request.setValue("close", forHTTPHeaderField: "Connection")
      return request
    #endif
  }
}

/// The delegate of the session: brings each call to the exchange that it is for.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
  private let running = Guarded<[Int: URLSessionExchange]>([:])
  let open = Watched(0)

  func add(_ exchange: URLSessionExchange, _ task: URLSessionTask) {
    let number = task.taskIdentifier
    running.withLock { $0[number] = exchange }
    open.update { $0 += 1 }
  }

  private func exchange(_ task: URLSessionTask) -> URLSessionExchange? {
    let number = task.taskIdentifier
    return running.withLock { $0[number] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    exchange(task)?.followed(ReplyHead(response))
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isHTTP = exchange(dataTask)?.answered(response as? HTTPURLResponse) ?? false
    completionHandler(isHTTP ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(dataTask)?.received([UInt8](data))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let number = task.taskIdentifier
    let exchange = running.withLock { $0.removeValue(forKey: number) }
    exchange?.ended(error)
    if exchange != nil { open.update { $0 -= 1 } }
  }
}

extension ReplyHead {
  /// The head of a response; lines of the same name have been joined by then.
  init(_ response: HTTPURLResponse) {
    self.init(
      status: response.statusCode,
      fields: response.allHeaderFields.compactMap { name, value in
        guard let name = name as? String, let value = value as? String else { return nil }
        return (name: name, value: value)
      })
  }
}
