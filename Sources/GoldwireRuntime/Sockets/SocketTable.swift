#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// What the loop knows: its sockets, who waits for them, and the list that `poll` is given.
///
/// Bounded by the sockets that the program has open, and by one waiter for each task.
struct SocketTable {
  typealias Waiter = CheckedContinuation<SocketError?, Never>

  private struct Entry {
    let descriptor: Int32
    var readers: [(name: Int, waiter: Waiter)] = []
    var writers: [(name: Int, waiter: Waiter)] = []
    /// Its place in the list for `poll`; negative while nobody waits.
    var place = -1
  }

  /// What `poll` is given, and the handle of each of its entries.
  private(set) var polled: [pollfd] = []
  private(set) var handles: [Int] = []
  /// Whether the thread is in `poll`, or about to be.
  var isPolling = false
  /// Whether the thread has been told to look again.
  var hasWake = false
  /// Who waits until closed descriptors are gone.
  var settlers: [CheckedContinuation<Void, Never>] = []
  private var entries: [Int: Entry] = [:]
  private var retired: [Int32] = []
  private var last = 0

  /// Whether something is to be done before the next wait.
  var hasWork: Bool { !retired.isEmpty || !settlers.isEmpty }

  /// The next name of a waiter or socket.
  mutating func number() -> Int {
    last &+= 1
    return last
  }

  mutating func adopt(_ descriptor: Int32) -> Int {
    let handle = number()
    entries[handle] = Entry(descriptor: descriptor)
    return handle
  }

  /// Whether the thread has to be woken; said once for any number of changes.
  mutating func needsWake() -> Bool {
    guard isPolling, !hasWake else { return false }
    hasWake = true
    return true
  }

  /// Adds a waiter; false if the socket is closed.
  mutating func enlist(
    _ name: Int, _ handle: Int, _ interest: SocketLoop.Interest, _ waiter: Waiter
  ) -> Bool {
    guard entries[handle] != nil else { return false }
    switch interest {
    case .reading: entries[handle]?.readers.append((name, waiter))
    case .writing: entries[handle]?.writers.append((name, waiter))
    }
    place(handle)
    return true
  }

  /// Takes a waiter out, if it is still there.
  mutating func dismiss(_ name: Int, _ handle: Int) -> Waiter? {
    guard var entry = entries[handle] else { return nil }
    var found: Waiter?
    if let index = entry.readers.firstIndex(where: { $0.name == name }) {
      found = entry.readers.remove(at: index).waiter
    } else if let index = entry.writers.firstIndex(where: { $0.name == name }) {
      found = entry.writers.remove(at: index).waiter
    }
    entries[handle] = entry
    if found != nil { place(handle) }
    return found
  }

  /// Forgets a socket; gives everybody who waited for it.
  mutating func retire(_ handle: Int) -> [Waiter] {
    guard var entry = entries[handle] else { return [] }
    let waiters = (entry.readers + entry.writers).map(\.waiter)
    entry.readers = []
    entry.writers = []
    entries[handle] = entry
    place(handle)
    entries[handle] = nil
    retired.append(entry.descriptor)
    return waiters
  }

  /// The descriptors that are to be closed now, and who waits for that.
  mutating func takeRetired() -> ([Int32], [CheckedContinuation<Void, Never>]) {
    defer {
      retired = []
      settlers = []
    }
    return (retired, settlers)
  }

  /// Takes out everybody whose socket is ready, by what `poll` said of the list that it was given.
  mutating func takeReady(_ polled: [pollfd], _ handles: [Int], _ ready: Int) -> [Waiter] {
    var waiters: [Waiter] = []
    var left = ready
    for (index, handle) in handles.enumerated() where left > 0 {
      let events = Int32(polled[index].revents)
      guard events != 0 else { continue }
      left -= 1
      guard var entry = entries[handle] else { continue }
      let isBroken = events & Int32(POLLHUP | POLLERR | POLLNVAL) != 0
      if isBroken || events & Int32(POLLIN) != 0 {
        waiters += entry.readers.map(\.waiter)
        entry.readers = []
      }
      if isBroken || events & Int32(POLLOUT) != 0 {
        waiters += entry.writers.map(\.waiter)
        entry.writers = []
      }
      entries[handle] = entry
      place(handle)
    }
    return waiters
  }

  /// Puts a socket into the list, changes what it is waited for, or takes it out.
  private mutating func place(_ handle: Int) {
    guard let entry = entries[handle] else { return }
    let events = (entry.readers.isEmpty ? 0 : POLLIN) | (entry.writers.isEmpty ? 0 : POLLOUT)
    if events == 0 {
      guard entry.place >= 0 else { return }
      let moved = handles[handles.count - 1]
      polled[entry.place] = polled[polled.count - 1]
      handles[entry.place] = moved
      entries[moved]?.place = entry.place
      polled.removeLast()
      handles.removeLast()
      entries[handle]?.place = -1
    } else if entry.place >= 0 {
      polled[entry.place].events = Int16(events)
    } else {
      entries[handle]?.place = polled.count
      polled.append(pollfd(fd: entry.descriptor, events: Int16(events), revents: 0))
      handles.append(handle)
    }
  }
}
