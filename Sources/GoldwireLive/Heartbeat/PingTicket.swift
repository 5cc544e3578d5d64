internal import Synchronization

/// The right to complete one ping, which only the first of its callbacks has.
final class PingTicket: Sendable {
  private let isTaken = Atomic(false)

  /// Whether this is the first call.
  func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}
