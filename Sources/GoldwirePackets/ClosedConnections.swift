/// The connections that have ended, oldest first.
struct ClosedConnections: Sendable {
  struct Entry: Sendable {
    var index: Int
    var serial: UInt32
    var time: Int
  }

  private var entries: [Entry] = []
  private var head = 0

  var count: Int { entries.count &- head }
  var first: Entry? { head < entries.count ? entries[head] : nil }

  mutating func append(_ index: Int, serial: UInt32, at time: Int) {
    entries.append(Entry(index: index, serial: serial, time: time))
  }

  mutating func removeFirst() {
    head &+= 1
    if head == entries.count {
      entries.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 1_024, head &* 2 >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
  }
}
