/// What is to happen, in order of time; at one instant in the order in which it was planned.
struct Agenda<Event> {
  private struct Entry {
    var t: Int
    var order: Int
    var event: Event

    func precedes(_ other: Entry) -> Bool { t != other.t ? t < other.t : order < other.order }
  }

  private var heap: [Entry] = []
  private var planned = 0

  /// The next instant.
  var next: Int? { heap.first?.t }

  /// Plans something.
  mutating func plan(_ event: Event, at t: Int) {
    planned += 1
    heap.append(Entry(t: t, order: planned, event: event))
    var place = heap.count - 1
    while place > 0, heap[place].precedes(heap[(place - 1) / 2]) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Takes what is next.
  mutating func take() -> (t: Int, event: Event)? {
    guard let top = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return (top.t, top.event) }
    heap[0] = last
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if heap[child].precedes(heap[least]) { least = child }
      }
      guard least != place else { return (top.t, top.event) }
      heap.swapAt(place, least)
      place = least
    }
  }
}
