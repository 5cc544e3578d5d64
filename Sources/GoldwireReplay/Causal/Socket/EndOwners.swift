/// Which recorded end each predicted one stands for: at most one, and each recorded end for one cause.
///
/// An end that a recorded end causes stands for that one. Of the others each stands for the nearest that is left.
struct EndOwners {
  /// The places of the recorded connections that opened and ended.
  let recorded: [Int]
  private let instants: [Int: Double]
  private let reach: Double
  private var places: [SocketWorld.Origin: Int] = [:]
  private var owned: Set<Int> = []

  /// `recorded` are places, numbers and ends of connections; `reach` is how far an end may move and still be the same.
  init(
    _ ends: [SocketPrediction.End], recorded: [(place: Int, number: Int, end: Double)], _ reach: Double
  ) {
    self.recorded = recorded.map(\.place)
    instants = Dictionary(recorded.map { ($0.place, $0.end) }, uniquingKeysWith: { first, _ in first })
    self.reach = reach
    let numbers = Dictionary(recorded.map { ($0.number, $0.place) }, uniquingKeysWith: { first, _ in first })
    for end in ends {
      guard case .end(let number) = end.origin, let place = numbers[number], isNear(end, place) else {
        continue
      }
      places[end.origin] = place
      owned.insert(place)
    }
    for end in ends where places[end.origin] == nil {
      if case .end = end.origin { continue }
      let left = self.recorded.filter { !owned.contains($0) && isNear(end, $0) }
      guard let place = left.min(by: { distance(end, $0) < distance(end, $1) }) else { continue }
      places[end.origin] = place
      owned.insert(place)
    }
  }

  /// The place of the recorded end that ends of an origin stand for.
  subscript(origin: SocketWorld.Origin) -> Int? { places[origin] }

  /// Whether any world has the end of that place.
  func isOwned(_ place: Int) -> Bool { owned.contains(place) }

  /// Whether any connection ended about then.
  func near(_ end: SocketPrediction.End) -> Bool { recorded.contains { isNear(end, $0) } }

  private func isNear(_ end: SocketPrediction.End, _ place: Int) -> Bool {
    guard let instant = instants[place] else { return false }
    return end.earliest - reach <= instant && instant <= end.latest + reach
  }

  private func distance(_ end: SocketPrediction.End, _ place: Int) -> Double {
    let instant = instants[place] ?? .infinity
    return max(0, max(end.earliest - instant, instant - end.latest))
  }
}
