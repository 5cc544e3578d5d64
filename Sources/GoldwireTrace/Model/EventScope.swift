/// What an event belongs to: the `ch` and `gen` that its line has.
struct EventScope: Equatable, Sendable {
  /// Whether a key stands on the line.
  enum Presence: Sendable {
    case required, optional, absent
  }

  /// The family that the channel must have, or nil for any.
  var family: Channel.Family?
  /// Whether there is a channel.
  var channel: Presence
  /// Whether there is a generation.
  var generation: Presence

  /// Whether a line with this channel and generation has the scope.
  @inline(__always)
  func accepts(_ channel: Channel?, _ generation: Int?) -> Bool {
    if let channel {
      if self.channel == .absent { return false }
      if let family, family != channel.family { return false }
    } else if self.channel == .required {
      return false
    }
    switch self.generation {
    case .required: return generation != nil
    case .absent: return generation == nil
    case .optional: return generation == nil || channel != nil
    }
  }
}

extension EventKind {
  /// What the event belongs to.
  var scope: EventScope {
    switch self {
    case .wsConnect, .wsAttach, .wsOpen, .wsRefused, .wsPing, .wsPong, .wsPinged, .wsMessage, .wsClose,
      .wsEnd:
      EventScope(family: .ws, channel: .required, generation: .required)
    case .httpSend, .httpResponse, .httpBody, .httpError, .httpWait, .httpCancel, .httpStop:
      EventScope(family: .http, channel: .required, generation: .optional)
    case .sseConnect, .sseOpen, .sseEvent, .sseID, .sseComment, .sseRetry, .sseHandled, .sseCut:
      EventScope(family: .sse, channel: .required, generation: .required)
    case .sseCommit, .sseCancel:
      EventScope(family: .sse, channel: .required, generation: .optional)
    case .recTick: EventScope(family: nil, channel: .required, generation: .optional)
    case .recLife: EventScope(family: nil, channel: .required, generation: .required)
    case .recOpaque: EventScope(family: nil, channel: .required, generation: .optional)
    case .recGap, .recNote, .recPause, .recWall:
      EventScope(family: nil, channel: .optional, generation: .optional)
    case .appBackground, .appForeground, .appNetwork, .appSession, .recDrop, .recEnd:
      EventScope(family: nil, channel: .absent, generation: .absent)
    }
  }
}
