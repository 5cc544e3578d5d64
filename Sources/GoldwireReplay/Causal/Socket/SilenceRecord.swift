/// What was seen of silences and of gaps between pings: on one channel, or in a pool of traces of one server.
struct SilenceRecord: Equatable {
  /// The end of a connection, as far as a silence may be behind it.
  struct Ending: Equatable {
    /// The connection, of the channel itself; nil of another trace.
    var connection: Int?
    var kind: SocketEvidence.IdleLimit.Kind
    var silence: Double
    var line: Int?

    /// The same as one of another trace.
    var anonymous: Ending { Ending(kind: kind, silence: silence) }
  }

  /// The most lengths that are kept, the longest ones.
  static let lengthsKept = 4_096

  /// The lengths of silences after which something came in.
  var survived: [Double] = []
  /// How many there were.
  var count = 0
  var ends: [Ending] = []
  /// The shortest gap of two answered pings, and the longest that was punished.
  var tolerated: Double?
  var punished: Double?
  /// How many were punished.
  var punishments = 0

  /// Adds what another channel saw; its connections are none of this one's.
  mutating func add(_ other: SilenceRecord) {
    survived += other.survived
    count += other.count
    if survived.count > 2 * Self.lengthsKept { trim() }
    ends += other.ends.prefix(max(0, Self.lengthsKept - ends.count)).map(\.anonymous)
    tolerated = [tolerated, other.tolerated].compactMap(\.self).min()
    punished = [punished, other.punished].compactMap(\.self).max()
    punishments += other.punishments
  }

  /// Keeps the longest silences alone.
  mutating func trim() {
    guard survived.count > Self.lengthsKept else { return }
    survived.sort(by: >)
    survived.removeLast(survived.count - Self.lengthsKept)
  }

  /// The same in another unit.
  func scaled(by factor: Double) -> SilenceRecord {
    var record = self
    record.survived = survived.map { $0 * factor }
    record.ends = ends.map { end in
      var end = end
      end.silence *= factor
      return end
    }
    record.tolerated = tolerated.map { $0 * factor }
    record.punished = punished.map { $0 * factor }
    return record
  }
}
