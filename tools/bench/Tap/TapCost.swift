import Dispatch
import GoldwireTap
import GoldwireTrace
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Measures what it costs to record an event, against the clock call that it contains.
///
/// Events come in batches that the ring holds, and are taken out between the batches: what is timed is the recording
/// alone. Each round has one batch of each kind in turn, so that the kinds meet the same weather. Times are those of the
/// thread's own CPU, so that other programs count as little as possible.
struct TapCost {
  /// Nanoseconds an event, by round.
  private(set) var clock: [Double] = []
  private(set) var one: [Double] = []
  private(set) var two: [Double] = []
  private(set) var shared: [Double] = []
  private(set) var writing: [Double] = []
  /// Calls of the allocator in all batches; nil where nobody counts them.
  private(set) var allocations: Int?

  /// The events of a batch: less than half of the ring, so that its reader is not called.
  private static let events = 1_900
  /// The batches of each kind in a round.
  private static let batches = 200

  private let tap: Tap
  private let first: SocketGeneration
  private let second: SocketGeneration

  init() throws {
    tap = try Tap(sendingTo: { _ in }, clocks: TapClocks(continuous: 0, suspending: 0, wall: 0))
    first = tap.socket().connect()
    second = tap.socket().connect()
  }

  /// Measures so many rounds; the first is left out.
  mutating func measure(rounds: Int) {
    let counter = AllocationCounter()
    for round in 0...rounds {
      var (clock, one, two, shared, writing) = (0.0, 0.0, 0.0, 0.0, 0.0)
      var allocated = 0
      for _ in 0..<Self.batches {
        clock += cost { readClock() }
        let before = counter?.count ?? 0
        one += cost { record(first) }
        allocated += (counter?.count ?? 0) - before
        writing += cost { drain() }
        two += pair(first, second)
        drain()
        shared += pair(first, first)
        drain()
      }
      guard round > 0 else { continue }
      let count = Double(Self.batches * Self.events)
      self.clock.append(clock / count)
      self.one.append(one / count)
      self.two.append(two / count)
      self.shared.append(shared / count)
      self.writing.append(writing / count)
      if counter != nil { allocations = (allocations ?? 0) + allocated }
    }
  }

  @inline(never)
  private func readClock() {
    var latest = TapInstant.now
    for _ in 0..<Self.events { latest = max(latest, .now) }
    if latest == TapInstant(microseconds: 0) { print() }
  }

  @inline(never)
  private func record(_ connection: SocketGeneration) {
    for number in 0..<Self.events { connection.message(.in, .text, bytes: number) }
  }

  private func drain() { tap.drain(at: .now) }

  /// Two threads record at once, each a batch: the mean of what an event costs its thread.
  private func pair(_ one: SocketGeneration, _ two: SocketGeneration) -> Double {
    let ready = Atomic<Int>(0)
    let times = Mutex(0.0)
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      ready.add(1, ordering: .acquiringAndReleasing)
      // Both begin together, or with other programs about as near to it as they get.
      var spins = 0
      while ready.load(ordering: .acquiring) < 2, spins < 10_000_000 { spins += 1 }
      let time = cost { record(index == 0 ? one : two) }
      times.withLock { $0 += time }
    }
    return times.withLock { $0 } / 2
  }

  /// The nanoseconds of CPU that the thread spends.
  private func cost(_ body: () -> Void) -> Double {
    let begin = threadTime()
    body()
    return threadTime() - begin
  }

  private func threadTime() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// Counts calls of the allocator, where `allocations.c` was loaded before the program.
struct AllocationCounter {
  private let call: @convention(c) () -> Int

  init?() {
    guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "allocation_count") else { return nil }
    call = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
  }

  var count: Int { call() }
}
