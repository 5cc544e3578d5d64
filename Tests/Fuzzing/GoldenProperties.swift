import GoldwireReplay
import GoldwireTrace

/// Goldens, configurations and locks that can be read are written and read as the same.
enum GoldenProperties {
  static func check(_ input: inout FuzzInput) throws(FuzzFinding) {
    switch input.byte() & 3 {
    case 0, 1:
      let half = input.short()
      try golden(input.rest, half)
    case 2: try configuration(input.rest)
    default: try lock(input.rest)
    }
  }

  private static func configuration(_ bytes: [UInt8]) throws(FuzzFinding) {
    let found = GoldenAudit.findings(inConfiguration: bytes)
    do throws(ReplayError) {
      _ = try Configuration(bytes: bytes).label(Channel(.ws, 1))
    } catch {
      try refused(error)
      try hold(!found.isEmpty, "what cannot be read is a finding")
    }
  }

  private static func lock(_ bytes: [UInt8]) throws(FuzzFinding) {
    let found = GoldenAudit.findings(inLock: bytes) { _ in true }
    let lock: Lock
    do throws(ReplayError) { lock = try Lock(bytes: bytes) } catch {
      try refused(error)
      return try hold(!found.isEmpty, "what cannot be read is a finding")
    }
    let written = lock.bytes()
    try hold((try? Lock(bytes: written)) == lock, "a lock is read as it was written")
    let left = GoldenAudit.findings(inLock: written) { _ in true }
    try hold(left.isEmpty, "a lock that is written passes the audit: \(left)")
    if found.isEmpty { try hold(bytes == written, "a lock without findings is as the writer makes it") }
  }

  private static func refused(_ error: ReplayError) throws(FuzzFinding) {
    try hold(!error.description.contains("\n"), "an error is one line")
  }

  private static func golden(_ bytes: [UInt8], _ half: Int) throws(FuzzFinding) {
    let found = GoldenAudit.findings(inGolden: bytes, file: "trace.heartbeat.golden.jsonl", sets: ["prod"])
    let golden: Golden
    do throws(ReplayError) { golden = try Golden(bytes: bytes) } catch {
      try refused(error)
      return try hold(!found.isEmpty, "what cannot be read is a finding")
    }
    try written(golden)
    if found.isEmpty {
      try hold(bytes == golden.bytes(), "a golden without findings is as the writer makes it")
    }
    try compared(golden.lines, half)
  }

  /// A golden is read as it was written, and written the same again.
  static func written(_ golden: Golden) throws(FuzzFinding) {
    let bytes = golden.bytes()
    guard let again = try? Golden(bytes: bytes) else {
      throw FuzzFinding("a golden that is written can be read: \(String(decoding: bytes, as: UTF8.self))")
    }
    try hold(again.bytes() == bytes, "a golden is written the same again")
    try hold(again.lines == golden.lines, "a golden's lines are read as they were written")
  }

  /// Two parts of the lines held against each other: each is in the pairs once.
  private static func compared(_ lines: [GoldenLine], _ half: Int) throws(FuzzFinding) {
    guard lines.count < 400 else { return }
    let place = lines.isEmpty ? 0 : half % (lines.count + 1)
    let (want, got) = (Array(lines[..<place]), Array(lines[place...]))
    let comparison = Comparison(want: want, got: got)
    try hold(
      comparison.pairs.compactMap(\.want).sorted() == Array(want.indices), "each wanted action is paired once"
    )
    try hold(
      comparison.pairs.compactMap(\.got).sorted() == Array(got.indices), "each action is paired once")
    try hold(Comparison(want: want, got: want).verdict == .same, "what is equal is the same")
  }
}
