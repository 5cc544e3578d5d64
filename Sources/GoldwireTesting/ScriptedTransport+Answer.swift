internal import GoldwireLive
public import GoldwireMachines

extension ScriptedTransport {
  /// One line of the script: what comes of one send.
  public struct Answer: Sendable {
    enum Step: Sendable {
      case hold
      case hop(ReplyHead)
      case fail(Retry.TransportCause)
      case reply(ReplyHead, [Piece])
    }

    var steps: [Step]

    /// A reply with a status, a `Retry-After`, further fields and a body.
    public static func status(
      _ status: Int, retryAfter: String? = nil, fields: [(name: String, value: String)] = [],
      body: String = ""
    ) -> Answer {
      let asked = retryAfter.map { [(name: "Retry-After", value: $0)] } ?? []
      let head = ReplyHead(status: status, fields: asked + fields)
      return Answer(steps: [.reply(head, body.isEmpty ? [] : [.text(body)])])
    }

    /// A failure without a reply.
    public static func failure(_ cause: Retry.TransportCause) -> Answer { Answer(steps: [.fail(cause)]) }

    /// An event stream of these pieces; it ends as a whole body does, unless a piece says otherwise.
    public static func stream(_ pieces: [Piece]) -> Answer {
      let type = (name: "Content-Type", value: "text/event-stream; charset=utf-8")
      return Answer(steps: [.reply(ReplyHead(status: 200, fields: [type]), pieces)])
    }

    /// The same after it was held until ``ScriptedTransport/release()``.
    public func held() -> Answer { Answer(steps: [.hold] + steps) }

    /// The same after a redirect that the transport follows by itself.
    public func behindRedirect(_ status: Int = 307) -> Answer {
      Answer(steps: [.hop(ReplyHead(status: status))] + steps)
    }
  }

  /// A piece of a body.
  public enum Piece: Sendable {
    /// Bytes that come at once.
    case bytes([UInt8])
    /// Nothing comes until ``ScriptedTransport/release()``.
    case hold
    /// The body breaks off.
    case cut(Retry.TransportCause)

    /// The bytes of a text.
    public static func text(_ text: String) -> Piece { .bytes(Array(text.utf8)) }
  }
}

/// A body of the script.
struct ScriptedBody: ReplyBody {
  private struct State: Sendable {
    var pieces: ArraySlice<ScriptedTransport.Piece>
    var isOver = false
  }

  private let number: Int
  private let transport: ScriptedTransport
  private let state: Watched<State>

  init(_ number: Int, _ pieces: [ScriptedTransport.Piece], _ transport: ScriptedTransport) {
    self.number = number
    self.transport = transport
    state = Watched(State(pieces: pieces[...]))
  }

  func next() async throws -> [UInt8]? {
    while true {
      try Task.checkCancellation()
      guard !state.value.isOver else { throw CancellationError() }
      guard let piece = state.update({ $0.pieces.popFirst() }) else {
        end(isCancelled: false)
        return nil
      }
      switch piece {
      case .bytes(let bytes): return bytes
      case .hold: try await transport.hold(body: number)
      case .cut(let cause):
        end(isCancelled: false)
        throw TransportFailure(cause)
      }
    }
  }

  func cancel() { end(isCancelled: true) }

  private func end(isCancelled: Bool) {
    let isFirst = state.update { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    guard isFirst else { return }
    transport.progress.update { progress in
      progress.open -= 1
      if isCancelled {
        progress.cancelled += 1
        progress.dropped.insert(number)
      }
    }
  }
}
