internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The thread that waits for sockets: one `poll` for all of them, woken through a pipe.
///
/// It owns every descriptor that is handed to it. A descriptor is closed on this thread and between two waits,
/// so that its number cannot be given to another socket while somebody still waits for the first.
package final class SocketLoop: Sendable {
  /// What a socket is waited for.
  enum Interest: Sendable { case reading, writing }

  /// The loop that everybody shares.
  package static let shared = SocketLoop()

  private let core = Guarded(SocketTable())
  private let wakeRead: Int32
  private let wakeWrite: Int32

  /// Makes a loop and starts its thread, which lives as long as the program.
  package init() {
    (wakeRead, wakeWrite) = SocketCalls.pipe()
    // A serial queue has a thread to itself for as long as its work runs.
    DispatchQueue(label: "goldwire.sockets").async { [self] in run() }
  }

  /// Takes a descriptor over; gives the name under which it is waited for and closed.
  func adopt(_ descriptor: Int32) -> Int {
    core.withLock { $0.adopt(descriptor) }
  }

  /// Waits until the socket may be read or written; nil when it may, else why nobody waits any more.
  func wait(_ handle: Int, for interest: Interest) async -> SocketError? {
    let waiter = core.withLock { $0.number() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (refusal, wakes) = core.withLock { table -> (SocketError?, Bool) in
          // Whoever cancels sets the mark first and then looks for the waiter, under this lock.
          if Task.isCancelled { return (.cancelled, false) }
          guard table.enlist(waiter, handle, interest, continuation) else { return (.closed, false) }
          return (nil, table.needsWake())
        }
        if let refusal { continuation.resume(returning: refusal) }
        if wakes { wake() }
      }
    } onCancel: {
      core.withLock { $0.dismiss(waiter, handle) }?.resume(returning: .cancelled)
    }
  }

  /// Closes the socket: whoever waits for it is told, and the descriptor goes before the next wait.
  func close(_ handle: Int) {
    let (waiters, wakes) = core.withLock { ($0.retire(handle), $0.needsWake()) }
    for waiter in waiters { waiter.resume(returning: .closed) }
    if wakes { wake() }
  }

  /// Returns when every descriptor that was closed before is given back to the system.
  package func settle() async {
    await withCheckedContinuation { continuation in
      let wakes = core.withLock { table in
        table.settlers.append(continuation)
        return table.needsWake()
      }
      if wakes { wake() }
    }
  }

  private func wake() { SocketCalls.writeByte(wakeWrite) }

  private func run() {
    var polled: [pollfd] = []
    var handles: [Int] = []
    while true {
      let (retired, settlers) = core.withLock { table in
        table.hasWake = false
        return table.takeRetired()
      }
      for descriptor in retired { SocketCalls.close(descriptor) }
      for settler in settlers { settler.resume() }
      let isAsleep = core.withLock { table in
        guard !table.hasWork else { return false }
        polled = table.polled
        handles = table.handles
        table.isPolling = true
        return true
      }
      guard isAsleep else { continue }
      polled.append(pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0))
      let ready = SocketCalls.poll(&polled)
      let waiters = core.withLock { table in
        table.isPolling = false
        return table.takeReady(polled, handles, ready)
      }
      if polled[polled.count - 1].revents != 0 { SocketCalls.drain(wakeRead) }
      for waiter in waiters { waiter.resume(returning: nil) }
    }
  }
}
