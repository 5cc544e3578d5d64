/// What a perfect reader finds in a capture: how many lines of each kind, and the sums of their bytes.
///
/// A kind is the event's name in a trace and the words that tell such events apart: `ws.message in text`.
public struct CaptureTruth: Equatable, Sendable {
  /// How many events there are of each kind.
  public var counts: [String: Int] = [:]
  /// The bytes of all events of a kind together, where such events have any.
  public var sums: [String: Int] = [:]
  /// Packets, without those that were left out.
  public var packets = 0
  /// Packets that were left out.
  public var dropped = 0
  /// TCP connections.
  public var connections = 0
  /// Segments that stand in the capture twice.
  public var again = 0
  /// Segments that stand behind a later one.
  public var late = 0

  /// Makes the truth about nothing.
  public init() {}

  /// Counts an event.
  public mutating func count(_ kind: String, bytes: Int? = nil) {
    counts[kind, default: 0] += 1
    if let bytes { sums[kind, default: 0] += bytes }
  }

  /// The truth as a JSON object, keys sorted, one a line.
  public func json(_ options: GeneratorOptions) -> String {
    var rows = [
      "\"connections\": \(connections)", "\"packets\": \(packets)", "\"dropped\": \(dropped)",
      "\"again\": \(again)", "\"late\": \(late)",
    ]
    rows.insert(
      """
      "options": {"connections": \(options.connections), "seed": \(options.seed), \
      "targetBytes": \(options.targetBytes), "payload": \(options.payload), \
      "shuffle": \(options.shuffle), "drop": \(options.drop), "pcapng": \(options.isPcapng)}
      """, at: 0)
    for (name, table) in [("counts", counts), ("sums", sums)] {
      let inner = table.sorted { $0.key < $1.key }.map { "    \"\($0.key)\": \($0.value)" }
      rows.append("\"\(name)\": {\n\(inner.joined(separator: ",\n"))\n  }")
    }
    return "{\n  " + rows.joined(separator: ",\n  ") + "\n}\n"
  }
}
