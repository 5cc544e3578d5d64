/// Pairs the elements of two sequences: the longest common part, and what stands across between.
enum Alignment {
  /// The largest table that a longest common part is looked for in; beyond it one is looked for that leaves out little.
  static let tableLimit = 1 << 20

  /// Pairs the elements of two sequences, those of each place by themselves, in the order of their instants.
  static func pairs<Element, Place: Hashable>(
    _ left: [Element], _ right: [Element], place: (Element) -> Place, instant: (Element) -> Int,
    isSame: (Element, Element) -> Bool
  ) -> [(Int?, Int?)] {
    var order: [Place] = []
    var sides: [Place: (left: [Int], right: [Int])] = [:]
    for (index, element) in left.enumerated() {
      let place = place(element)
      if sides[place] == nil { order.append(place) }
      sides[place, default: ([], [])].left.append(index)
    }
    for (index, element) in right.enumerated() {
      let place = place(element)
      if sides[place] == nil { order.append(place) }
      sides[place, default: ([], [])].right.append(index)
    }
    var pairs: [(t: Int, left: Int?, right: Int?)] = []
    for place in order {
      guard let side = sides[place] else { continue }
      for (l, r) in matches(side.left, side.right, isSame: { isSame(left[$0], right[$1]) }) {
        let t = min(l.map { instant(left[$0]) } ?? .max, r.map { instant(right[$0]) } ?? .max)
        pairs.append((t, l, r))
      }
    }
    return pairs.enumerated().sorted { one, two in
      one.element.t != two.element.t ? one.element.t < two.element.t : one.offset < two.offset
    }.map { ($0.element.left, $0.element.right) }
  }

  /// Pairs elements by `isSame`; nil stands where one side has nothing.
  static func matches(
    _ left: [Int], _ right: [Int], isSame: (Int, Int) -> Bool
  ) -> [(Int?, Int?)] {
    var start = 0
    let shorter = min(left.count, right.count)
    while start < shorter, isSame(left[start], right[start]) { start += 1 }
    var tail = 0
    while tail < shorter - start, isSame(left[left.count - 1 - tail], right[right.count - 1 - tail]) {
      tail += 1
    }
    var pairs: [(Int?, Int?)] = (0..<start).map { (left[$0], right[$0]) }
    pairs += middle(
      Array(left[start..<(left.count - tail)]), Array(right[start..<(right.count - tail)]), isSame)
    pairs += (0..<tail).map { (left[left.count - tail + $0], right[right.count - tail + $0]) }
    return pairs
  }

  private static func middle(
    _ left: [Int], _ right: [Int], _ isSame: (Int, Int) -> Bool
  ) -> [(Int?, Int?)] {
    guard !left.isEmpty, !right.isEmpty else { return across(left[...], right[...]) }
    guard left.count <= tableLimit / right.count else { return long(left, right, isSame) }
    let width = right.count + 1
    var longest = [Int32](repeating: 0, count: (left.count + 1) * width)
    for i in left.indices.reversed() {
      for j in right.indices.reversed() {
        longest[i * width + j] =
          isSame(left[i], right[j])
          ? longest[(i + 1) * width + j + 1] + 1
          : max(longest[(i + 1) * width + j], longest[i * width + j + 1])
      }
    }
    var pairs: [(Int?, Int?)] = []
    var (i, j, oldI, oldJ) = (0, 0, 0, 0)
    while i < left.count, j < right.count {
      if isSame(left[i], right[j]) {
        pairs += across(left[oldI..<i], right[oldJ..<j])
        pairs.append((left[i], right[j]))
        (i, j) = (i + 1, j + 1)
        (oldI, oldJ) = (i, j)
      } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs + across(left[oldI...], right[oldJ...])
  }

  /// Pairs sequences that are too long for a table.
  private static func long(
    _ left: [Int], _ right: [Int], _ isSame: (Int, Int) -> Bool
  ) -> [(Int?, Int?)] {
    guard let common = common(left, right, isSame) else { return across(left[...], right[...]) }
    var pairs: [(Int?, Int?)] = []
    var (oldI, oldJ) = (0, 0)
    for (i, j) in common {
      pairs += across(left[oldI..<i], right[oldJ..<j])
      pairs.append((left[i], right[j]))
      (oldI, oldJ) = (i + 1, j + 1)
    }
    return pairs + across(left[oldI...], right[oldJ...])
  }

  /// Pairs what stands across from each other, and leaves the rest alone.
  private static func across(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>) -> [(Int?, Int?)] {
    let (left, right) = (Array(left), Array(right))
    return (0..<max(left.count, right.count)).map { index in
      (index < left.count ? left[index] : nil, index < right.count ? right[index] : nil)
    }
  }
}
