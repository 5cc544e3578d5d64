internal import GoldwireTrace

// The server's side of requests and of event streams.
extension TracePlay {
  private struct Key: Hashable {
    let channel: Channel?
    let req: Int
    let attempt: Int
    let hop: Int?
  }

  /// What requests got, in the order in which they were sent.
  func answers(_ lines: [TraceLine]) -> [AnswerBehaviour] {
    var order: [Key] = []
    var sent: [Key: Int] = [:]
    var found: [Key: AnswerBehaviour] = [:]
    /// The latest hop of each try, which is the one that bodies and errors are about.
    var current: [Key: Key] = [:]
    func tried(_ line: TraceLine, _ req: Int, _ attempt: Int) -> Key? {
      current[Key(channel: line.channel, req: req, attempt: attempt, hop: nil)]
    }
    for line in lines {
      switch line.event {
      case .httpSend(let send):
        let key = Key(channel: line.channel, req: send.req, attempt: send.attempt, hop: send.hop)
        order.append(key)
        sent[key] = line.t
        current[Key(channel: line.channel, req: send.req, attempt: send.attempt, hop: nil)] = key
        var none = AnswerBehaviour()
        none.deed = .silent
        found[key] = none
      case .httpBody(let body):
        guard let key = tried(line, body.req, body.attempt) else { continue }
        if body.dir == .out {
          sent[key] = line.t
        } else {
          let isCut = body.done == false
          found[key]?.body = payload(body.bytes) + (isCut ? 1 : 0)
          found[key]?.cut = isCut ? payload(body.bytes) : nil
        }
      case .httpResponse(let response):
        let status = response.status ?? 200
        let key = Key(
          channel: line.channel, req: response.req, attempt: response.attempt, hop: response.hop)
        guard status >= 200, let begin = sent[key] else { continue }
        var answer = AnswerBehaviour()
        answer.status = status
        answer.delay = Delay(base: span(begin, line.t))
        answer.retryAfter = retryAfter(response.retry, at: line.t)
        answer.hasDate = response.retry.date != nil
        answer.age = response.retry.age
        if (300..<400).contains(status), status != 304 { answer.location = "/" }
        found[key] = answer
      case .httpError(let req, let attempt, let cause, _):
        guard let key = tried(line, req, attempt), let begin = sent[key] else { continue }
        fail(&found[key], cause, after: span(begin, line.t))
      default: break
      }
    }
    return order.compactMap { found[$0] }
  }

  private func fail(_ answer: inout AnswerBehaviour?, _ cause: Cause, after delay: Int) {
    if answer?.deed == .answer {
      if cause == .reset { answer?.end = .reset }
      return
    }
    guard cause != .timeout else { return }
    answer?.deed = cause == .fin ? .close : .reset
    answer?.delay = Delay(base: delay)
  }

  /// What one request for an event stream got.
  func stream(_ lines: [TraceLine]) -> StreamBehaviour {
    var behaviour = StreamBehaviour()
    behaviour.resumes = false
    behaviour.answer.end = .open
    behaviour.answer.deed = .silent
    var last = lines.first?.t ?? 0
    for line in lines {
      var block: StreamBehaviour.Block?
      switch line.event {
      case .sseOpen(let status, let type, let retry):
        guard status ?? 200 >= 200 else { continue }
        behaviour.answer.deed = .answer
        behaviour.answer.status = status ?? 200
        behaviour.answer.delay = Delay(base: span(last, line.t))
        behaviour.answer.retryAfter = retryAfter(retry, at: line.t)
        behaviour.answer.hasDate = retry.date != nil
        if type == .other { behaviour.answer.type = "text/plain" }
        last = line.t
      case .sseEvent(_, let id, let rev, let bytes):
        // Other contents of an event are other fillers.
        let filler = String(UnicodeScalar(UInt8(0x61 + (rev - 1) % 26)))
        block = StreamBehaviour.Block(
          id: id.map(Self.text), data: String(repeating: filler, count: payload(bytes)))
      case .sseID(let id): block = StreamBehaviour.Block(id: Self.text(id))
      case .sseComment: block = StreamBehaviour.Block(comment: "")
      case .sseRetry(let milliseconds): block = StreamBehaviour.Block(retry: milliseconds)
      case .sseCut(let cause, _, let partial):
        end(&behaviour, cause, partial, after: span(last, line.t))
      default: break
      }
      guard var block else { continue }
      block.delay = Delay(base: span(last, line.t))
      last = line.t
      behaviour.blocks.append(block)
    }
    return behaviour
  }

  private func end(_ behaviour: inout StreamBehaviour, _ cause: CutCause, _ partial: Int, after delay: Int) {
    guard cause != .local else { return }
    if behaviour.answer.deed == .silent {
      behaviour.answer.deed = cause == .eof ? .close : .reset
      behaviour.answer.delay = Delay(base: delay)
      return
    }
    behaviour.answer.end = cause == .eof ? .close : .reset
    if partial > 0 {
      behaviour.cut = behaviour.blocks.count { $0.data != nil }
      behaviour.inside = payload(partial)
      behaviour.blocks.append(
        StreamBehaviour.Block(
          data: String(repeating: "x", count: payload(partial)), delay: Delay(base: delay)))
    } else {
      behaviour.endDelay = Delay(base: delay)
    }
  }

  private static func text(_ id: Int) -> String { id == 0 ? "" : "e\(id)" }
}
