/// Does many things that mostly wait, so many at once.
struct Crew: Sendable {
  /// Between the first beginnings: what begins at once is slow at once.
  private static let apart = Duration.milliseconds(20)

  private let size: Int

  init(_ size: Int) { self.size = max(1, size) }

  /// The results in the order of the things; the first failure ends it.
  func map<Thing: Sendable, Result: Sendable>(
    _ things: [Thing], _ work: @escaping @Sendable (Thing) async throws -> Result
  ) async throws -> [Result] {
    var results = [Result?](repeating: nil, count: things.count)
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var next = 0
      func begin() {
        guard next < things.count else { return }
        let (place, thing) = (next, things[next])
        next += 1
        group.addTask { (place, try await work(thing)) }
      }
      for _ in 0..<size {
        begin()
        try await Task.sleep(for: Self.apart)
      }
      while let (place, result) = try await group.next() {
        results[place] = result
        begin()
      }
    }
    return results.compactMap(\.self)
  }
}
