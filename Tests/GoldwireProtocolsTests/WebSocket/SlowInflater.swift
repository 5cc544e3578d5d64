import GoldwireProtocols

/// A small raw-deflate decompressor (RFC 1951) for tests: it decodes all input since the last reset anew at each step.
final class SlowInflater: Inflating {
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var given = 0
  private(set) var resets = 0
  private var window: [UInt8] = []

  func goOn() {
    window = output
    (input, given) = ([], window.count)
  }

  func reset() {
    (input, output, window, given) = ([], [], [], 0)
    resets += 1
  }

  func inflate(_ piece: Span<UInt8>, into space: inout OutputSpan<UInt8>) -> InflateStep {
    for index in piece.indices { input.append(piece[index]) }
    var run = SlowInflateRun(input, behind: window)
    let end = run.decode()
    output = run.output
    while given < output.count, space.freeCapacity > 0 {
      space.append(output[given])
      given += 1
    }
    let isAllGiven = given == output.count
    switch end {
    case .needsMore: return InflateStep(consumed: piece.count, status: .more)
    case .ended: return InflateStep(consumed: piece.count, status: isAllGiven ? .ended : .more)
    case .failed: return InflateStep(consumed: piece.count, status: isAllGiven ? .failed : .more)
    }
  }
}

/// One run over the input from its start.
private struct SlowInflateRun {
  enum End { case needsMore, ended, failed }
  private struct Stop: Error { let end: End }

  private let input: [UInt8]
  private var bit = 0
  private(set) var output: [UInt8] = []

  init(_ input: [UInt8], behind window: [UInt8]) {
    self.input = input
    output = window
  }

  mutating func decode() -> End {
    do {
      while try block() {}
      return .ended
    } catch let stop as Stop {
      return stop.end
    } catch {
      return .failed
    }
  }

  private mutating func bits(_ count: Int) throws -> Int {
    guard bit + count <= input.count * 8 else { throw Stop(end: .needsMore) }
    var value = 0
    for index in 0..<count {
      value |= Int(input[bit / 8] >> UInt8(bit % 8) & 1) << index
      bit += 1
    }
    return value
  }

  /// Decodes a block; false if it is the last.
  private mutating func block() throws -> Bool {
    let isLast = try bits(1) == 1
    switch try bits(2) {
    case 0: try stored()
    case 1:
      let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
      try symbols(SlowCode(lengths), SlowCode([Int](repeating: 5, count: 30)))
    case 2:
      let (literals, distances) = try tables()
      try symbols(SlowCode(literals), SlowCode(distances))
    default: throw Stop(end: .failed)
    }
    return !isLast
  }

  private mutating func stored() throws {
    bit = (bit + 7) / 8 * 8
    let count = try bits(16)
    guard try bits(16) == count ^ 0xFFFF else { throw Stop(end: .failed) }
    for _ in 0..<count { output.append(UInt8(try bits(8))) }
  }

  private mutating func tables() throws -> ([Int], [Int]) {
    let (literals, distances, codes) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
    var codeLengths = [Int](repeating: 0, count: 19)
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    for index in 0..<codes { codeLengths[order[index]] = try bits(3) }
    let code = SlowCode(codeLengths)
    var lengths: [Int] = []
    while lengths.count < literals + distances {
      switch try symbol(code) {
      case let length where length < 16: lengths.append(length)
      case 16: lengths += [Int](repeating: lengths.last ?? 0, count: try bits(2) + 3)
      case 17: lengths += [Int](repeating: 0, count: try bits(3) + 3)
      default: lengths += [Int](repeating: 0, count: try bits(7) + 11)
      }
    }
    return (Array(lengths[..<literals]), Array(lengths[literals...]))
  }

  /// The next symbol of a canonical code.
  private mutating func symbol(_ code: SlowCode) throws -> Int {
    var value = 0
    var first = 0
    for symbols in code.byLength {
      value = value << 1 | (try bits(1))
      if value - first < symbols.count { return symbols[value - first] }
      first = (first + symbols.count) << 1
    }
    throw Stop(end: .failed)
  }

  private mutating func symbols(_ literals: SlowCode, _ distances: SlowCode) throws {
    while true {
      let value = try symbol(literals)
      if value == 256 { return }
      guard value > 256 else {
        output.append(UInt8(value))
        continue
      }
      guard value < 286 else { throw Stop(end: .failed) }
      let length = try self.length(value)
      let code = try symbol(distances)
      guard code < 30 else { throw Stop(end: .failed) }
      let extra = max(code / 2 - 1, 0)
      let distance = (code < 2 ? code : (2 + code % 2) << extra) + 1 + (try bits(extra))
      guard distance <= output.count else { throw Stop(end: .failed) }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  private mutating func length(_ symbol: Int) throws -> Int {
    let code = symbol - 257
    if code == 28 { return 258 }
    let extra = max(code / 4 - 1, 0)
    return (code < 8 ? code : (4 + code % 4) << extra) + 3 + (try bits(extra))
  }
}

/// A canonical code: its symbols by the length of their bits, from 1 to 15.
private struct SlowCode {
  private(set) var byLength: [[Int]] = Array(repeating: [], count: 15)

  init(_ lengths: [Int]) {
    for (symbol, length) in lengths.enumerated() where length > 0 { byLength[length - 1].append(symbol) }
  }
}
