import Foundation
import GoldwireLive
import GoldwireMachines
import Testing

@Suite struct ServerDelayDateTests {
  private let now = Date(timeIntervalSince1970: 1_445_412_480)

  @Test func `The calls of the article read as they are written there`() {
    let delay: TimeInterval? = serverDelay("120", now: now)
    #expect(delay == 120)
    #expect(
      decide(status: 429, replayable: true, retryIndex: 0, server: delay, unit: 0) == .deferred)
    #expect(serverDelay(nil, now: now) == nil)
    for text in ["", " ", "-1", "1.5", "99999999999999999999", "soon"] {
      #expect(serverDelay(text, now: now) == nil)
    }
  }

  @Test func `Dates that are past, present and ahead`() {
    #expect(serverDelay("Wed, 21 Oct 2015 07:27:50 GMT", now: now) == 0)
    #expect(serverDelay("Wed, 21 Oct 2015 07:28:00 GMT", now: now) == 0)
    #expect(serverDelay("Wed, 21 Oct 2015 07:28:10 GMT", now: now) == 10)
    #expect(serverDelay("Thu, 21 Oct 2015 07:28:10 GMT", now: now) == nil)
  }

  @Test func `The article's own reading agrees, over many instants`() {
    let parser = DateFormatter()
    parser.locale = Locale(identifier: "en_US_POSIX")
    parser.timeZone = TimeZone(secondsFromGMT: 0)
    parser.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    for step in 0..<200 {
      let date = Date(timeIntervalSince1970: Double(step) * 7_654_321)
      let wanted = max(0, date.timeIntervalSince(now))
      #expect(serverDelay(parser.string(from: date), now: now) == wanted)
    }
  }
}
