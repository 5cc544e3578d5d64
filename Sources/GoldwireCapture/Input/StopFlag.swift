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

  /// Turns SIGINT and SIGTERM into the flag; a second one of a kind ends the process at once.
  public static func install() {
    clear()
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      #if canImport(Darwin)
        unsafe action.__sigaction_u.__sa_handler = { _ in StopFlag.set() }
      #else
        unsafe action.__sigaction_handler.sa_handler = { _ in StopFlag.set() }
      #endif
      action.sa_flags = CInt(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
      _ = unsafe sigaction(number, &action, nil)
    }
  }
}
