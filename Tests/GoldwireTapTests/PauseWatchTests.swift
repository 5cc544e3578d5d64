import GoldwireTrace
import Testing

@testable import GoldwireTap

/// Pauses of the process and steps of the wall clock, from the recorder's own beat.
@Suite struct PauseWatchTests {
  private static let beat = 250_000

  @Test func aBeatInTimeSaysNothing() throws {
    let recording = try Recording()
    for beat in 1...40 { recording.tap.beat(clocks(beat * Self.beat + beat % 3 * 40_000)) }
    #expect(recording.finish(10_500_000).count == 1)
  }

  @Test("a process that stood still has a pause, which ends when it runs again")
  func suspended() throws {
    let recording = try Recording()
    recording.tap.beat(clocks(250_000))
    recording.tap.beat(clocks(60_250_000))
    #expect(
      recording.finish(60_300_000).first == #"{"t":60250000,"ev":"rec.pause","for":60000000,"slept":0}"#)
  }

  @Test("a device that slept has a pause with its sleep, even a short one")
  func asleep() throws {
    let recording = try Recording()
    recording.tap.beat(clocks(250_000))
    recording.tap.beat(clocks(700_000, slept: 200_000))
    recording.tap.beat(clocks(950_000, slept: 200_000))
    recording.tap.beat(clocks(90_000_000, slept: 80_200_000))
    #expect(
      recording.finish(90_300_000).dropLast() == [
        #"{"t":700000,"ev":"rec.pause","for":450000,"slept":200000}"#,
        #"{"t":90000000,"ev":"rec.pause","for":89050000,"slept":80000000}"#,
      ])
  }

  @Test("what was recorded shows that the process ran: a late beat alone is no pause")
  func busy() throws {
    let recording = try Recording()
    let connection = recording.tap.socket().connect(at: at(0))
    recording.tap.beat(clocks(250_000))
    for t in 1...4 { connection.tick(at: at(t * 900_000)) }
    recording.tap.beat(clocks(4_300_000))
    #expect(!recording.finish(5_000_000).contains { $0.contains("rec.pause") })
  }

  @Test("the pause is the longest silence, and stands before what ended it")
  func longest() throws {
    let recording = try Recording()
    let connection = recording.tap.socket().connect(at: at(0))
    recording.tap.beat(clocks(250_000))
    connection.tick(at: at(300_000))
    connection.tick(at: at(9_300_000))
    recording.tap.beat(clocks(9_400_000))
    #expect(
      recording.finish(9_500_000).dropFirst(2).dropLast() == [
        #"{"t":9300000,"ev":"rec.pause","for":9000000,"slept":0}"#,
        #"{"t":9300000,"ch":"ws1","gen":1,"ev":"rec.tick"}"#,
      ])
  }

  @Test("a step of the wall clock is told once, and a drift once it has grown")
  func wall() throws {
    let recording = try Recording()
    recording.tap.beat(clocks(250_000, set: 3_600_000_000))
    recording.tap.beat(clocks(500_000, set: 3_600_000_000))
    recording.tap.beat(clocks(750_000, set: 3_600_000_000 - 30_000))
    recording.tap.beat(clocks(1_000_000, set: 3_600_000_000 - 60_000))
    #expect(
      recording.finish(1_100_000).dropLast() == [
        #"{"t":250000,"ev":"rec.wall","step":3600000000}"#, #"{"t":1000000,"ev":"rec.wall","step":-60000}"#,
      ])
  }

  @Test func theSystemsClocksGoOn() {
    let (one, two) = (TapClocks.now, TapClocks.now)
    #expect(two.continuous >= one.continuous)
    #expect(two.suspending >= one.suspending)
    #expect(one.continuous >= one.suspending)
  }
}
