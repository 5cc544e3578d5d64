import GoldwireMachines
import GoldwireProtocols
import GoldwireTrace
import Testing

@testable import GoldwireTap

/// The places of words, and the parts of a record.
@Suite struct WordCodeTests {
  private func check<Word: WordCode & Equatable>(_ type: Word.Type) {
    for (place, word) in Word.allCases.enumerated() {
      #expect(word.code == UInt64(place), "\(type)")
      #expect(Word(code: word.code) == word)
      #expect(Word.optional(Optional(word).optionalCode) == word)
    }
    #expect(Word.optional(Word?.none.optionalCode) == nil)
  }

  @Test func everyWordHasItsOwnPlace() {
    check(Direction.self)
    check(MessageKind.self)
    check(PingResult.self)
    check(CloseActor.self)
    check(Cause.self)
    check(EndCause.self)
    check(CutCause.self)
    check(GoldwireTrace.Method.self)
    check(StopReason.self)
    check(MediaType.self)
    check(Network.self)
    check(Note.self)
    check(GapReason.self)
    check(RetryFault.self)
  }

  @Test(arguments: RetryAfter.Reason.allCases)
  func everyFaultOfAHeaderKeepsItsWord(_ reason: RetryAfter.Reason) {
    let bits = AnswerBits(Answer(status: 503, retryAfter: .invalid(reason)))
    let fields = bits.retry(WallClock(beginning: 0), at: 0)
    #expect(fields.value == .bad(RetryFault(rawValue: reason.rawValue) ?? .other))
  }

  @Test(arguments: RecordKind.allCases)
  func aHeadKeepsItsParts(_ kind: RecordKind) {
    for family in [Channel.Family.ws, .http, .sse] {
      for number in [1, 77, 268_435_455] {
        let head =
          TapRecord.Head.channel(family, number) | UInt64(kind.rawValue) | TapRecord.Head.generation(number)
        let record = TapRecord(instant: 0, head: head)
        #expect(record.kind == kind)
        #expect(record.channel == Channel(family, number))
        #expect(record.generation == number)
      }
    }
    let head = TapRecord.Head.channel(.ws, .max) | UInt64(kind.rawValue) | TapRecord.Head.generation(.max)
    #expect(TapRecord(instant: 0, head: head).channel == Channel(.ws, 268_435_455))
    #expect(TapRecord(instant: 0, head: UInt64(kind.rawValue)).channel == nil)
    #expect(TapRecord(instant: 0, head: UInt64(kind.rawValue)).generation == nil)
  }
}
