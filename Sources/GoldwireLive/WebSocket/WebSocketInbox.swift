/// Where a transport puts what happens on one connection.
///
/// It carries the generation that was captured when the connection was made, so that a late event can never pass for one
/// of the present connection.
public struct WebSocketInbox: Sendable {
  private let deliver: @Sendable (WebSocketTransportEvent) -> Void
  private let makeRoom: @Sendable () async -> Void

  /// Makes an inbox from what takes the events, and what waits until it has taken most of them.
  public init(
    deliver: @escaping @Sendable (WebSocketTransportEvent) -> Void,
    room: @escaping @Sendable () async -> Void = {}
  ) {
    self.deliver = deliver
    makeRoom = room
  }

  /// Takes an event; returns at once, on any thread, and keeps the order of the calls.
  public func put(_ event: WebSocketTransportEvent) { deliver(event) }

  /// Waits until there is room for more; a transport calls it before it reads on.
  ///
  /// Without it a peer that sends faster than the driver takes would be given up when the mailbox is full.
  public func room() async { await makeRoom() }
}
