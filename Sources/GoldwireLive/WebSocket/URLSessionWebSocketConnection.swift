#if canImport(Darwin)
  internal import Foundation
  internal import GoldwireMachines
  internal import GoldwireTap
  internal import GoldwireTrace

  /// One WebSocket task in a session of its own, whose delegate it is; the session keeps it until the task is over.
  ///
  /// The session calls its delegate and all completions on one queue of its own, one after the other.
  final class URLSessionWebSocketConnection: NSObject, WebSocketConnection {
    private struct State {
      var session: URLSession?
      var task: URLSessionWebSocketTask?
      var closing: Task<Void, Never>?
      var isOpen = false
      /// Whether this side has given the connection up, so that nothing of the peer's can be told from its own doing.
      var isCancelled = false
    }

    private let inbox: WebSocketInbox
    private let clock: any DriverClock
    private let closeTimeout: Duration
    private let state = Guarded(State())

    init(_ inbox: WebSocketInbox, _ clock: any DriverClock, _ closeTimeout: Duration) {
      self.inbox = inbox
      self.clock = clock
      self.closeTimeout = closeTimeout
      super.init()
    }

    func start(_ request: URLRequest, _ configuration: URLSessionConfiguration, _ messageBytes: Int) {
      let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
      let task = session.webSocketTask(with: request)
      task.maximumMessageSize = messageBytes
      state.withLock { state in
        state.session = session
        state.task = task
      }
      task.resume()
    }

    // MARK: What the driver wants

    func ping(
      _ ordinal: Int, _ completion: @escaping @Sendable (WebSocketPingCompletion) -> Void
    ) {
      guard let task = openTask else { return completion(.cancelled) }
      // May be called twice when the connection breaks, and never after an end: the driver copes with both.
      task.sendPing { error in
        guard let error else { return completion(.ok) }
        let failure = WebSocketFailure(error)
        completion(failure.isCancelled ? .cancelled : .error(failure.cause))
      }
    }

    func send(_ content: WebSocketContent, _ completion: @escaping @Sendable (Bool) -> Void) {
      guard let task = openTask else { return completion(false) }
      let message: URLSessionWebSocketTask.Message
      switch content {
      case .text(let text): message = .string(text)
      case .binary(let bytes): message = .data(Data(bytes))
      }
      task.send(message) { error in completion(error == nil) }
    }

    func close(_ code: WebSocketCloseCode) {
      guard let task = openTask else { return cancel() }
      task.cancel(
        with: URLSessionWebSocketTask.CloseCode(rawValue: code.number) ?? .normalClosure, reason: nil)
      let end = clock.now.microseconds.addingReportingOverflow(closeTimeout.wholeMicroseconds)
      let instant = TapInstant(microseconds: end.overflow ? .max : end.partialValue)
      let closing = Task { [weak self, clock] in
        do { try await clock.sleep(until: instant) } catch { return }
        self?.cancel()
      }
      state.withLock { state in
        state.closing?.cancel()
        state.closing = closing
      }
    }

    func cancel() {
      let session = state.withLock { state -> URLSession? in
        state.isCancelled = true
        return state.session
      }
      session?.invalidateAndCancel()
    }

    private var openTask: URLSessionWebSocketTask? {
      state.withLock { $0.isOpen && !$0.isCancelled ? $0.task : nil }
    }

    // MARK: The receive loop

    /// Receives one message, and after it the next: the loop goes on until the task fails.
    private func receive() {
      guard let task = openTask else { return }
      task.receive { [weak self] result in
        // A failure is told by the end of the task, which has the same cause.
        guard let self, case .success(let message) = result else { return }
        switch message {
        case .string(let text): self.inbox.put(.message(.text(text)))
        case .data(let data): self.inbox.put(.message(.binary([UInt8](data))))
        @unknown default: break
        }
        Task { [weak self] in
          await self?.inbox.room()
          self?.receive()
        }
      }
    }
  }

  // MARK: - What the session tells

  extension URLSessionWebSocketConnection: URLSessionWebSocketDelegate {
    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
      state.withLock { $0.isOpen = true }
      inbox.put(.opened(deflate: nil))
      receive()
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      // After this side's own end nothing shows whether the peer has sent a close frame.
      if state.withLock({ $0.isCancelled }) { return }
      let code = closeCode.rawValue
      inbox.put(.closeReceived(code: code == 0 || code == 1_005 ? nil : code))
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      let old = state.withLock { state in
        defer {
          state.session = nil
          state.task = nil
          state.closing = nil
          state.isOpen = false
        }
        return state
      }
      old.closing?.cancel()
      session.finishTasksAndInvalidate()
      let failure = error.map(WebSocketFailure.init)
      if old.isOpen {
        let (cause, direction) = old.isCancelled ? (.fin, .out) : failure?.end ?? (.fin, .in)
        inbox.put(.ended(cause, direction))
      } else if !old.isCancelled {
        inbox.put(.refused(Self.refusal(task.response, failure)))
      }
    }

    /// Why the handshake failed: by the server's answer where there is one, else by the error.
    private static func refusal(_ response: URLResponse?, _ failure: WebSocketFailure?) -> WebSocketRefusal {
      guard let response = response as? HTTPURLResponse else {
        return WebSocketRefusal(failure?.cause ?? .other)
      }
      let wall = Int(Date().timeIntervalSince1970 * 1_000_000)
      let answer = ReplyHead(response).answer(wall: wall, unit: 1_000_000)
      return WebSocketRefusal(response.statusCode == 101 ? .protocol : .status, answer: answer)
    }
  }
#endif
