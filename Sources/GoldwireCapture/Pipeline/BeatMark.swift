import GoldwireBytes
import GoldwireTrace

/// A message that a preset uses as its heartbeat.
struct BeatMark {
  /// Whether it asks or answers.
  let beat: Beat
  /// What a pong repeats of its ping, for comparison in memory.
  let token: [UInt8]

  /// Judges a message's whole content; nil if it is no heartbeat.
  init?(_ preset: BeatPreset, _ direction: Direction, isText: Bool, _ content: [UInt8]) {
    let found: Beat?
    var token: [UInt8] = []
    switch preset {
    case .engineIO: found = isText ? BeatMark.engineIO(content) : nil
    case .graphqlWS: found = isText ? BeatMark.graphQL(content) : nil
    case .phoenix: found = isText ? BeatMark.phoenix(content, &token) : nil
    case .signalr: found = BeatMark.signalR(content, isText, direction)
    case .stomp: found = BeatMark.isLineEnd(content) ? (direction == .out ? .ping : .pong) : nil
    }
    guard let found else { return nil }
    beat = found
    self.token = token
  }

  /// Engine.IO: the packet types 2 and 3 without data.
  private static func engineIO(_ content: [UInt8]) -> Beat? {
    content == [0x32] ? .ping : content == [0x33] ? .pong : nil
  }

  /// graphql-transport-ws: `{"type":"ping"}` and `{"type":"pong"}`, perhaps with a payload.
  private static func graphQL(_ content: [UInt8]) -> Beat? {
    guard let value = try? JSONValue.parse(content), let type = try? value["type"]?.string() else {
      return nil
    }
    return type == "ping" ? .ping : type == "pong" ? .pong : nil
  }

  /// Phoenix: the event `heartbeat` of the topic `phoenix`, and its reply with the same reference.
  private static func phoenix(_ content: [UInt8], _ token: inout [UInt8]) -> Beat? {
    guard let value = try? JSONValue.parse(content) else { return nil }
    let parts: (reference: JSONValue?, topic: JSONValue?, event: JSONValue?)
    if let items = try? value.elements() {
      guard items.count == 5 else { return nil }
      parts = (items[1], items[2], items[3])
    } else {
      parts = (value["ref"], value["topic"], value["event"])
    }
    guard (try? parts.topic?.string()) == "phoenix" else { return nil }
    token = Array(((try? parts.reference?.string()) ?? "").utf8)
    let event = try? parts.event?.string()
    return event == "heartbeat" ? .ping : event == "phx_reply" ? .pong : nil
  }

  /// SignalR: message type 6, in JSON or MessagePack; each side sends it unasked, so the server's stands for
  /// the answer.
  private static func signalR(_ content: [UInt8], _ isText: Bool, _ direction: Direction) -> Beat? {
    var isPing = content == [0x02, 0x91, 0x06]
    if content.last == 0x1E, let value = try? JSONValue.parse(Array(content.dropLast())) {
      isPing = (try? value["type"]?.whole()) == 6
    }
    return isPing ? (direction == .out ? .ping : .pong) : nil
  }

  /// STOMP: a line end alone.
  private static func isLineEnd(_ content: [UInt8]) -> Bool { content == [0x0A] || content == [0x0D, 0x0A] }
}
