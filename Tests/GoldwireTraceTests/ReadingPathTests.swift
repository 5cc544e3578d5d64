import GoldwireTestSupport
import Testing

@testable import GoldwireTrace

/// The three ways that a line is read: canonical, plain in any order, and in full.
///
/// The two fast ones give a line only where the full one gives the same without a word to say; whatever else
/// stands there is left to it.
@Suite struct ReadingPathTests {
  /// What the full way makes of a line: nil where it has anything to say.
  private func full(_ bytes: [UInt8]) -> TraceLine? {
    var fields = LineFields(limits: TraceLimits())
    guard (try? fields.read(bytes.span, line: 2)) != nil, let line = fields.traceLine(bytes.span) else {
      return nil
    }
    return fields.ignoredKeys == 0 && fields.failure == nil ? line : nil
  }

  private func plain(_ bytes: [UInt8]) -> TraceLine? {
    // Near the end of the buffer a line is left to the full way.
    let room = Array(repeating: UInt8(ascii: " "), count: 32)
    var fields = PlainFields()
    var line = TraceLine()
    let text = bytes + room
    return fields.read(text.span, into: &line) == bytes.count ? line : nil
  }

  private func line(_ kind: EventKind, _ random: inout RandomTrace) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(random.line(kind, at: random.number()))
    return Array(bytes.dropLast())
  }

  @Test("on a mutated line the fast ways agree with the full one, or leave it", arguments: EventKind.allCases)
  func mutated(kind: EventKind) throws {
    var lines = RandomTrace(seed: 11)
    var random = SeededGenerator(seed: 12)
    var read = 0
    for _ in 0..<400 {
      let bytes = line(kind, &lines)
      let mutant = Bool.random(using: &random) ? bytes.mutated(&random) : bytes.shuffled(&random)
      let expected = full(mutant)
      if let canonical = TraceLine(canonical: mutant.span) { #expect(canonical == expected) }
      if let plain = plain(mutant) {
        #expect(plain == expected)
        read += 1
      }
    }
    // Of those whose members were only moved most are read; else the test would hold of nothing.
    #expect(read > 50)
  }

  @Test(
    "a canonical line is read whatever stands behind it, and nothing of that with it",
    arguments: EventKind.allCases)
  func neighbours(kind: EventKind) throws {
    var lines = RandomTrace(seed: 13)
    for _ in 0..<20 {
      let bytes = line(kind, &lines)
      let canonical = TraceLine(canonical: bytes.span)
      let whole = try #require(canonical)
      for rest in ["", "\n", "\r\n", "\n{", "\n{\"t\":1,\"ch\":\"ws1\"", "}", ",\"bytes\":1}\n", "0"] {
        var read = TraceLine()
        let text = bytes + rest.utf8
        let size = read.read(canonical: text.span)
        #expect(size == bytes.count && read == whole)
      }
      for end in 0..<bytes.count {
        var read = TraceLine()
        let part = Array(bytes[..<end])
        let size = read.read(canonical: part.span)
        #expect(size == 0)
      }
    }
  }
}

extension [UInt8] {
  /// The line with a few bytes changed, taken, put in or doubled.
  fileprivate func mutated(_ random: inout SeededGenerator) -> [UInt8] {
    let alphabet = Array("{}[]\",:0123456789eE.-+\\utfn wshtp\r\u{0}\u{7f}".utf8) + [0x80, 0xFF]
    var mutant = self
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      let place = Int.random(in: 0..<mutant.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: mutant[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      case 1: mutant.remove(at: place)
      case 2: mutant.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &random)], at: place)
      default:
        let end = Swift.min(mutant.count, place + Int.random(in: 1...20, using: &random))
        mutant.insert(contentsOf: mutant[place..<end], at: place)
      }
    }
    return mutant
  }

  /// The line's members in another order, some with spaces between.
  fileprivate func shuffled(_ random: inout SeededGenerator) -> [UInt8] {
    var members: [[UInt8]] = [[]]
    var depth = 0
    for byte in dropFirst().dropLast() {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
      let isEnd = byte == UInt8(ascii: ",") && depth == 0
      if isEnd { members.append([]) } else { members[members.count - 1].append(byte) }
    }
    let spaces = [UInt8](repeating: 0x20, count: Int.random(in: 0..<3, using: &random))
    members.shuffle(using: &random)
    let text = members.map { spaces + $0 + spaces }.joined(separator: [UInt8(ascii: ",")])
    return [UInt8(ascii: "{")] + text + [UInt8(ascii: "}")]
  }
}
