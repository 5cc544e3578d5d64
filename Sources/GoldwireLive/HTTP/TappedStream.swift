internal import Foundation
internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTap
internal import GoldwireTrace

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What is recorded of an event stream over all its connections: the pseudonyms of its ids, and the parser.
final class TappedStream: Sendable {
  private struct State {
    var parser: EventStreamParser
    var ids = EventIDTable()
    var n = 0
    var isReading = false
  }

  private let tap: StreamTap
  private let state: Guarded<State>

  init(_ tap: StreamTap) {
    self.tap = tap
    var random = SystemRandomNumberGenerator()
    var limits = EventStreamParser.Limits()
    // Contents are digested as they pass, and none is kept; of an id no more than a table has room for.
    limits.data = 0
    state = Guarded(
      State(parser: EventStreamParser(keepsData: true, digestKey: random.next(), limits: limits)))
  }

  /// Whether a request is one for an event stream, by the same rule as in a capture.
  static func isAskedFor(by request: URLRequest) -> Bool {
    if request.value(forHTTPHeaderField: "Last-Event-ID") != nil { return true }
    guard request.httpMethod ?? "GET" == "GET" else { return false }
    let accepted = request.value(forHTTPHeaderField: "Accept") ?? ""
    return accepted.split(separator: ",").contains { part in
      EventStreamParser.isMediaType(Array(part.drop { $0 == " " }.utf8).span)
    }
  }

  /// A request is sent, with this `Last-Event-ID`.
  func connect(_ cursor: String?) -> TappedConnection {
    state.withLock { state in
      let id = Array((cursor ?? "").utf8)
      let number = state.ids.number(of: id)
      state.parser.restart(lastEventID: id)
      state.n = 0
      state.isReading = false
      return TappedConnection(stream: self, generation: tap.connect(cursor: number))
    }
  }

  /// Whether the body is an event stream, and is parsed.
  var isReading: Bool {
    get { state.withLock { $0.isReading } }
    set { state.withLock { $0.isReading = newValue } }
  }

  fileprivate func read(_ piece: [UInt8], _ generation: StreamGeneration) {
    let now = TapInstant.now
    state.withLock { state in
      guard state.isReading else { return }
      var offset = 0
      while let item = state.parser.next(piece.span, at: &offset) {
        switch item {
        case .event: event(generation, now, &state)
        case .id: generation.id(state.ids.number(of: state.parser.lastEventID), at: now)
        case .comment: generation.comment(at: now)
        case .retry(let milliseconds): generation.retry(milliseconds: milliseconds, at: now)
        }
      }
    }
  }

  private func event(_ generation: StreamGeneration, _ now: TapInstant, _ state: inout State) {
    state.n += 1
    var block = EventStream.Block(n: state.n)
    if state.parser.hasID {
      let number = state.ids.number(of: state.parser.id)
      block.id = number
      block.revision = state.ids.revision(of: number, digest: state.parser.contentDigest)
    }
    generation.event(block, bytes: state.parser.dataCount, at: now)
  }

  fileprivate func ended(_ code: URLError.Code?, _ generation: StreamGeneration) {
    let partial = state.withLock { $0.isReading ? $0.parser.partialBytes : 0 }
    switch code {
    case nil: generation.cut(.eof, .in, partial: partial)
    case .cancelled?: generation.cut(.local, .out, partial: partial)
    case .networkConnectionLost?: generation.cut(.reset, .in, partial: partial)
    default: generation.cut(.error, .in, partial: partial)
    }
  }
}

/// One connection of a stream.
struct TappedConnection: Sendable {
  let stream: TappedStream
  let generation: StreamGeneration

  func read(_ piece: [UInt8]) { stream.read(piece, generation) }
  func ended(_ code: URLError.Code?) { stream.ended(code, generation) }
}
