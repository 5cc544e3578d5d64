internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Whether an interrupt or a termination asked the process to end its recording.
public enum StopFlag {
  private static let flag = Atomic<Bool>(false)

  /// Whether it was asked to.
  public static var isSet: Bool { flag.load(ordering: .relaxed) }

  /// Asks it to, as a signal does.
  public static func set() { flag.store(true, ordering: .relaxed) }

  /// Takes the wish back, for a further recording in the same process.
  public static func clear() { flag.store(false, ordering: .relaxed) }

  /// Turns SIGINT, SIGTERM and SIGHUP into the flag; a second one of a kind ends the process at once.
  ///
  /// A SIGUSR1, by which people ask other tools for their progress, is ignored.
  ///
  /// A SIGHUP that is ignored stays so: whoever started the process wants it to outlive the terminal. One that the
  /// parent left blocked is let through, so that a recording can always be ended.
  public static func install() {
    clear()
    var open = sigset_t()
    unsafe sigemptyset(&open)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      if number == SIGHUP, isIgnored(number) { continue }
      unsafe sigaddset(&open, number)
      var action = sigaction()
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = { _ in StopFlag.set() }
      #else
        unsafe action.__sigaction_handler.sa_handler = { _ in StopFlag.set() }
      #endif
      action.sa_flags = CInt(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
      _ = unsafe sigaction(number, &action, nil)
    }
    var ignored = sigaction()
    #if canImport(Darwin)
      unsafe ignored.__sigaction_u.__sa_handler = SIG_IGN
    #else
      unsafe ignored.__sigaction_handler.sa_handler = SIG_IGN
    #endif
    _ = unsafe sigaction(SIGUSR1, &ignored, nil)
    _ = unsafe pthread_sigmask(SIG_UNBLOCK, &open, nil)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // Handlers are not comparable; SIG_IGN is the one at address 1.
    #if canImport(Darwin)
      let handler = unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
    #else
      let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    #endif
    return handler == 1
  }
}
