import Foundation
import Testing

/// Every command in the README and in a page about a verb is run, and prints what stands there.
///
/// GOLDWIRE_RECORD=1 writes the real output into the page; look at the difference before you commit it.
@Suite struct ReadmeTests {
  /// A command and what follows it in a console block.
  private struct Step {
    var command: String
    var output: [Substring]
  }

  @Test(arguments: [
    ("README.md", 6), ("docs/causal.md", 3), ("docs/perturb.md", 1), ("docs/inference.md", 3),
    ("docs/machines.md", 2), ("docs/settings.md", 4),
  ])
  func everyCommandPrintsWhatIsSaid(_ page: String, _ least: Int) throws {
    let text = try Repository.text(page)
    var shell = try Shell()
    defer { shell.remove() }
    var written: [String] = []
    var steps: [Step] = []
    var commands = 0
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if isInside, line == "```" {
        for step in steps {
          commands += 1
          let output = try Self.lines(shell.run(step.command))
          #expect(
            Self.matches(step.output[...], output[...]),
            "$ \(step.command)\n\(output.joined(separator: "\n"))")
          written.append("$ " + step.command)
          written += step.output.contains("…") ? step.output.map(String.init) : output.map(String.init)
        }
        (steps, isInside) = ([], false)
      } else if isInside {
        if line.hasPrefix("$ ") {
          steps.append(Step(command: String(line.dropFirst(2)), output: []))
          continue
        }
        let index = steps.count - 1
        if index >= 0 { steps[index].output.append(line) }
        continue
      }
      isInside = isInside || line == "```console"
      written.append(String(line))
    }
    #expect(commands >= least)
    if ProcessInfo.processInfo.environment["GOLDWIRE_RECORD"] == "1" {
      try Data(written.joined(separator: "\n").utf8).write(to: Repository.root.appending(path: page))
    }
  }

  /// Whether the lines are equal, where a line `…` stands for any number of them.
  private static func matches(_ wanted: ArraySlice<Substring>, _ got: ArraySlice<Substring>) -> Bool {
    guard let first = wanted.first else { return got.isEmpty }
    if first == "…" {
      return (got.startIndex...got.endIndex).contains { matches(wanted.dropFirst(), got[$0...]) }
    }
    return first == got.first && matches(wanted.dropFirst(), got.dropFirst())
  }

  private static func lines(_ output: String) -> [Substring] {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
