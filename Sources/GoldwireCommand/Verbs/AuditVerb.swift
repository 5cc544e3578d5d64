import GoldwireReplay
import GoldwireReport
import GoldwireTrace

/// `goldwire audit`.
package struct AuditVerb: Verb {
  package static let name = "audit"
  package static let summary = "find what a trace or a golden should not hold"
  package static let flags: [Flag] = []
  package static let help = """
    usage: goldwire audit FILE|FOLDER...

    Checks traces, goldens, goldwire.json and goldwire.lock against the format's closed vocabulary:
    every key, word, pseudonym and blank that goldwire itself would not have written is a finding,
    with its place. What stands there is never printed. In folders, other files are passed over.

      FILE      a trace, a golden, a goldwire.json or a goldwire.lock, told by its name; '-' is a
                trace on standard input
      FOLDER    all of these in it and below it
          --json    findings as JSON Lines, the sums last

    exit status: 0 nothing found, 1 findings, 2 a file cannot be read

    example:
      goldwire audit traces

    As a pre-commit hook (.git/hooks/pre-commit, executable), for the folder that holds the traces:

      #!/bin/sh
      # Audits the traces as they are staged, which is what a commit takes.
      git diff --cached --quiet -- traces && exit 0
      [ -n "$(git ls-files -- traces)" ] || exit 0
      staged=$(mktemp -d) || exit 1
      trap 'rm -rf "$staged"' EXIT
      git ls-files -z -- traces | git checkout-index -z --stdin --prefix="$staged/" || exit 1
      cd "$staged" && goldwire audit traces

    """

  let paths: [String]
  let wantsJSON: Bool

  package init(_ arguments: Arguments) throws(UsageError) {
    paths = arguments.operands
    wantsJSON = arguments.wantsJSON
    if paths.isEmpty { throw arguments.error("a file or a folder is missing") }
  }

  package func run(_ console: Console) throws(CommandError) -> ExitStatus {
    let run = AuditRun(paths)
    for file in run.files {
      for finding in file.findings { try console.output.line(text(finding, in: file.path)) }
      if let error = file.error { try console.say(CommandError(error).description) }
    }
    if wantsJSON {
      try console.output.line(#"{"files":\#(run.files.count),"findings":\#(run.count)}"#)
    } else {
      let sum = "\(Quantity.count(run.files.count, "file")), \(Quantity.count(run.count, "finding"))"
      if run.count > 0 { try console.say(sum) } else { try console.output.line(sum) }
    }
    return ExitStatus(run.status)
  }

  private func text(_ finding: AuditFinding, in path: String) -> String {
    guard wantsJSON else {
      return "\(path == "-" ? "standard input" : path):\(finding.line):\(finding.column): \(finding)"
    }
    var bytes: [UInt8] = Array(#"{"file":"#.utf8)
    bytes.append(json: path)
    bytes += Array(
      #","line":\#(finding.line),"column":\#(finding.column),"finding":"\#(finding.kind.rawValue)"}"#.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }
}
