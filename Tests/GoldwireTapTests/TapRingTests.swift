import Dispatch
import GoldwireTrace
import Synchronization
import Testing

@testable import GoldwireTap

/// The ring under threads that write without pause, and what the trace says of what it could not take.
@Suite struct TapRingTests {
  private func record(_ a: Int) -> TapRecord {
    TapRecord(instant: 1, head: 2, a: UInt64(a), b: 3, c: 4, d: 5, e: 6)
  }

  @Test func itHoldsWhatItSaysAndGivesItBackInOrder() {
    let ring = TapRing()
    for round in 0..<3 {
      for number in 0..<TapRing.capacity {
        let outcome = ring.put(record(number))
        #expect(outcome == (number == TapRing.capacity / 2 ? .half : .recorded))
      }
      #expect(ring.put(record(0)) == .full)
      var taken: [TapRecord] = []
      ring.drain { taken.append($0) }
      #expect(taken == (0..<TapRing.capacity).map(record), "round \(round)")
    }
  }

  @Test("several threads and a reader at once: everything is read once, in each writer's order")
  func threads() {
    let ring = TapRing()
    let (writers, each) = (4, 30_000)
    let lost = Atomic<Int>(0)
    let isDone = Atomic<Int>(0)
    let taken = Mutex<[[Int]]>(Array(repeating: [], count: writers))
    DispatchQueue.concurrentPerform(iterations: writers + 1) { index in
      if index == writers {
        var isLast = false
        while !isLast {
          isLast = isDone.load(ordering: .acquiring) == writers
          taken.withLock { taken in ring.drain { taken[Int($0.a >> 32)].append(Int($0.a & 0xFFFF_FFFF)) } }
        }
        return
      }
      for number in 0..<each where ring.put(record(index << 32 | number)) == .full {
        lost.add(1, ordering: .relaxed)
      }
      isDone.add(1, ordering: .releasing)
    }
    let read = taken.withLock { $0 }
    #expect(read.map(\.count).reduce(0, +) + lost.load(ordering: .relaxed) == writers * each)
    for numbers in read { #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }) }
  }

  @Test("a full ring loses the newest, and a gap on their channel says how many and where")
  func gap() throws {
    let recording = try Recording()
    let (one, two) = (recording.tap.socket(), recording.tap.socket())
    let (first, second) = (one.connect(at: at(0)), two.connect(at: at(0)))
    for t in 1...TapRing.capacity { first.tick(at: at(t)) }
    recording.tap.drain(at: at(5_000))
    first.tick(at: at(5_001))
    second.tick(at: at(5_002))
    let lines = recording.finish(6_000)
    // Two places went to the connects.
    #expect(
      lines.suffix(4) == [
        #"{"t":4094,"ch":"ws1","ev":"rec.gap","events":2,"why":"ring"}"#,
        #"{"t":5001,"ch":"ws1","gen":1,"ev":"rec.tick"}"#, #"{"t":5002,"ch":"ws2","gen":1,"ev":"rec.tick"}"#,
        #"{"t":6000,"ev":"rec.end","why":"stopped"}"#,
      ])
    #expect(lines.count == TapRing.capacity + 4)
    #expect(try TraceAudit.findings(in: recording.bytes) == [])
  }

  @Test("a gap stands right before the event that is recorded next, where nobody read in between")
  func gapInPlace() throws {
    let ring = TapDoor {}
    let channel = TapChannel(.ws, 3, door: ring)
    for t in 0..<TapRing.capacity + 5 { channel.record(.recTick, 1, at: at(t)) }
    #expect(channel.hasLoss)
    ring.ring.drain { _ in }
    channel.record(.recTick, 1, at: at(9_000))
    #expect(!channel.hasLoss)
    var taken: [TapRecord] = []
    ring.ring.drain { taken.append($0) }
    #expect(taken.map(\.kind) == [.recGap, .recTick])
    #expect(taken.first.map { Bits.optional($0.a) } == 5)
    #expect(taken.first?.channel == Channel(.ws, 3))
  }

  @Test("threads that record without pause: what is written and what the gaps tell is all that was recorded")
  func hammering() throws {
    let recording = try Recording()
    let (writers, each) = (4, 20_000)
    // Two threads for each channel, and one that reads now and then.
    let connections = [recording.tap.socket(), recording.tap.socket()].map { $0.connect(at: at(0)) }
    let isDone = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: writers + 1) { index in
      if index == writers {
        while isDone.load(ordering: .acquiring) < writers { recording.tap.drain(at: at(1), all: false) }
        return
      }
      for number in 0..<each {
        connections[index % 2].message(.out, .text, bytes: index * each + number, at: at(1))
      }
      isDone.add(1, ordering: .releasing)
    }
    recording.tap.finish(at: at(2))
    let trace = try Trace(bytes: recording.bytes)
    var lost = 0
    var last = Array(repeating: -1, count: writers)
    var written = 0
    for line in trace.lines {
      switch line.event {
      case .recGap(let gap):
        lost += gap.events ?? 0
        #expect(gap.why == .ring)
      case .wsMessage(let message):
        written += 1
        let writer = message.bytes / each
        #expect(line.channel?.number == writer % 2 + 1)
        #expect(message.bytes > last[writer])
        last[writer] = message.bytes
      default: break
      }
    }
    #expect(written + lost == writers * each)
    #expect(try TraceAudit.findings(in: recording.bytes) == [])
  }
}
