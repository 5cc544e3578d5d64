/// Finds the word that was perhaps meant.
package enum Spelling {
  /// The nearest of the words, if one is near enough to be worth naming.
  package static func nearest(_ word: String, among words: [String]) -> String? {
    let typed = Array(word.utf8.prefix(40))
    if typed.count >= 2, let whole = words.first(where: { $0.utf8.starts(with: typed) }) { return whole }
    var best: (word: String, distance: Int)?
    for candidate in words {
      let distance = distance(typed, Array(candidate.utf8))
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(1, max(typed.count, best.word.utf8.count) / 3) else { return nil }
    return best.word
  }

  /// `; did you mean 'show'?`, or nothing.
  package static func hint(_ word: String, among words: [String]) -> String {
    nearest(word, among: words).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The number of letters to insert, drop, change or swap with a neighbour.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var older = [Int](repeating: 0, count: right.count + 1)
    var old = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var row = [i + 1]
      for (j, other) in right.enumerated() {
        var cost = min(old[j] + (letter == other ? 0 : 1), old[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other { cost = min(cost, older[j - 1] + 1) }
        row.append(cost)
      }
      (older, old) = (old, row)
    }
    return old[right.count]
  }
}
