internal import GoldwireTrace

/// Which connections of a channel, or requests, of two files belong together, whatever their numbers.
///
/// One more at any place moves the numbers of all behind it, which says nothing of them. Where both files have the same
/// numbers, equal ones belong together.
struct Counterparts {
  /// The most pairs that are weighed against each other in one channel; beyond it those belong together in which the same
  /// happened, in their order.
  static let limit = 1 << 16

  /// A connection or a request of a file.
  private struct Part {
    var number: Int
    var start: Int
    var lines = 0
    var kinds: [String: Int] = [:]
  }

  /// The second file's numbers by the first file's they belong to; those that have none get one that the first lacks.
  private var numbers: [Channel: [Int: Int]] = [:]
  /// What is to be said of it: what belongs together under another number, and what stands alone.
  private(set) var notes: [String] = []

  init(_ one: [DiffLine], _ two: [DiffLine]) {
    let (left, right) = (Self.parts(one), Self.parts(two))
    let horizon = max(one.last?.t ?? 0, two.last?.t ?? 0, 1)
    for channel in left.keys.sorted() {
      guard let first = left[channel], let second = right[channel] else { continue }
      pair(channel, first, second, horizon)
    }
  }

  /// The line of the second file with the first file's number.
  func renumbered(_ line: DiffLine) -> DiffLine {
    guard let channel = line.channel, let number = line.part, let other = numbers[channel]?[number] else {
      return line
    }
    return line.numbered(other)
  }

  private static func parts(_ lines: [DiffLine]) -> [Channel: [Part]] {
    var parts: [Channel: [Part]] = [:]
    var places: [Channel: [Int: Int]] = [:]
    for line in lines {
      guard let channel = line.channel, let number = line.part else { continue }
      let place = places[channel]?[number] ?? parts[channel, default: []].count
      if places[channel]?[number] == nil {
        places[channel, default: [:]][number] = place
        parts[channel, default: []].append(Part(number: number, start: line.t))
      }
      parts[channel]?[place].lines += 1
      parts[channel]?[place].kinds[line.signature, default: 0] += 1
    }
    return parts.mapValues { $0.sorted { $0.number < $1.number } }
  }

  /// How well two belong together: by what happened in them, and a little by when they began.
  private static func likeness(_ one: Part, _ two: Part, _ horizon: Int) -> Double {
    var common = 0
    for (kind, count) in one.kinds { common += min(count, two.kinds[kind] ?? 0) }
    let apart = min(1, abs(Double(one.start) - Double(two.start)) / Double(horizon))
    return 2 * Double(common) / Double(one.lines + two.lines) + 0.05 * (1 - apart)
  }

  private mutating func pair(_ channel: Channel, _ one: [Part], _ two: [Part], _ horizon: Int) {
    guard one.map(\.number) != two.map(\.number) else { return }
    let pairs =
      one.count <= Self.limit / two.count ? Self.weighed(one, two, horizon) : Self.matched(one, two)
    take(channel, one, two, pairs)
  }

  /// The pairs of places that are the most alike all together.
  private static func weighed(_ one: [Part], _ two: [Part], _ horizon: Int) -> [(Int, Int)] {
    let width = two.count + 1
    var best = [Double](repeating: 0, count: (one.count + 1) * width)
    for i in one.indices.reversed() {
      for j in two.indices.reversed() {
        let both = best[(i + 1) * width + j + 1] + likeness(one[i], two[j], horizon)
        best[i * width + j] = max(both, best[(i + 1) * width + j], best[i * width + j + 1])
      }
    }
    var (i, j) = (0, 0)
    var pairs: [(Int, Int)] = []
    while i < one.count, j < two.count {
      let here = best[i * width + j]
      if here > best[(i + 1) * width + j], here > best[i * width + j + 1] {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }

  /// The pairs of places in which the same happened, in their order, and what stands across between them.
  private static func matched(_ one: [Part], _ two: [Part]) -> [(Int, Int)] {
    Alignment.matches(Array(one.indices), Array(two.indices)) { one[$0].kinds == two[$1].kinds }
      .compactMap { left, right in left.flatMap { left in right.map { (left, $0) } } }
  }

  private mutating func take(_ channel: Channel, _ one: [Part], _ two: [Part], _ places: [(Int, Int)]) {
    let pairs = places.map { (one[$0].number, two[$1].number) }
    let (known, met) = (Set(places.map(\.0)), Set(places.map(\.1)))
    let lost = one.indices.filter { !known.contains($0) }.map { one[$0].number }
    let new = two.indices.filter { !met.contains($0) }.map { two[$0].number }
    guard !lost.isEmpty || !new.isEmpty || pairs.contains(where: { $0.0 != $0.1 }) else { return }
    var free = one.map(\.number).max() ?? 0
    for (left, right) in pairs { numbers[channel, default: [:]][right] = left }
    for right in new {
      free += 1
      numbers[channel, default: [:]][right] = free
    }
    tell(channel, pairs, lost, new)
  }

  private mutating func tell(_ channel: Channel, _ pairs: [(Int, Int)], _ lost: [Int], _ new: [Int]) {
    let mark = channel.family == .http ? " r" : "#"
    func names(_ numbers: [Int]) -> String {
      let some = numbers.prefix(8).map { "\(channel)\(mark)\($0)" }.joined(separator: ", ")
      return numbers.count > 8 ? "\(some) and \(numbers.count - 8) more" : some
    }
    func verb(_ numbers: [Int]) -> String { numbers.count == 1 ? "is" : "are" }
    if !lost.isEmpty { notes.append("\(names(lost)) \(verb(lost)) no longer there") }
    if !new.isEmpty { notes.append("\(names(new)) of the second \(verb(new)) new") }
    let moved = pairs.filter { $0.0 != $0.1 }
    guard let first = moved.first else { return }
    let words = "\(channel)\(mark)\(first.0) is \(channel)\(mark)\(first.1) in the second"
    notes.append(moved.count == 1 ? words : "\(words), and so with \(moved.count - 1) more")
  }
}
