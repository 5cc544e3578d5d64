public import GoldwireMachines
internal import GoldwireProtocols
public import GoldwireTrace

/// Requests with other parameters in a world that is guessed, or known, without inference.
public struct NaiveRequests {
  /// What an attempt gets: without a status, a failure of the transport.
  public struct Reply: Sendable {
    /// How long after its attempt it comes, in microseconds.
    public var after: Int
    /// The status code.
    public var status: Int?
    /// In how many seconds to come again.
    public var retryAfter: Int?

    /// Makes a reply.
    public init(after: Int, status: Int? = nil, retryAfter: Int? = nil) {
      (self.after, self.status, self.retryAfter) = (after, status, retryAfter)
    }
  }

  /// When the requests are made.
  private let starts: [Int]
  private let parameters: Retry.Parameters
  /// The random unit after an attempt of a request, both numbered, the request from 0.
  private let unit: (Int, Int) -> Int

  /// Makes requests that begin at these instants; `unit` gives the random unit after an attempt of a request, both
  /// numbered, the request from 0.
  public init(starts: [Int], parameters: Retry.Parameters, unit: @escaping (Int, Int) -> Int) {
    (self.starts, self.parameters, self.unit) = (starts, parameters, unit)
  }

  /// The same requests where the k-th attempt gets the k-th recorded reply, as late as it was; or, if it is to be
  /// `constant`, as late as the quickest one.
  public func steps(after trace: Trace, isConstant: Bool) -> [Step] {
    let replies = Self.replies(in: trace)
    let least = isConstant ? replies.values.joined().map(\.after).min() : nil
    return steps { request, attempt, _ in
      let own = replies[request] ?? []
      guard own.indices.contains(attempt - 1) else { return nil }
      var reply = own[attempt - 1]
      reply.after = least ?? reply.after
      return reply
    }
  }

  /// The steps of all requests, where `reply` tells what an attempt gets that is sent at an instant; nil for nothing.
  public func steps(_ reply: (Int, Int, Int) -> Reply?) -> [Step] {
    var steps: [Step] = []
    for (request, start) in starts.enumerated() {
      var machine = Retry(parameters)
      machine.handle(.start(.init(method: "GET")), at: start) { _ in }
      var (attempt, sent) = (1, start)
      while machine.phase == .sending, let reply = reply(request, attempt, sent) {
        let now = sent + reply.after
        machine.handle(event(attempt, reply, unit(request, attempt)), at: now) { action in
          guard case .stop(let outcome) = action else { return }
          steps.append(Step(.init(.stop, session: request + 1), t: now, cause: outcome.word))
        }
        guard let due = machine.wakeup else { break }
        machine.tick(at: due) { _ in }
        (attempt, sent) = (attempt + 1, due)
        steps.append(Step(.init(.send, session: request + 1, ordinal: attempt), t: due))
      }
    }
    return steps.sorted { $0.t < $1.t }
  }

  private func event(_ attempt: Int, _ reply: Reply, _ unit: Int) -> Retry.Event {
    guard let status = reply.status else { return .failed(attempt, .init(.refused, unit: unit)) }
    return .answered(
      attempt,
      Answer(
        status: status, retryAfter: reply.retryAfter.map { .seconds(UInt64($0)) } ?? .absent, unit: unit))
  }

  /// The recorded replies of each request, by attempt; the channels are the requests in order.
  private static func replies(in trace: Trace) -> [Int: [Reply]] {
    var sent: [Int: Int] = [:]
    var replies: [Int: [Reply]] = [:]
    for line in trace.lines {
      guard let channel = line.channel?.number else { continue }
      switch line.event {
      case .httpSend: sent[channel - 1] = line.t
      case .httpResponse(let response):
        var reply = Reply(after: line.t - (sent[channel - 1] ?? line.t), status: response.status)
        if case .after(let seconds)? = response.retry.value { reply.retryAfter = seconds }
        replies[channel - 1, default: []].append(reply)
      case .httpError:
        let reply = Reply(after: line.t - (sent[channel - 1] ?? line.t))
        replies[channel - 1, default: []].append(reply)
      default: break
      }
    }
    return replies
  }

  /// The recorded random unit after an attempt of a request; a half where the recorded client drew none.
  public static func units(in trace: Trace) -> (Int, Int) -> Int {
    var units: [Int: [Int: Int]] = [:]
    for line in trace.lines {
      guard let channel = line.channel?.number, case .httpWait(_, let next, _, let unit?) = line.event else {
        continue
      }
      units[channel - 1, default: [:]][next - 1] = unit
    }
    return { [units] request, attempt in units[request]?[attempt] ?? 500_000 }
  }
}
