import GoldwireReplay
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The process groups of the children that run, so that a signal which ends goldwire ends them as well.
///
/// A child is in a group of its own, which neither a terminal's interrupt nor a job's end reaches.
enum ChildGroups {
  /// The most groups that are known; children beyond are left to their closed input.
  static let most = 64
  /// A group each, or 0.
  ///
  /// A signal's handler takes no lock and allocates nothing: it reads this table as it stands.
  private nonisolated(unsafe) static let table: UnsafeMutablePointer<pid_t> = {
    let table = UnsafeMutablePointer<pid_t>.allocate(capacity: most)
    unsafe table.initialize(repeating: 0, count: most)
    return unsafe table
  }()
  private static let isInstalled = Mutex(false)

  /// The signals that end a process at somebody's wish.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Starts a child and takes note of its group, with no signal between the two.
  static func start(
    _ body: () throws(ReplayError) -> (process: pid_t, input: Int32, output: Int32)
  ) throws(ReplayError) -> (process: pid_t, input: Int32, output: Int32) {
    isInstalled.withLock { isInstalled in
      if !isInstalled { install() }
      isInstalled = true
    }
    var (held, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&held)
    for number in signals { unsafe sigaddset(&held, number) }
    _ = unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let child = try body()
    add(child.process)
    return child
  }

  private static func add(_ group: pid_t) {
    isInstalled.withLock { _ in
      for index in 0..<most where unsafe table[index] == 0 {
        unsafe table[index] = group
        return
      }
    }
  }

  /// Forgets a group that has ended.
  static func remove(_ group: pid_t) {
    isInstalled.withLock { _ in
      for index in 0..<most where unsafe table[index] == group { unsafe table[index] = 0 }
    }
  }

  /// Kills all groups; what a signal's handler may do, and nothing else.
  private static func killAll() {
    for index in 0..<most where unsafe table[index] > 0 { _ = unsafe kill(-table[index], SIGKILL) }
  }

  /// Has the signals that end a process kill the groups first; one that is ignored, or has a handler, stays so.
  ///
  /// One that the parent left blocked is let through, so that a run can always be ended.
  private static func install() {
    unsafe table[0] = 0
    var open = sigset_t()
    unsafe sigemptyset(&open)
    for number in signals {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0, isStandard(action) else { continue }
      action = sigaction()
      // Without the handler, which is gone once it runs, the signal ends the process as it always does.
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = { number in
          ChildGroups.killAll()
          raise(number)
        }
      #else
        unsafe action.__sigaction_handler.sa_handler = { number in
          ChildGroups.killAll()
          raise(number)
        }
      #endif
      action.sa_flags = CInt(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
      _ = unsafe sigaction(number, &action, nil)
      unsafe sigaddset(&open, number)
    }
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &open, nil)
  }

  /// Whether a signal does what it does by itself: SIG_DFL is the handler at address 0.
  private static func isStandard(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 0
    #else
      unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0
    #endif
  }
}
