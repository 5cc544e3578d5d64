public import GoldwireTrace

/// The parts of a golden's file name: `TRACE.MACHINE[.VARIANT].golden.jsonl`.
public struct GoldenName: Equatable, Sendable {
  /// How the file name of a golden ends.
  public static let suffix = ".golden.jsonl"

  /// The trace's file name without `.jsonl` or `.jsonl.gz`.
  public var stem: String
  /// The machine.
  public var machine: MachineName
  /// Which of several goldens of one machine over one trace; nil for the plain one.
  public var variant: String?

  /// Makes a name of its parts.
  public init(stem: String, machine: MachineName, variant: String? = nil) {
    self.stem = stem
    self.machine = machine
    self.variant = variant
  }

  /// Reads a file name; where dots make several readings possible, one whose trace is in `stems` comes first.
  public init?(_ file: String, stems: Set<String> = []) {
    guard file.hasSuffix(Self.suffix) else { return nil }
    let parts = file.dropLast(Self.suffix.count).split(separator: ".", omittingEmptySubsequences: false)
    var reading: GoldenName?
    for index in parts.indices.dropFirst().reversed() {
      guard let machine = MachineName(rawValue: String(parts[index])) else { continue }
      let rest = parts[(index + 1)...].joined(separator: ".")
      let name = GoldenName(
        stem: parts[..<index].joined(separator: "."), machine: machine,
        variant: index + 1 < parts.count ? rest : nil)
      if reading == nil || stems.contains(name.stem) { reading = name }
      if stems.contains(name.stem) { break }
    }
    guard let reading else { return nil }
    self = reading
  }

  /// The stems of all traces that a golden's file name could mean.
  static func stems(of file: String) -> [String] {
    guard file.hasSuffix(suffix) else { return [] }
    let parts = file.dropLast(suffix.count).split(separator: ".", omittingEmptySubsequences: false)
    return parts.indices.dropFirst().filter { MachineName(rawValue: String(parts[$0])) != nil }
      .map { parts[..<$0].joined(separator: ".") }
  }

  /// The file name.
  public var file: String {
    stem + "." + machine.rawValue + (variant.map { "." + $0 } ?? "") + Self.suffix
  }

  /// The stem of a trace's file name, or nil if it is none.
  public static func stem(ofTrace file: String) -> String? {
    guard !file.hasSuffix(suffix), !file.hasPrefix(".") else { return nil }
    for ending in [".jsonl.gz", ".jsonl"] where file.hasSuffix(ending) && file.count > ending.count {
      return String(file.dropLast(ending.count))
    }
    return nil
  }
}
