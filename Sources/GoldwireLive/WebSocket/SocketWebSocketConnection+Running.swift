internal import GoldwireBytes
internal import GoldwireProtocols
internal import GoldwireTrace

/// The two tasks of a connection.
extension SocketWebSocketConnection {
  /// Connects, shakes hands, and reads to the end.
  func run() async {
    let stream: TCPStream
    do throws(SocketError) {
      stream = try await TCPStream.connect(host: request.host, port: request.port)
    } catch { return refuse(WebSocketRefusal(error.refusal)) }
    let isWanted = state.withLock { state in
      guard state.phase == .connecting else { return false }
      state.stream = stream
      return true
    }
    guard isWanted else { return stream.close() }
    let rest: [UInt8]
    do throws(WebSocketRefusal) { rest = try await shakeHands(stream) } catch { return refuse(error) }
    let isOpen = state.withLock { state in
      guard state.phase == .connecting else { return false }
      state.phase = .open
      return true
    }
    guard isOpen else { return }
    inbox.put(.opened(deflate: false))
    await read(stream, rest)
  }

  private func refuse(_ refusal: WebSocketRefusal) {
    let isFirst = state.withLock { $0.phase == .connecting }
    end(.error, nil, byForce: false)
    if isFirst { inbox.put(.refused(refusal)) }
  }

  /// Sends the request and checks the answer; gives the bytes that came behind it.
  private func shakeHands(_ stream: TCPStream) async throws(WebSocketRefusal) -> [UInt8] {
    let key = WebSocketRequest.makeKey()
    do throws(SocketError) { try await stream.write(request.bytes(key: key)) } catch {
      throw WebSocketRefusal(error.refusal)
    }
    var bytes: [UInt8] = []
    var (known, taken) = (0, 0)
    while true {
      while let length = WebSocketAnswer.length(bytes, known: known) {
        guard let answer = WebSocketAnswer(bytes[..<length]) else { throw WebSocketRefusal(.protocol) }
        bytes.removeFirst(length)
        (known, taken) = (0, taken + length)
        if answer.isInterim { continue }
        if let refusal = answer.refusal(key: key, subprotocols: request.subprotocols) { throw refusal }
        return bytes
      }
      known = bytes.count
      guard known <= options.headBytes - taken else { throw WebSocketRefusal(.protocol) }
      do throws(SocketError) {
        let more = try await stream.read()
        if more.isEmpty { throw .closed }
        bytes.append(contentsOf: more)
      } catch { throw WebSocketRefusal(error == .closed ? .fin : error.refusal) }
    }
  }

  /// The bytes that are taken before the driver is waited for: a thousand of the smallest frames.
  private static var pieceBytes: Int { 2_048 }

  /// Reads frames until the stream ends.
  private func read(_ stream: TCPStream, _ rest: [UInt8]) async {
    var reader = SocketFrameReader(options.messageBytes)
    var bytes = rest
    while true {
      var rest = bytes[...]
      while !reader.isDone {
        if !rest.isEmpty { reader.take(Array(rest.prefix(Self.pieceBytes))) { take($0) } }
        rest = rest.dropFirst(Self.pieceBytes)
        if !reader.isDone { await inbox.room() }
        if rest.isEmpty { break }
      }
      do throws(SocketError) {
        bytes = try await stream.read()
        if bytes.isEmpty { return end(.fin, .in, byForce: false) }
      } catch {
        let (cause, direction) = error.end
        return end(cause, direction, byForce: false)
      }
    }
  }

  // MARK: In

  private func take(_ found: SocketFrameReader.Found) {
    switch found {
    case .message(let content): inbox.put(.message(content))
    case .ping(let ordinal, let payload): answer(ordinal, payload)
    case .pong(let payload): inbox.put(.pong(ordinal: ordinal(of: payload), bytes: payload.count))
    case .close(let code): answerClose(code)
    case .broken(let code): fail(code)
    }
  }

  private func answer(_ ordinal: Int, _ payload: [UInt8]) {
    inbox.put(.pingReceived(ordinal: ordinal, bytes: payload.count))
    let inbox = inbox
    let isOpen = state.withLock { state in
      guard state.phase == .open else { return false }
      state.outbox.add(pong: payload) { isSent in
        if isSent { inbox.put(.pongSent(ordinal: ordinal, bytes: payload.count)) }
      }
      return true
    }
    if isOpen { write() }
  }

  private func answerClose(_ code: Int?) {
    inbox.put(.closeReceived(code: code))
    let isAnswered = state.withLock { state in
      guard state.phase == .open else { return false }
      sendClose(code, &state)
      return true
    }
    if isAnswered {
      inbox.put(.closeSent(code: code))
      write()
    }
    limitClosing()
  }

  /// Fails the connection: the end is told first, then the peer is told why (RFC 6455 section 7.1.7).
  private func fail(_ code: WebSocketCloseCode) {
    tellEnd(.error, nil)
    let isTold = state.withLock { state in
      guard state.phase == .open else { return false }
      sendClose(code.number, &state)
      return true
    }
    if isTold {
      inbox.put(.closeSent(code: code.number))
      write()
    }
    limitClosing()
  }

  // MARK: Out

  /// Starts the writing task, if none runs.
  func write() {
    let stream = state.withLock { state -> TCPStream? in
      guard !state.outbox.isWriting, let stream = state.stream, state.phase != .connecting else { return nil }
      state.outbox.isWriting = true
      return stream
    }
    guard let stream else { return }
    Task { await write(to: stream) }
  }

  private func write(to stream: TCPStream) async {
    while true {
      let (frame, isLast) = state.withLock { state in
        let frame = state.outbox.next()
        if frame == nil { state.outbox.isWriting = false }
        return (frame, frame?.opcode == .close)
      }
      guard let frame else { return }
      do throws(SocketError) { try await stream.write(frame.bytes) } catch {
        frame.completion?(false)
        let left = state.withLock { $0.outbox.empty() }
        for completion in left { completion(false) }
        return
      }
      frame.completion?(true)
      // After the close frame nothing follows; its end tells a peer that waits for one.
      if isLast, state.withLock({ $0.hasTold }) { stream.shutdownWrite() }
    }
  }
}

extension SocketError {
  /// The cause of a connection that could not be made.
  fileprivate var refusal: Cause {
    switch self {
    case .refused: .refused
    case .unreachable: .unreach
    case .timeout: .timeout
    case .reset: .reset
    case .dns: .dns
    case .cancelled, .closed, .other: .other
    }
  }

  /// How a connection ended that broke.
  fileprivate var end: (EndCause, Direction?) {
    switch self {
    case .reset: (.reset, .in)
    case .timeout: (.timeout, nil)
    case .closed, .cancelled: (.fin, .out)
    case .refused, .unreachable, .dns, .other: (.error, nil)
    }
  }
}
