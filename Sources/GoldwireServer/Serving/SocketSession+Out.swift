internal import GoldwireBytes
internal import GoldwireRuntime
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

// What a session sends, and how it ends.
extension SocketSession {
  /// Does a step of the script.
  func perform(_ deed: SocketStep.Deed) {
    switch deed {
    case .send(let isText, let bytes):
      send(isText: isText, [UInt8](repeating: isText ? 0x78 : 0, count: bytes))
    case .ping(let bytes):
      let payload = filler(bytes)
      let number = serverPings.add(payload)
      control(.ping, payload, .wsPing(dir: .in, id: number, bytes: bytes))
    case .pong(let bytes):
      let payload = filler(bytes)
      control(.pong, payload, .wsPong(dir: .in, id: clientPings.number(of: payload), bytes: bytes))
    case .close(let code): close(code)
    case .reset: wire.reset { self.end(.reset, .in, at: $0) }
    case .fin: finishStream()
    case .stall(let bytes):
      var frame: [UInt8] = []
      let payload = [UInt8](repeating: 0x78, count: max(bytes, 2))
      WebSocketEncoder.append(.text, payload.span, to: &frame)
      wire.send(Array(frame.dropLast((payload.count + 1) / 2)))
      wire.mute(both: false)
    case .stopReading: wire.pause(true)
    case .read: wire.pause(false)
    case .silent: wire.mute(both: true)
    }
  }

  /// Sends a message.
  func send(isText: Bool, _ payload: [UInt8]) {
    guard !hasSentClose else { return }
    var frame: [UInt8] = []
    WebSocketEncoder.append(isText ? .text : .binary, payload.span, to: &frame)
    let fields = WSMessage(dir: .in, kind: isText ? .text : .binary, bytes: payload.count)
    wire.send(frame) { [log, place] in log.add(.wsMessage(fields), place, at: $0) }
  }

  /// Answers a ping, or not.
  func pong(_ payload: [UInt8], _ kind: SocketBehaviour.PongKind) {
    switch kind {
    case .drop: break
    case .answer: pong(payload)
    case .twice:
      pong(payload)
      pong(payload)
    case .other:
      // As long as the ping's, where that is possible, and no other ping's.
      var other = payload.isEmpty ? [0] : payload
      repeat { other[0] &+= 1 } while clientPings.number(of: other) != 0 && other[0] != payload.first
      pong(other)
    }
  }

  private func pong(_ payload: [UInt8]) {
    let id = clientPings.number(of: payload)
    control(.pong, payload, .wsPong(dir: .in, id: id, bytes: payload.count))
  }

  private func control(_ opcode: WebSocketOpcode, _ payload: [UInt8], _ event: TraceEvent) {
    guard !hasSentClose else { return }
    var frame: [UInt8] = []
    WebSocketEncoder.append(opcode, payload.span, to: &frame)
    wire.send(frame) { [log, place] in log.add(event, place, at: $0) }
  }

  /// Sends a close frame; the client has a while to answer it.
  func close(_ code: Int?) {
    guard !hasSentClose else { return }
    hasSentClose = true
    var frame: [UInt8] = []
    WebSocketEncoder.appendClose(code: code.map { UInt16(clamping: $0) }, to: &frame)
    let written = code.flatMap { (1000...4999).contains($0) ? $0 : nil }
    wire.send(frame) { [log, place] in
      log.add(.wsClose(dir: .in, code: written, by: nil), place, at: $0)
    }
    schedule(.linger, after: ServerLimits.linger)
  }

  /// Ends this side's stream; the client has a while to end its own.
  func finishStream() {
    hasSentClose = true
    wire.fin { self.end(.fin, .in, at: $0) }
    schedule(.linger, after: ServerLimits.linger)
  }

  /// Ends the connection because of what the client did wrong.
  func fail(_ code: Int) {
    guard !hasSentClose else { return }
    close(code)
    finishStream()
  }

  // MARK: Kills

  /// Whether a ping is one too many; then the connection is killed.
  func exceeds(at now: Int) -> Bool {
    guard let limit = behaviour.pingLimit else { return false }
    recentPings.removeAll { now - $0 >= limit.per }
    recentPings.append(now)
    guard recentPings.count > limit.pings else { return false }
    recentPings.removeFirst()
    kill(limit.kill)
    return true
  }

  /// Kills the connection if nothing came either way for so long; else looks again later.
  func judgeIdleness() {
    guard let limit = behaviour.idleLimit else { return }
    let rest = wire.lastByte.addingClamped(limit.after) - wire.clock.now.microseconds
    if rest <= 0 { kill(limit.kill) } else { schedule(.idle, after: rest) }
  }

  private func kill(_ how: SocketBehaviour.Kill) {
    switch how {
    case .silent: wire.mute(both: true)
    case .reset: wire.reset { self.end(.reset, .in, at: $0) }
    case .close(let code): close(code)
    }
  }

  private func filler(_ bytes: Int) -> [UInt8] {
    (0..<min(max(bytes, 0), 125)).map { _ in UInt8(random.number(below: 256)) }
  }
}
