import GoldwireReplay

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(Darwin)
  private typealias FileActions = posix_spawn_file_actions_t?
  private typealias Attributes = posix_spawnattr_t?
#else
  private typealias FileActions = posix_spawn_file_actions_t
  private typealias Attributes = posix_spawnattr_t
#endif

extension ChildProcess {
  /// Starts `/bin/sh -c COMMAND` in a group of its own; its process, and the two ends that stay here.
  static func start(
    _ command: String, _ name: String
  ) throws(ReplayError) -> (process: pid_t, input: Int32, output: Int32) {
    var (toChild, fromChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe pipe(&toChild) == 0, unsafe pipe(&fromChild) == 0 else {
      for descriptor in toChild + fromChild where descriptor >= 0 { _ = close(descriptor) }
      throw ReplayError("\(name): cannot be started: too many files are open")
    }
    for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let (process, code) = spawn(command, input: toChild[0], output: fromChild[1])
    _ = close(toChild[0])
    _ = close(fromChild[1])
    guard code == 0 else {
      _ = close(toChild[1])
      _ = close(fromChild[0])
      throw ReplayError("\(name): cannot be started: \(unsafe String(cString: strerror(code)))")
    }
    for descriptor in [toChild[1], fromChild[0]] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    return (process, toChild[1], fromChild[0])
  }

  private static func spawn(_ command: String, input: Int32, output: Int32) -> (process: pid_t, code: Int32) {
    var process: pid_t = 0
    #if canImport(Darwin)
      var (actions, attributes): (FileActions, Attributes) = (nil, nil)
    #else
      var (actions, attributes) = unsafe (FileActions(), Attributes())
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    // Nothing is held back from it that is held back here.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    // This process ignores it; a child should not.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe []
    for word in ["/bin/sh", "-c", command] { unsafe words.append(strdup(word)) }
    unsafe words.append(nil)
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    let code = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ)
    return (process, code)
  }
}

/// The system's `write`, under a name that no method here has.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}

/// The system's `read`.
func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, bytes, count)
}
