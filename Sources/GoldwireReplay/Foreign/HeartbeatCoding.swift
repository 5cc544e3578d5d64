internal import GoldwireMachines
internal import GoldwireTrace

/// A heartbeat's events and actions as JSON.
enum HeartbeatCoding: ForeignCoding {
  static func bytes(_ event: Heartbeat.Event) -> [UInt8] {
    switch event {
    case .connect(let generation): named("connect", generation)
    case .resume(let generation, let id): named("resume", generation) + optional("ping", id)
    case .opened(let generation): named("opened", generation)
    case .pong(let generation, let id): named("pong", generation) + optional("id", id)
    case .pinged(let generation, let id, let result):
      named("pinged", generation) + optional("id", id) + Array(",\"result\":\"\(result.rawValue)\"".utf8)
    case .inbound(let generation): named("inbound", generation)
    case .ended(let generation, let cause, let code):
      named("ended", generation) + Array(",\"why\":\"\(cause.rawValue)\"".utf8) + optional("code", code)
    case .userClose(let generation): named("userClose", generation)
    case .background: named("background", nil)
    case .foreground: named("foreground", nil)
    case .network(let available): named("network", nil) + Array(",\"available\":\(available)".utf8)
    }
  }

  static func action(_ line: GoldenLine) -> Heartbeat.Action? {
    guard let generation = line.generation else { return nil }
    switch line.action {
    case .ping: return .ping(generation)
    case .close: return .close(generation)
    case .ended: return .ended(generation)
    default: return nil
    }
  }

  static func follow(_ event: Heartbeat.Event, _ track: inout ForeignTrack) {
    switch event {
    case .connect(let generation):
      guard generation > track.generation else { return }
      track.begin(generation)
      track.isConnecting = true
    case .resume(let generation, _):
      track.begin(generation)
      track.isOpen = true
    case .opened(let generation):
      if generation == track.generation, track.isConnecting {
        (track.isConnecting, track.isOpen) = (false, true)
      }
    case .pong(let generation, _), .pinged(let generation, _, .ok):
      if generation == track.generation { track.isAwaiting = false }
    default: break
    }
  }

  static func follow(_ line: GoldenLine, _ track: inout ForeignTrack) {
    guard line.generation == track.generation else { return }
    if line.action == .ping {
      track.isAwaiting = true
    } else {
      (track.isConnecting, track.isOpen, track.isAwaiting) = (false, false, false)
    }
  }

  /// The event's word, and the connection that it is of.
  private static func named(_ word: String, _ generation: Int?) -> [UInt8] {
    Array(",\"event\":\"\(word)\"".utf8) + optional("gen", generation)
  }

  private static func optional(_ key: String, _ number: Int?) -> [UInt8] {
    number.map { Array(",\"\(key)\":\($0)".utf8) } ?? []
  }
}
