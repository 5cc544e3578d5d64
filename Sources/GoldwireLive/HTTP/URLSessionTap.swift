public import GoldwireTap

#if canImport(FoundationNetworking)
  public import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Records what a `URLSession` of the app's own does, HTTP and event streams, without any driver of this package.
///
/// ```swift
/// let recorder = URLSessionTap(tap)
/// let session = URLSession(configuration: .default, delegate: recorder, delegateQueue: nil)
/// recorder.resume(session.dataTask(with: request))   // instead of task.resume()
/// ```
///
/// A session with a delegate of its own calls ``redirected(_:by:)``, ``answered(_:with:)``, ``received(_:by:)`` and
/// ``ended(_:with:)`` from there. Tasks with a completion handler tell no delegate what they receive: use those without.
/// Of the streams' bytes it keeps nothing; addresses stay in memory, to tell one channel from another.
public final class URLSessionTap: NSObject, URLSessionDataDelegate, Sendable {
  /// What bounds what it remembers.
  public enum Limits {
    /// The origins, and the streams, that have a channel of their own; further ones share one.
    public static let channels = 256
  }

  private struct State: Sendable {
    var tasks: [Int: TappedTask] = [:]
    var origins: [String: OriginTap] = [:]
    var streams: [String: TappedStream] = [:]
  }

  private let tap: Tap
  private let state = Guarded(State())

  /// Makes a recorder that writes to a tap, whose header should say that it is blind to `handler`, `unit` and `tick`.
  public init(_ tap: Tap) { self.tap = tap }

  /// Records that a task is sent, and resumes it.
  ///
  /// A task that sends the same request once more names the one before it, and counts as its next try.
  public func resume(_ task: URLSessionTask, retrying earlier: URLSessionTask? = nil) {
    sent(task, retrying: earlier)
    task.resume()
  }
}

// MARK: - For a delegate of the app's own

extension URLSessionTap {
  /// Records that a task is sent; the app resumes it.
  public func sent(_ task: URLSessionTask, retrying earlier: URLSessionTask? = nil) {
    guard let request = task.originalRequest, let url = request.url else { return }
    let number = task.taskIdentifier
    let earlierNumber = earlier?.taskIdentifier
    let origin = "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 0)"
    state.withLock { state in
      if TappedStream.isAskedFor(by: request) {
        let stream = stream(origin + url.path, &state)
        state.tasks[number] = .stream(stream.connect(request.value(forHTTPHeaderField: "Last-Event-ID")))
      } else if let earlierNumber, case .request(let before)? = state.tasks[earlierNumber] {
        state.tasks[earlierNumber] = nil
        state.tasks[number] = .request(before.next())
      } else {
        let tap = self.origin(origin, &state)
        state.tasks[number] = .request(TappedRequest(tap, request))
      }
    }
  }

  /// Records that the session follows a redirect.
  public func redirected(_ task: URLSessionTask, by response: HTTPURLResponse) {
    change(task) { $0.redirected(ReplyHead(response), tap) }
  }

  /// Records the head of a response.
  public func answered(_ task: URLSessionTask, with response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return }
    change(task) { $0.answered(ReplyHead(response), tap) }
  }

  /// Records a piece of the body; that of an event stream is parsed, and dropped.
  public func received(_ data: Data, by task: URLSessionTask) {
    change(task) { $0.received([UInt8](data)) }
  }

  /// Records how a task ended; one that was cancelled is a cancellation, and no failure.
  public func ended(_ task: URLSessionTask, with error: (any Error)?) {
    change(task) { $0.ended(error) }
    let number = task.taskIdentifier
    state.withLock { state in
      // What failed or was refused may be sent again.
      if case .request(let request)? = state.tasks[number], request.mayBeRetried { return }
      state.tasks[number] = nil
    }
  }

  private func change(_ task: URLSessionTask, _ body: (inout TappedTask) -> Void) {
    let number = task.taskIdentifier
    state.withLock { state in
      guard var tapped = state.tasks[number] else { return }
      body(&tapped)
      state.tasks[number] = tapped
    }
  }

  private func origin(_ name: String, _ state: inout State) -> OriginTap {
    let name = state.origins.count < Limits.channels || state.origins[name] != nil ? name : ""
    if let origin = state.origins[name] { return origin }
    let origin = tap.origin()
    state.origins[name] = origin
    return origin
  }

  private func stream(_ name: String, _ state: inout State) -> TappedStream {
    let name = state.streams.count < Limits.channels || state.streams[name] != nil ? name : ""
    if let stream = state.streams[name] { return stream }
    let stream = TappedStream(tap.stream())
    state.streams[name] = stream
    return stream
  }
}

// MARK: - As the session's delegate

extension URLSessionTap {
  /// Follows a redirect, as a session without a delegate does.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    redirected(task, by: response)
    completionHandler(request)
  }

  /// Lets the body come.
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    answered(dataTask, with: response)
    completionHandler(.allow)
  }

  /// Records a piece of a body.
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    received(data, by: dataTask)
  }

  /// Records the end of a task.
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    ended(task, with: error)
  }
}
