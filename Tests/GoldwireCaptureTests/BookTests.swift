@testable import GoldwireCapture
import GoldwireTestSupport
import GoldwireTrace
import Testing

/// The tables that hold what must not be written.
@Suite struct BookTests {
  @Test func hashesDoNotDependOnCuts() {
    let bytes = (0..<61).map { UInt8($0) }
    let whole = KeyedHash.of(bytes.span, key: 5)
    for delivery in Delivery.all(of: bytes) {
      var hash = KeyedHash(key: 5)
      for piece in delivery.pieces { hash.add(piece.span) }
      #expect(hash.value == whole, "\(delivery)")
    }
    #expect(KeyedHash.of(bytes.span, key: 6) != whole)
    let (nothing, zero): ([UInt8], [UInt8]) = ([], [0])
    #expect(KeyedHash.of(nothing.span, key: 5) != KeyedHash.of(zero.span, key: 5))
  }

  @Test func pseudonymsAgreeWithADictionary() {
    var generator = SeededGenerator(seed: 3)
    var table = PseudonymTable(limit: 50)
    var model: [(hash: UInt64, number: Int)] = []
    var next = 0
    for _ in 0..<20_000 {
      let hash = UInt64.random(in: 0..<120, using: &generator) &* 0x1_0001
      let number = table.number(of: hash)
      if let known = model.first(where: { $0.hash == hash }) {
        #expect(number == known.number)
      } else {
        next += 1
        #expect(number == next)
        model.append((hash, number))
        if model.count > 50 { model.removeFirst() }
      }
    }
    #expect(table.forgotten == next - 50)
  }

  @Test func revisionsAreNumberedByFirstAppearance() {
    var table = PseudonymTable(limit: 4)
    let place = table.place(of: 9)
    #expect([5, 6, 5, 7, 6].map { table.revision(of: $0, at: place) } == [1, 2, 1, 3, 2])
  }

  @Test func theQueueKeepsOrderPlacesAndLimit() {
    var queue = LineQueue(limit: 3)
    func line(_ t: Int) -> TraceLine { TraceLine(t: t, event: .recTick) }
    queue.append(line(1))
    let place = queue.reserve(at: 2)
    let needless = queue.append(line(3))
    #expect(queue.next(through: 0) == nil)
    #expect(queue.next(through: 1) == line(1))
    queue.withdraw(needless)
    #expect(queue.fill(place, TraceLine(t: 9, event: .sseComment)) == true)
    #expect(queue.next(through: 5) == TraceLine(t: 2, event: .sseComment))
    #expect(queue.next(through: 5) == nil)
    #expect(queue.fill(place, line(9)) == false)
    for t in 10..<15 { queue.append(line(t)) }
    #expect(
      [queue.next(through: 0)?.t, queue.next(through: 0)?.t, queue.next(through: 0)?.t] == [10, 11, nil])
  }

  @Test func channelsAreTakenUpInTheOrderTheyWereFreed() {
    var book = ChannelBook(limit: 10)
    let made = (0..<3).map { book.make(.ws, 1, endpoint: 8, holder: $0) }
    #expect(made == [0, 1, 2])
    book.release(1, at: 5)
    #expect(book.onlyFree(at: 8) == 1)
    book.release(0, at: 6)
    #expect(book.onlyFree(at: 8) == nil)
    #expect(book.takeFree(1, holder: 9) == 1)
    #expect(book[1].generation == 2 && book.onlyFree(at: 8) == 0)
    #expect(book.takeFree(1, holder: 9) == 0)
    #expect(book.takeFree(1, holder: 9) == nil)
    #expect(book.makeName(.http) == Channel(.http, 1))
  }
}

extension ChannelBook {
  fileprivate mutating func makeName(_ family: Channel.Family) -> Channel? {
    make(family, 77, endpoint: 77, holder: 0).map { self[$0].channel }
  }
}
