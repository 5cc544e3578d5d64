import GoldwireMachines
import GoldwireTesting
import GoldwireTrace
import Testing

@testable import GoldwireLive

/// Faults of heartbeats in the field, on the driver: a scripted transport and a clock that is moved by hand.
@Suite(.timeLimit(.minutes(1))) struct HeartbeatDriverFaultTests {
  @Test func `B01 The flag of a reply still due survives a reconnect`() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.put(.ended(.reset, .in), on: 1, at: 31_000)
    await bench.open(at: 32_000)
    await bench.put(.pong(ordinal: nil, bytes: nil), on: 2, at: 62_050)
    await bench.advance(to: 70_000)
    #expect(bench.asked == ["30000 ping 1", "31000 cancel 1", "62000 ping 2"])
    #expect(bench.ends == ["31000 ended 1 reset"])
  }

  @Test func `B02 The late end of the old socket kills the new one`() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.connect(at: 40_010)
    await bench.put(.opened(deflate: false), on: 2, at: 40_200)
    await bench.put(.closeReceived(code: 1_006), on: 1, at: 40_900)
    await bench.put(.ended(.error, nil), on: 1, at: 40_950)
    await bench.advance(to: 75_000)
    #expect(bench.asked == ["30000 ping 1", "40000 cancel 1", "70200 ping 2"])
    #expect(bench.ends == ["40000 close 1 pongTimeout"])
    #expect(await bench.driver.phase == .open)
  }

  @Test func `B04 One ping has two completions`() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.complete(1, .error(.reset), on: 1, at: 31_000)
    await bench.complete(1, .cancelled, on: 1, at: 31_000)
    await bench.put(.ended(.reset, .in), on: 1, at: 31_005)
    await bench.advance(to: 50_000)
    #expect(bench.asked == ["30000 ping 1", "31000 cancel 1"])
    #expect(bench.ends == ["31000 ended 1 sendFailed"])
    let pinged = bench.book.entries.filter { if case .pinged = $0.event { true } else { false } }
    #expect(pinged.map(\.event) == [.pinged(.error)])
    #expect(bench.book.entries.count { $0.event == .repeatedCompletion } == 1)
  }

  @Test(arguments: Heartbeat.Policy.allCases)
  func `B05 A large message hides the pong`(_ policy: Heartbeat.Policy) async throws {
    let bench = try DriverBench(policy: policy)
    await bench.open(at: 0)
    for instant in stride(from: 30_100, through: 41_000, by: 100) {
      await bench.put(.message(.binary([1])), on: 1, at: instant)
    }
    await bench.put(.pong(ordinal: 1, bytes: 8), on: 1, at: 41_050)
    await bench.advance(to: 75_000)
    switch policy {
    case .pongOnly: #expect(bench.asked == ["30000 ping 1", "40000 cancel 1"])
    case .anyInboundIsLife: #expect(bench.asked == ["30000 ping 1", "71050 ping 1"])
    }
  }

  @Test func `B07 The deadline is a timer of its own`() async throws {
    let short = try DriverBench(interval: 30_000, timeout: 5_000)
    await short.open(at: 0)
    await short.advance(to: 90_000)
    #expect(short.asked == ["30000 ping 1", "35000 cancel 1"])
    let long = try DriverBench(interval: 2_000, timeout: 60_000)
    await long.open(at: 0)
    await long.advance(to: 90_000)
    #expect(long.asked == ["2000 ping 1", "62000 cancel 1"])
  }

  @Test func `B08 A close cannot finish on a dead link`() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.open(at: 41_000)
    await bench.put(.pong(ordinal: nil, bytes: nil), on: 1, at: 45_000)
    for instant in [71_030, 101_020, 101_050] {
      await bench.put(.pong(ordinal: nil, bytes: nil), on: 2, at: instant)
    }
    await bench.put(.ended(.timeout, nil), on: 1, at: 110_000)
    await bench.advance(to: 115_000)
    #expect(
      bench.asked == ["30000 ping 1", "40000 cancel 1", "71000 ping 2", "101030 ping 2"])
    #expect(await bench.driver.phase == .open)
  }

  @Test func `B10 The clock counts sleep, and no timer fires in it`() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.advance(to: 30_500)
    bench.clock.hold(true)
    bench.clock.advance(to: 630_500_000)
    #expect(await bench.driver.foreground() == .makeAnew)
    bench.clock.hold(false)
    await bench.advance(to: 700_000)
    #expect(bench.asked == ["30000 ping 1", "630500 cancel 1"])
    #expect(bench.ends == ["630500 close 1 staleOnResume"])
  }

  @Test func `B10 After sleep the first event finds the dead connection, whatever it is`() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.advance(to: 30_500)
    bench.clock.hold(true)
    bench.clock.advance(to: 630_500_000)
    bench[1].put(.message(.text("late")))
    await bench.driver.takeMail()
    #expect(bench.asked == ["30000 ping 1", "630500 cancel 1"])
    #expect(bench.ends == ["630500 close 1 pongTimeout"])
  }

  @Test func `B12 The app returns from the background`() async throws {
    let answered = try DriverBench()
    await answered.open(at: 0)
    await answered.put(.pong(ordinal: 1, bytes: 8), on: 1, at: 30_050)
    await answered.advance(to: 31_000)
    await answered.driver.background()
    await answered.advance(to: 400_000)
    #expect(await answered.driver.foreground() == .reuse)
    await answered.advance(to: 400_005)
    #expect(await answered.driver.foreground() == .reuse)
    await answered.advance(to: 409_999)
    #expect(answered.asked == ["30000 ping 1", "400000 ping 1"])
    await answered.advance(to: 410_000)
    #expect(answered.ends == ["410000 close 1 pongTimeout"])

    let awaiting = try DriverBench()
    await awaiting.open(at: 0)
    await awaiting.advance(to: 30_500)
    await awaiting.driver.background()
    await awaiting.advance(to: 400_000)
    #expect(await awaiting.driver.foreground() == .makeAnew)
    await awaiting.put(.pong(ordinal: 1, bytes: 8), on: 1, at: 400_001)
    await awaiting.advance(to: 500_000)
    #expect(awaiting.asked == ["30000 ping 1", "400000 cancel 1"])
    #expect(awaiting.ends == ["400000 close 1 staleOnResume"])
  }

  @Test func `B14 Unsolicited pongs give no credit`() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    for instant in 5_000...5_100 {
      await bench.put(.pong(ordinal: instant % 2 == 0 ? 0 : nil, bytes: 4), on: 1, at: instant)
    }
    await bench.advance(to: 100_000)
    #expect(bench.asked == ["30000 ping 1", "40000 cancel 1"])
    #expect(bench.book.entries.count { $0.event == .strayPong } == 101)
  }

  @Test func `B16 The peer pings while a pong is awaited`() async throws {
    let bench = try DriverBench()
    await bench.open(at: 0)
    await bench.put(.pingReceived(ordinal: 1, bytes: 1), on: 1, at: 32_000)
    await bench.put(.pong(ordinal: 1, bytes: 8), on: 1, at: 32_050)
    await bench.advance(to: 63_000)
    #expect(bench.asked == ["30000 ping 1", "62050 ping 1"])
  }
}
