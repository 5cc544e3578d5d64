internal import GoldwireTrace

// The server's side of a WebSocket connection.
extension TracePlay {
  /// What the server did in one generation.
  func socket(_ lines: [TraceLine]) -> SocketBehaviour {
    var behaviour = SocketBehaviour()
    let begin = lines.first?.t ?? 0
    guard let opened = open(lines, begin, &behaviour) else { return behaviour }
    behaviour.pongs = pongs(lines)
    var hasClientClosed = false
    var hasServerClosed = false
    for line in lines where line.t >= opened {
      var step: SocketStep?
      switch line.event {
      case .wsMessage(let message) where message.dir == .in:
        step = SocketStep(deed: .send(isText: message.kind == .text, bytes: payload(message.bytes)))
      case .wsPing(.in, _, let bytes): step = SocketStep(deed: .ping(bytes: min(bytes ?? 0, 125)))
      case .wsClose(.in, let code, _):
        hasServerClosed = true
        // The answer to the client's close comes by itself.
        if !hasClientClosed { step = SocketStep(deed: .close(code: code)) }
      case .wsClose(.out, _, _): hasClientClosed = true
      case .wsEnd(let cause, let dir) where dir != .out && !hasServerClosed && !hasClientClosed:
        step = SocketStep(deed: cause == .reset ? .reset : cause == .fin ? .fin : .silent)
      default: break
      }
      guard var step else { continue }
      step.delay = Delay(base: span(opened, line.t))
      behaviour.steps.append(step)
    }
    behaviour.answersClose = !hasClientClosed || hasServerClosed
    return behaviour
  }

  /// How the handshake was answered; the opening's instant, or nil where there was none.
  private func open(_ lines: [TraceLine], _ begin: Int, _ behaviour: inout SocketBehaviour) -> Int? {
    for line in lines {
      switch line.event {
      case .wsAttach: return line.t
      case .wsOpen(let status, _):
        if let status, status < 200, status != 101 { continue }
        behaviour.openingDelay = Delay(base: span(begin, line.t))
        return line.t
      case .wsRefused(let cause, let status, let retry):
        behaviour.openingDelay = Delay(base: span(begin, line.t))
        if let status, status >= 200 {
          var answer = AnswerBehaviour()
          answer.status = status
          answer.retryAfter = retryAfter(retry, at: line.t)
          answer.hasDate = retry.date != nil
          answer.age = retry.age
          behaviour.opening = .refuse(answer)
        } else {
          behaviour.opening = cause == .timeout ? .silent : cause == .fin ? .close : .reset
        }
        return nil
      case .wsEnd(let cause, let dir):
        behaviour.opening = dir == .out ? .silent : cause == .fin ? .close : .reset
        if dir != .out { behaviour.openingDelay = Delay(base: span(begin, line.t)) }
        return nil
      default: break
      }
    }
    behaviour.opening = .silent
    return nil
  }

  /// What each ping of the client got.
  private func pongs(_ lines: [TraceLine]) -> [SocketBehaviour.Pong] {
    var pongs: [SocketBehaviour.Pong] = []
    var sent: [Int] = []
    for line in lines {
      switch line.event {
      case .wsPing(.out, _, _):
        sent.append(line.t)
        pongs.append(SocketBehaviour.Pong(kind: .drop))
      case .wsPong(.in, let id, _):
        // Without a number a pong is the latest ping's; with 0 it is nobody's, and came in place of the latest's.
        let index = (id ?? 0) > 0 ? (id ?? 0) - 1 : sent.count - 1
        guard pongs.indices.contains(index) else { continue }
        if pongs[index].kind == .answer {
          pongs[index].kind = .twice
        } else if pongs[index].kind == .drop {
          pongs[index] = SocketBehaviour.Pong(
            kind: id == 0 ? .other : .answer, delay: Delay(base: span(sent[index], line.t)))
        }
      case .wsPinged(let id, .ok, _):
        let index = (id ?? sent.count) - 1
        guard pongs.indices.contains(index), pongs[index].kind == .drop else { continue }
        pongs[index] = SocketBehaviour.Pong(kind: .answer, delay: Delay(base: span(sent[index], line.t)))
      default: break
      }
    }
    return pongs.isEmpty ? [SocketBehaviour.Pong()] : pongs
  }

  /// The size of a message or body that is played, held to what a script may hold.
  func payload(_ bytes: Int) -> Int { min(max(bytes, 0), ScriptLimits.payload) }
}
