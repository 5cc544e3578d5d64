/// What a heartbeat driver tells the app, in order: a sequence to be read by one loop.
///
///     for await event in driver.events { … }
///
/// It holds what the app has not taken yet up to the limits, and says so where something had to be dropped. It ends when the
/// driver is gone. A cancelled loop ends; a later one goes on where it stopped.
public struct HeartbeatEvents: AsyncSequence, Sendable {
  /// What is told.
  public typealias Element = HeartbeatEvent
  /// Nothing is thrown.
  public typealias Failure = Never

  let queue: HeartbeatEventQueue

  /// Takes the events one by one.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let queue: HeartbeatEventQueue

    /// Waits for the next event; nil when the driver is gone, or the task is cancelled.
    public func next() async -> HeartbeatEvent? { await queue.next() }

    /// Waits for the next event; nil when the driver is gone, or the task is cancelled.
    public func next(isolation actor: isolated (any Actor)?) async -> HeartbeatEvent? {
      await queue.next()
    }
  }

  /// Makes an iterator; all of one driver's take from the same events.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(queue: queue) }
}
