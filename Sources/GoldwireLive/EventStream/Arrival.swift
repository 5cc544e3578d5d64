internal import GoldwireTap

/// What comes of waiting for the next piece of a body.
enum Arrival: Sendable {
  case piece([UInt8])
  case end
  /// Nothing came until the instant.
  case silence

  /// Waits for the next piece, no longer than until `due` in microseconds, if there is such an instant.
  static func next(
    of body: any ReplyBody, until due: Int?, _ clock: any DriverClock
  ) async throws -> Arrival {
    guard let due else { return try await next(of: body) }
    return try await withThrowingTaskGroup(of: Arrival.self) { group in
      group.addTask { try await next(of: body) }
      group.addTask {
        let end = TapInstant(microseconds: due)
        repeat { try await clock.sleep(until: end) } while clock.now < end
        return .silence
      }
      defer { group.cancelAll() }
      return try await group.next() ?? .end
    }
  }

  private static func next(of body: any ReplyBody) async throws -> Arrival {
    try await body.next().map { .piece($0) } ?? .end
  }
}
