import GoldwireCommand

/// Runs the command in memory.
struct TestRun {
  let status: ExitStatus
  let output: String
  let errors: String

  init(
    _ words: [String], environment: [String: String] = [:], isTerminal: Bool = false, width: Int = 100
  ) {
    let (out, err) = (Collected(), Collected())
    let console = Console(
      output: out.output(), errors: err.output(), environment: environment, isTerminal: isTerminal,
      width: width)
    status = GoldwireCommand.run(words, console)
    (output, errors) = (out.text, err.text)
  }

  init(status: ExitStatus, output: String, errors: String) {
    (self.status, self.output, self.errors) = (status, output, errors)
  }
}

/// Bytes that an output was given.
final class Collected {
  private(set) var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func output() -> Output {
    Output { [self] bytes in
      for index in bytes.indices { self.bytes.append(bytes[index]) }
    }
  }
}

/// The command's own status, in a file that does not import Testing, which has a type of that name too.
typealias CommandStatus = ExitStatus
