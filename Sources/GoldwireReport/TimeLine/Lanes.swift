package import GoldwireTrace

/// One connection of a channel; the connections of an HTTP origin, which live side by side, share one lane.
package struct Lane: Hashable, Sendable {
  /// The channel.
  package var channel: Channel
  /// The generation, or 0 for all.
  package var generation: Int

  /// The lane that a line belongs to, or nil if it concerns all channels.
  package init?(_ line: TraceLine) {
    guard let channel = line.channel else { return nil }
    self.channel = channel
    generation = channel.family == .http ? 0 : line.generation ?? 0
  }
}

/// Which connections live, and in which column each is drawn.
package struct Lanes: Sendable {
  /// What a column shows on one row.
  package enum Cell: Equatable, Sendable {
    case free, live, superseded, begin, mark, late, end, gap
  }

  /// How an event stands to its generation.
  package enum Standing: Equatable, Sendable {
    /// It is the current one's.
    case current
    /// A newer generation was made before it.
    case old(current: Int)
    /// Its own generation has ended before it.
    case ended
  }

  /// The most columns that are drawn; what begins beyond them has none.
  package static let limit = 12

  private struct Slot: Equatable, Sendable {
    var lane: Lane
    var isSuperseded: Bool
  }

  private struct Latest: Sendable {
    var generation: Int
    var hasEnded: Bool
  }

  private var slots: [Slot?] = []
  private var latest: [Channel: Latest] = [:]

  package init() {}

  /// Takes a line in, and tells the columns of its row and how it stands to its generation.
  package mutating func take(_ line: TraceLine, _ effect: Phrase.Effect) -> (
    cells: [Cell], standing: Standing
  ) {
    guard let lane = Lane(line) else {
      return (effect == .gap ? cells.map { $0 == .free ? .free : .gap } : cells, .current)
    }
    let standing = stand(lane, effect)
    let column = slots.firstIndex { $0?.lane == lane }
    if let column {
      var row = cells
      row[column] = cell(effect, standing, isNew: false)
      if effect == .ends { slots[column] = nil }
      return (trimmed(row), standing)
    }
    guard let column = place() else { return (cells, standing) }
    slots[column] = Slot(lane: lane, isSuperseded: false)
    var row = cells
    row[column] = cell(effect, standing, isNew: true)
    if standing != .current || effect == .ends || isPassing(lane, effect) { slots[column] = nil }
    return (trimmed(row), standing)
  }

  /// The columns of a row on which nothing happens.
  package var cells: [Cell] {
    trimmed(slots.map { slot in slot.map { $0.isSuperseded ? .superseded : .live } ?? .free })
  }

  /// How many generations have not ended.
  package var liveCount: Int { slots.count { $0 != nil } }

  private mutating func stand(_ lane: Lane, _ effect: Phrase.Effect) -> Standing {
    guard lane.generation > 0, let known = latest[lane.channel] else {
      latest[lane.channel] = Latest(generation: lane.generation, hasEnded: effect == .ends)
      return .current
    }
    if lane.generation < known.generation { return .old(current: known.generation) }
    let isNew = lane.generation > known.generation
    if isNew {
      for index in slots.indices where slots[index]?.lane.channel == lane.channel {
        slots[index]?.isSuperseded = true
      }
    }
    let hadEnded = known.hasEnded && !isNew
    latest[lane.channel] = Latest(generation: lane.generation, hasEnded: hadEnded || effect == .ends)
    return hadEnded ? .ended : .current
  }

  private func cell(_ effect: Phrase.Effect, _ standing: Standing, isNew: Bool) -> Cell {
    if effect == .gap { return .gap }
    if effect == .ends { return .end }
    if standing != .current { return .late }
    return isNew ? .begin : .mark
  }

  /// Connections that nothing is known of but their begin and end have no column in between.
  private func isPassing(_ lane: Lane, _ effect: Phrase.Effect) -> Bool {
    lane.channel.family == .tcp || lane.channel.family == .tls
  }

  private mutating func place() -> Int? {
    if let free = slots.firstIndex(of: nil) { return free }
    guard slots.count < Self.limit else { return nil }
    slots.append(nil)
    return slots.count - 1
  }

  private func trimmed(_ row: [Cell]) -> [Cell] {
    var row = row
    while row.last == .free { row.removeLast() }
    return row
  }
}
