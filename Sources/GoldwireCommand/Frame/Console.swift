#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a verb can see and say: standard output and error, the environment, the terminal.
package struct Console {
  /// Standard output: results.
  package var output: Output
  /// Standard error: everything else.
  package var errors: Output
  /// The environment.
  package var environment: [String: String]
  /// Whether standard output is a terminal.
  package var isTerminal: Bool
  /// Whether standard error is a terminal that a line can be rewritten on.
  package var showsProgress: Bool
  /// The terminal's width in columns; 100 where there is no terminal, so that equal input gives equal output.
  package var width: Int

  /// Makes a console.
  package init(
    output: Output, errors: Output, environment: [String: String] = [:], isTerminal: Bool = false,
    showsProgress: Bool = false, width: Int = 100
  ) {
    self.output = output
    self.errors = errors
    self.environment = environment
    self.isTerminal = isTerminal
    self.showsProgress = showsProgress
    self.width = width
  }

  /// Whether output may be coloured: on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
  package var hasColor: Bool {
    isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Whether it is a continuous integration's: `CI` is set to anything but empty, `0` or `false`.
  package var isCI: Bool { !["", "0", "false"].contains(environment["CI", default: ""]) }

  /// Writes a line on standard error, after the command's name.
  package func say(_ text: String) throws(CommandError) { try errors.line("goldwire: \(text)") }

  /// The process's own.
  package static func process() -> Console {
    let environment = processEnvironment()
    let isTerminal = isatty(1) == 1
    return Console(
      output: Output(descriptor: 1, name: "standard output", isLineBuffered: isTerminal),
      errors: Output(descriptor: 2, name: "standard error", isLineBuffered: true),
      environment: environment, isTerminal: isTerminal,
      showsProgress: isatty(2) == 1 && environment["TERM"] != "dumb",
      width: isTerminal ? terminalWidth() ?? environment["COLUMNS"].flatMap { Int($0) } ?? 100 : 100)
  }

  private static func terminalWidth() -> Int? {
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    #if canImport(Darwin)
      guard var entry = unsafe _NSGetEnviron().pointee else { return [:] }
    #else
      var entry = unsafe environ
    #endif
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    return variables
  }
}
