package import GoldwireTrace

/// A line of a trace in words: who acts, and what happens.
package struct Phrase: Equatable, Sendable {
  /// Where the words stand.
  package enum Side: String, CaseIterable, Sendable {
    /// The client sends it: on the left, with an arrow to the right.
    case sent
    /// The client does it, and nothing is sent: on the left.
    case client
    /// The peer or the network does it: on the right, with an arrow from there.
    case peer
    /// The app, the device or a handler does it: on the right.
    case local
    /// The recorder remarks it: on the right.
    case recorder
  }

  /// What it is for the life of its generation.
  package enum Effect: Sendable {
    case none, begins, ends, gap
  }

  /// Where the words stand.
  package var side: Side
  /// The words.
  package var text: String
  /// What kind of thing it is.
  package var tone: Theme.Tone
  /// What it is for the life of its generation.
  package var effect: Effect

  init(_ side: Side, _ text: String, _ tone: Theme.Tone? = nil, _ effect: Effect = .none) {
    self.side = side
    self.text = text
    self.tone = tone ?? (side == .sent || side == .client ? .action : side == .recorder ? .faint : .plain)
    self.effect = effect
  }

  /// Puts an event into words.
  package init(_ event: TraceEvent, unit: Unit) {
    switch event {
    case .wsConnect, .wsAttach, .wsOpen, .wsRefused, .wsPing, .wsPong, .wsPinged, .wsMessage, .wsClose,
      .wsEnd:
      self = .webSocket(event, unit)
    case .httpSend, .httpResponse, .httpBody, .httpError, .httpWait, .httpCancel, .httpStop:
      self = .http(event, unit)
    case .sseConnect, .sseOpen, .sseEvent, .sseID, .sseComment, .sseRetry, .sseHandled, .sseCommit, .sseCut,
      .sseCancel:
      self = .stream(event, unit)
    case .appBackground, .appForeground, .appNetwork, .appSession, .recTick, .recPause, .recWall, .recLife,
      .recGap, .recOpaque, .recNote, .recDrop, .recEnd:
      self = .surroundings(event, unit)
    }
  }
}

/// Joins the parts of a sentence that are there.
func sentence(_ parts: String?...) -> String { parts.compactMap(\.self).joined(separator: ", ") }

extension Direction {
  /// Who does what goes this way.
  var side: Phrase.Side { self == .out ? .sent : .peer }
}
