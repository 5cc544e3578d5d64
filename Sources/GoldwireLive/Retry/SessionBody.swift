internal import GoldwireTap

/// A body that is dropped once its session is over, and of which a tap is told how much was read.
final class SessionBody: ReplyBody {
  private let body: any ReplyBody
  private let gate: SessionGate
  private let session: Int
  private let recorder: RetryRecorder?
  /// The bytes that were read; nil once that is told.
  private let count = Guarded<Int?>(0)

  init(_ body: any ReplyBody, _ gate: SessionGate, _ session: Int, _ recorder: RetryRecorder?) {
    self.body = body
    self.gate = gate
    self.session = session
    self.recorder = recorder
  }

  /// A body that nobody holds any more can be read by nobody: its request ends.
  deinit { cancel() }

  /// The next piece; throws ``StaleSession`` where the session has changed.
  func next() async throws -> [UInt8]? {
    do {
      let piece = try await body.next()
      try Task.checkCancellation()
      guard gate.session == session else { throw StaleSession() }
      if let piece {
        count.withLock { $0? += piece.count }
      } else {
        tell(isWhole: true)
      }
      return piece
    } catch {
      cancel()
      throw error
    }
  }

  func cancel() {
    body.cancel()
    tell(isWhole: false)
  }

  private func tell(isWhole: Bool) {
    guard let recorder else { return }
    gate.step { _, now in
      let bytes = count.withLock { count in
        defer { count = nil }
        return count
      }
      if let bytes { recorder.body(bytes, isWhole: isWhole, at: now) }
    }
  }
}
