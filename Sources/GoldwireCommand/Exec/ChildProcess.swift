package import GoldwireReplay
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A command as a child that answers line by line on its standard output: a ``ForeignLink``.
///
/// It is run by `/bin/sh` in a process group of its own, and has the command's environment and standard error. It is
/// ended with the last reference to it; a child that does not go by itself is killed with its group, and waited for.
package final class ChildProcess: ForeignLink {
  /// The command, as errors name it.
  package let name: String
  private let limits: ForeignLimits
  private let state: Mutex<State>

  private struct State {
    var process: pid_t
    var input: Int32
    var output: Int32
    /// Whether it was asked anything: it may greet before it is.
    var isAsked = false
    /// What was read beyond the last reply.
    var rest: [UInt8] = []
  }

  /// Starts the command.
  ///
  /// Throws where the system refuses; a command that is not there is told by its first reply.
  package init(command: String, limits: ForeignLimits = ForeignLimits()) throws(ReplayError) {
    // A child that is gone is told by the write itself.
    signal(SIGPIPE, SIG_IGN)
    name = "exec:" + command.prefix(200)
    self.limits = limits
    let name = name
    let (process, input, output) = try ChildGroups.start { () throws(ReplayError) in
      try Self.start(command, name)
    }
    state = Mutex(State(process: process, input: input, output: output))
  }

  deinit { state.withLock { state in _ = Self.end(&state, limits) } }

  /// Sends a line and waits for the one that answers it.
  package func exchange(_ line: [UInt8]) throws(ReplayError) -> [UInt8] {
    do {
      return try state.withLock { state in try Self.exchange(line, &state, limits, name) }
    } catch let error as ReplayError {
      throw error
    } catch {
      throw ReplayError("\(name): cannot be asked")
    }
  }

  /// Says that it is over, and waits for the child to go.
  ///
  /// Throws where it has written more than its replies, or has ended otherwise than well.
  package func finish() throws(ReplayError) {
    if let fault = state.withLock({ state in Self.end(&state, limits) }) {
      throw ReplayError("\(name): \(fault)")
    }
  }

  /// Kills the child with its group, if it has not ended yet.
  package func abandon() { state.withLock { state in _ = Self.reap(&state, patience: .zero) } }

  // MARK: Lines

  private static func exchange(
    _ line: [UInt8], _ state: inout State, _ limits: ForeignLimits, _ name: String
  ) throws -> [UInt8] {
    guard state.process > 0 else { throw ReplayError("\(name): has ended") }
    if state.isAsked, state.rest.isEmpty, ready(state, isSending: false, .zero).reads, !read(&state) {
      throw ReplayError("\(name): " + Self.fate(&state))
    }
    guard !state.isAsked || state.rest.isEmpty else { throw ReplayError("\(name): " + surplus) }
    state.isAsked = true
    let deadline = ContinuousClock.now + .seconds(limits.replySeconds)
    var sent = 0
    while true {
      // What came without being asked for is read too, so that neither side waits on a full pipe.
      if sent == line.count, let end = state.rest.firstIndex(of: 0x0A) {
        let reply = Array(state.rest[..<end])
        state.rest.removeSubrange(...end)
        return reply
      }
      guard state.rest.count <= limits.lineBytes else {
        throw ReplayError(
          "\(name): wrote more than the \(limits.lineBytes) bytes of a line; write one reply to each line")
      }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else {
        throw ReplayError("\(name): " + Self.silence(&state, limits))
      }
      let (writes, reads) = ready(state, isSending: sent < line.count, left)
      if writes {
        let count = write(state.input, line[sent...])
        if count < 0 { throw ReplayError("\(name): " + Self.fate(&state)) }
        sent += count
      }
      if reads, !read(&state) { throw ReplayError("\(name): " + Self.fate(&state)) }
    }
  }

  private static func ready(
    _ state: State, isSending: Bool, _ left: Duration
  ) -> (writes: Bool, reads: Bool) {
    var waits = [pollfd(fd: state.output, events: Int16(POLLIN), revents: 0)]
    if isSending { waits.append(pollfd(fd: state.input, events: Int16(POLLOUT), revents: 0)) }
    let (seconds, attoseconds) = left.components
    let milliseconds =
      left > .zero ? min(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1, 60_000) : 0
    let count = unsafe poll(&waits, nfds_t(waits.count), Int32(milliseconds))
    guard count > 0 else { return (false, false) }
    return (isSending && waits[1].revents != 0, waits[0].revents != 0)
  }

  /// Writes what fits; the count, or -1 where nobody reads any more.
  private static func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    let count = unsafe bytes.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
    return count >= 0 ? count : errno == EAGAIN || errno == EINTR ? 0 : -1
  }

  /// Reads what there is; false at the end.
  private static func read(_ state: inout State) -> Bool {
    var piece = [UInt8](repeating: 0, count: 16_384)
    let descriptor = state.output
    let count = unsafe piece.withUnsafeMutableBytes {
      unsafe systemRead(descriptor, $0.baseAddress, $0.count)
    }
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    state.rest += piece[..<count]
    return count > 0
  }

  // MARK: Ending

  private static let surplus =
    "wrote more than its replies; write exactly one line for each line that it reads, and nothing at its end"

  /// How the child ended, in words; it is waited for where it has not ended yet.
  private static func fate(_ state: inout State) -> String {
    reap(&state).map { told($0, "before its reply") } ?? "has ended before its reply"
  }

  private static func told(_ status: Int32, _ when: String) -> String {
    if status & 0x7F != 0 { return "was ended by signal \(status & 0x7F) \(when)" }
    let code = status >> 8 & 0xFF
    return code == 127
      ? "is not there; name a command that /bin/sh can run"
      : "has ended with status \(code) \(when); its standard error says why"
  }

  /// Why no reply has come in time: what a child that has ended has started can hold its output open.
  private static func silence(_ state: inout State, _ limits: ForeignLimits) -> String {
    reap(&state, patience: .zero).map { told($0, "before its reply") + ", and what it has started goes on" }
      ?? "gave no reply within \(limits.replySeconds)s; write it, and flush it, for each line"
  }

  /// Says that it is over, gives the child a moment to go, then kills it; what was wrong with its end.
  private static func end(_ state: inout State, _ limits: ForeignLimits) -> String? {
    guard state.process > 0 else { return nil }
    _ = write(state.input, Array("{\"end\":true}\n".utf8)[...])
    _ = close(state.input)
    state.input = -1
    let deadline = ContinuousClock.now + .seconds(limits.goodbyeSeconds)
    while state.rest.isEmpty, ContinuousClock.now < deadline {
      let (_, reads) = ready(state, isSending: false, ContinuousClock.now.duration(to: deadline))
      if reads, !read(&state) { break }
    }
    let hasSurplus = !state.rest.isEmpty
    let status = reap(&state, patience: hasSurplus ? .zero : .milliseconds(500))
    if hasSurplus { return surplus }
    return status.flatMap { $0 == 0 ? nil : told($0, "at its end") }
  }

  /// Waits for the child, which is killed with its group if it still runs; its status where it ended by itself.
  private static func reap(_ state: inout State, patience: Duration = .milliseconds(500)) -> Int32? {
    guard state.process > 0 else { return nil }
    var status: Int32 = 0
    var ended: pid_t = 0
    // What has closed its output is about to end: it gets a moment.
    let deadline = ContinuousClock.now + patience
    repeat {
      ended = unsafe waitpid(state.process, &status, WNOHANG)
      if ended == 0 { _ = poll(nil, 0, 2) }
    } while ended == 0 && ContinuousClock.now < deadline
    let isOwn = ended == state.process
    _ = kill(-state.process, SIGKILL)
    ChildGroups.remove(state.process)
    if !isOwn { _ = unsafe waitpid(state.process, &status, 0) }
    for descriptor in [state.input, state.output] where descriptor >= 0 { _ = close(descriptor) }
    (state.process, state.input, state.output) = (0, -1, -1)
    return isOwn ? status : nil
  }
}
