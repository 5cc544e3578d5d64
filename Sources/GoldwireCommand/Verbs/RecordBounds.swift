import GoldwireTrace

/// How large a recording and each of its files may become.
struct RecordBounds: Equatable, Sendable {
  /// The bytes after which the recording ends.
  var most: Int?
  /// The bytes after which another file is begun.
  var fileBytes: Int?
  /// The time after which another file is begun.
  var fileTime: TimeSpan?

  /// Whether the recording goes on in further files.
  var rotates: Bool { fileBytes != nil || fileTime != nil }

  /// Which stretch of time an instant lies in, from 0, and when that stretch began.
  func stretch(_ t: Int, _ unit: Unit) -> (number: Int, begin: Int) {
    guard let fileTime else { return (0, 0) }
    let length = max(1, fileTime.microseconds / (unit == .us ? 1 : 1_000))
    return (t / length, t / length * length)
  }

  /// The name of the file with this number: `chat.jsonl`, `chat1.jsonl`, `chat2.jsonl`.
  ///
  /// The number stands before the suffix, since that says what kind of file it is.
  static func name(_ path: String, _ number: Int) -> String {
    if number == 0 { return path }
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let name = path[start...]
    var stem = name.hasSuffix(".gz") ? name.dropLast(3) : name
    if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = stem[..<dot] }
    return path[..<stem.endIndex] + String(number) + path[stem.endIndex...]
  }
}

extension Arguments {
  /// A flag's size in bytes: millions of bytes, as tcpdump has it, or with K, M or G for 2^10, 2^20 or 2^30.
  func size(_ flag: String) throws(UsageError) -> Int? {
    guard let text = value(flag) else { return nil }
    let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
    let unit = text.last.flatMap { units[Character($0.lowercased())] }
    let digits = unit == nil ? text[...] : text.dropLast()
    let isNumber = digits.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    if isNumber, let number = Int(digits), number > 0 {
      let (bytes, overflow) = number.multipliedReportingOverflow(by: unit ?? 1_000_000)
      if !overflow { return bytes }
    }
    throw error("--\(flag) wants a size: 10 for ten million bytes, or 512K, 10M, 1G")
  }
}
