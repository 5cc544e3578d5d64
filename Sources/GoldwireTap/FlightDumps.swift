/// Where a flight recorder writes by itself, and when.
public struct FlightDumps: Equatable, Sendable {
  /// The file: `flight.jsonl` becomes `flight.1.jsonl`, `flight.2.jsonl` …; compressed where the name ends in `.gz`.
  public var path: String
  /// What makes it write.
  public var triggers: [FlightTrigger]
  /// The most files that it writes.
  public var mostFiles: Int

  /// Makes a plan of at most so many dumps beside `path`.
  public init(to path: String, on triggers: [FlightTrigger], mostFiles: Int = 8) {
    self.path = path
    self.triggers = triggers
    self.mostFiles = mostFiles
  }

  /// The path of a dump, numbered from 1, with the number before `.jsonl` and `.gz`.
  func path(of number: Int) -> String {
    for suffix in [".jsonl.gz", ".jsonl", ".gz"] where path.hasSuffix(suffix) {
      return path.dropLast(suffix.count) + ".\(number)" + suffix
    }
    return path + ".\(number)"
  }
}
