import GoldwireMachines
import GoldwireTap
import GoldwireTrace

/// A message that is being sent.
struct PendingSend {
  let generation: Int
  let continuation: CheckedContinuation<HeartbeatSendError?, Never>
}

extension HeartbeatDriver {
  /// Sends a message, and returns when the system has taken it; that is no acknowledgement of the peer's.
  ///
  /// Throws a ``HeartbeatSendError``.
  public func send(_ content: WebSocketContent) async throws(HeartbeatSendError) {
    takeMail()
    guard machine.phase == .open, let live else { throw .notOpen }
    guard sends.count < limits.sends else { throw .full }
    let now = instant()
    sendCount += 1
    let number = sendCount
    let (mailbox, link) = (mailbox, live.link)
    link.tap?.message(.out, content.kind, bytes: content.byteCount, at: now)
    let error = await withCheckedContinuation { continuation in
      sends[number] = PendingSend(generation: link.generation, continuation: continuation)
      live.connection.send(content) { [weak self] isSent in
        if mailbox.put(.sent(number, isSent: isSent), for: link) {
          Task { [weak self] in await self?.takeMail() }
        }
      }
    }
    if let error { throw error }
  }

  /// Ends a send; only the first callback finds it.
  func finishSend(_ number: Int, _ error: HeartbeatSendError?) {
    sends.removeValue(forKey: number)?.continuation.resume(returning: error)
  }
}
