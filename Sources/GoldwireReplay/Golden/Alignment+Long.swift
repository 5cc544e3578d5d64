extension Alignment {
  /// The most differences of long sequences that a longest common part is looked for with; beyond it elements pair by
  /// place.
  static let differenceLimit = 1_500

  /// A longest common part of two long sequences that differ in little, as pairs of places; nil where they differ in too
  /// much.
  ///
  /// Source: Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, the greedy algorithm.
  static func common(
    _ left: [Int], _ right: [Int], _ isSame: (Int, Int) -> Bool
  ) -> [(left: Int, right: Int)]? {
    // How far each diagonal reaches on the left, after each number of differences.
    var history: [[Int32]] = []
    var reach = [Int](repeating: 0, count: 2 * differenceLimit + 3)
    let middle = differenceLimit + 1
    for differences in 0...differenceLimit {
      for diagonal in stride(from: -differences, through: differences, by: 2) {
        let (below, above) = (reach[middle + diagonal - 1], reach[middle + diagonal + 1])
        var i = diagonal == -differences || diagonal != differences && below < above ? above : below + 1
        while i < left.count, i - diagonal < right.count, i - diagonal >= 0,
          isSame(left[i], right[i - diagonal])
        {
          i += 1
        }
        reach[middle + diagonal] = i
        if i >= left.count, i - diagonal >= right.count {
          return path(history, left.count, right.count)
        }
      }
      history.append(
        reach[(middle - differences)...(middle + differences)].map { Int32(clamping: $0) })
    }
    return nil
  }

  /// The equal places of the shortest way, found from its end.
  private static func path(_ history: [[Int32]], _ left: Int, _ right: Int) -> [(left: Int, right: Int)] {
    var pairs: [(left: Int, right: Int)] = []
    var (i, j) = (left, right)
    for differences in stride(from: history.count, to: 0, by: -1) {
      let (before, diagonal) = (history[differences - 1], i - j)
      func reached(_ diagonal: Int) -> Int {
        let index = diagonal + differences - 1
        return before.indices.contains(index) ? Int(before[index]) : 0
      }
      let isDown =
        diagonal == -differences || diagonal != differences && reached(diagonal - 1) < reached(diagonal + 1)
      let from = isDown ? diagonal + 1 : diagonal - 1
      let start = reached(from)
      let behind = isDown ? start : start + 1
      while i > behind {
        (i, j) = (i - 1, j - 1)
        pairs.append((i, j))
      }
      (i, j) = (start, start - from)
    }
    while i > 0, j > 0 {
      (i, j) = (i - 1, j - 1)
      pairs.append((i, j))
    }
    return pairs.reversed()
  }
}
