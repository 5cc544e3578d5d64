internal import Foundation
internal import GoldwireLive
internal import GoldwireMachines
internal import GoldwireServer
internal import GoldwireTap
internal import GoldwireTrace

extension LiveHeartbeat {
  /// Keeps a session up for its time: connects, and connects again after each end.
  func run(_ server: FaultServer, _ path: String) async throws {
    let parameters = try Heartbeat.Parameters(
      interval: interval.milliseconds, timeout: timeout.milliseconds,
      connectTimeout: connectTimeout?.milliseconds, policy: isAnyInboundLife ? .anyInboundIsLife : .pongOnly,
      cadence: isFixed ? .fixed : .afterPong)
    guard let url = server.url("ws", "/chat") else { throw NoAddress() }
    let tap = try Tap(writingTo: path, parameters: TapParameters(heartbeat: parameters))
    let driver = HeartbeatDriver(parameters, transport: try SocketWebSocketTransport(url: url), tap: tap)
    let clock = ContinuousDriverClock()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await reconnect(driver, clock) }
      group.addTask { await talk(driver, clock) }
      group.addTask { await live(driver, clock) }
      await driver.connect()
      _ = await clock.waits(lasts)
      await driver.close()
      group.cancelAll()
    }
    tap.finish()
  }

  private func reconnect(_ driver: HeartbeatDriver, _ clock: ContinuousDriverClock) async {
    for await event in driver.events {
      guard case .ended = event else { continue }
      guard await clock.waits(pause) else { return }
      await driver.connect()
    }
  }

  private func talk(_ driver: HeartbeatDriver, _ clock: ContinuousDriverClock) async {
    guard sendsEvery > 0 else { return }
    while await clock.waits(sendsEvery) { try? await driver.send(.text("hello")) }
  }

  /// What happens to an app: now and then it is in the background, or has another network.
  private func live(_ driver: HeartbeatDriver, _ clock: ContinuousDriverClock) async {
    guard changesApp else { return }
    while await clock.waits(interval * 2) {
      await driver.background()
      guard await clock.waits(timeout + interval / 2) else { return }
      if await driver.foreground() == .makeAnew { await driver.connect() }
      guard await clock.waits(interval / 2) else { return }
      await driver.network(.none)
      guard await clock.waits(pause) else { return }
      await driver.network(.cell)
    }
  }
}

extension ContinuousDriverClock {
  /// Waits so many milliseconds; false where the task is cancelled.
  func waits(_ milliseconds: Int) async -> Bool {
    let end = TapInstant(microseconds: now.microseconds + milliseconds * 1_000)
    return (try? await sleep(until: end)) != nil
  }
}
