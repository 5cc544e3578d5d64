import Foundation
import GoldwireCommand
import GoldwireReplay
import GoldwireTrace
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `--machine exec:COMMAND`: children that are right, and children that are not.
@Suite struct ExecMachineTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let traces = root.appending(path: "traces").path
  private static let silent = traces + "/ws-aiohttp-silent"
  private static let example = root.appending(path: "docs/machines/asyncio_heartbeat.py").path
  private static let hello = #"echo '{"goldwire":1,"machine":"heartbeat"}'"#

  private static let hasPython = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }

  /// Has no patience at all, so that nothing here waits.
  private static func hurried() -> ForeignLimits {
    var limits = ForeignLimits()
    (limits.replySeconds, limits.goodbyeSeconds) = (0, 0)
    return limits
  }

  private static func greet(
    _ command: String, _ limits: ForeignLimits = ForeignLimits()
  ) throws(ReplayError) -> ForeignSession {
    let child = try ChildProcess(command: command, limits: limits)
    return try ForeignSession(child, name: child.name, limits: limits)
  }

  @Test(
    "a child that fails gives one line that names the command, and what to do",
    arguments: [
      ("/nowhere/machine 2>&-", "is not there"), ("exit 3", "has ended with status 3"),
      ("kill -9 $$", "was ended by signal 9"), ("cat", "expected the key \"machine\""),
      ("echo no; cat", "its reply is none of a machine's"), ("yes", "its reply is none of a machine's"),
      ("yes | tr -d '\\n'", "wrote more than the 65536 bytes of a line"),
      (hello + "; exec 1>&-; cat >/dev/null", "before its reply"),
    ])
  func failures(command: String, words: String) {
    let run = TestRun(["conform", Self.silent + "/trace.jsonl", "--machine", "exec:" + command])
    #expect(run.status == .failed)
    #expect(run.errors.hasPrefix("goldwire: exec:" + command.prefix(20)), "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.dropLast().contains("\n") == false)
    #expect(run.output.isEmpty)
  }

  @Test("a mute child is not waited for beyond its time")
  func mute() {
    let error = #expect(throws: ReplayError.self) { try Self.greet("cat >/dev/null", Self.hurried()) }
    #expect(
      error?.message == "exec:cat >/dev/null: gave no reply within 0s; write it, and flush it, for each line")
  }

  @Test("a child that will not go is killed with its group, and no zombie stays")
  func stubborn() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "child-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    var limits = ForeignLimits()
    limits.goodbyeSeconds = 0
    // It is deaf to its end, and so is the child that it has itself.
    let command = "trap '' TERM HUP; echo $$ > '\(file)'; \(Self.hello); while :; do sleep 1; done"
    do {
      let session = try Self.greet(command, limits)
      #expect(session.machine == .heartbeat)
    }
    let process = try #require(
      pid_t(try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines))
    )
    #expect(kill(process, 0) == -1 && errno == ESRCH)
  }

  @Test("a child that writes at length before it reads holds nothing up, and is refused")
  func fullPipes() {
    let run = TestRun([
      "conform", Self.silent + "/trace.jsonl", "--machine",
      "exec:\(Self.hello); i=0; while [ $i -lt 9000 ]; do echo '{\"wake\":null}'; i=$((i+1)); done; cat >/dev/null",
    ])
    // All its replies are there in advance: nothing that it says follows from what it is told.
    #expect(run.status == .failed && run.errors.contains("wrote more than its replies"))
  }

  @Test(
    "what a child says or does after its replies is told, by every verb",
    arguments: [
      ("*'\"end\"'*) exit 0", nil), ("*'\"end\"'*) exit 7", "has ended with status 7 at its end"),
      ("*'\"end\"'*) kill -9 $$", "was ended by signal 9 at its end"),
      ("*'\"end\"'*) echo rubbish; exit 7", "wrote more than its replies"),
      ("*opened*) echo '{}'; echo '{}'", "wrote more than its replies"),
      ("*opened*) echo '{}'; echo rubbish", "its reply is none of a machine's"),
    ] as [(String, String?)])
  func endings(branch: String, words: String?) {
    let machine =
      "exec:\(Self.hello); read x; while read -r x; do case \"$x\" in \(branch);; *) echo '{}';; esac; done"
    for verb in [
      ["replay", Self.silent + "/trace.jsonl"], ["conform", Self.silent + "/trace.jsonl"],
      ["test", Self.silent], ["perturb", Self.silent + "/trace.jsonl", "--count", "3"],
    ] {
      let run = TestRun(verb + ["--machine", machine])
      guard let words else {
        #expect(run.status != .failed && run.errors.isEmpty, "\(verb): \(run.errors)")
        continue
      }
      #expect(run.status == .failed, "\(verb): \(run.output)")
      let told = run.output + run.errors
      #expect(told.contains(words) || told.contains("wrote more than its replies"), "\(verb): \(told)")
    }
  }

  @Test("a child that has ended is told as ended, though what it has started holds its output open")
  func orphans() {
    var limits = ForeignLimits()
    limits.replySeconds = 3
    // It reads before it ends: a write that nobody reads would tell of its end too, in fewer words.
    let error = #expect(throws: ReplayError.self) { try Self.greet("read x; sleep 60 & exit 3", limits) }
    #expect(error?.message.contains("has ended with status 3 before its reply") == true)
    #expect(error?.message.hasSuffix("and what it has started goes on") == true)
  }

  @Test("asyncio's own timers, in virtual time: the goldens of recorded clients", .enabled(if: hasPython))
  func asyncio() {
    let machine = "exec:python3 '\(Self.example)'"
    for scenario in [
      "ws-aiohttp-silent", "ws-aiohttp-heartbeat", "ws-keepalive-slow-pongs", "heartbeat-late-close",
    ] {
      let run = TestRun(["test", Self.traces + "/" + scenario, "--machine", machine])
      #expect(run.status == .expected, "\(scenario): \(run.output)\(run.errors)")
      #expect(run.output.contains("1 golden: 1 same"))
    }
    let conform = TestRun([
      "conform", Self.traces + "/ws-keepalive-slow-pongs/trace.jsonl", "--machine", machine,
    ])
    #expect(conform.status == .expected && conform.output.contains("9 recorded actions"))
    // A pong exactly at the deadline: asyncio takes it, the rules do not.
    let tie = TestRun(["test", Self.traces + "/heartbeat-pong-at-deadline", "--machine", machine])
    #expect(tie.status == .differs && !tie.output.contains("to accept"))
    let replay = TestRun(["replay", Self.silent + "/trace.jsonl", "--machine", machine])
    #expect(replay.output.contains("1.005390s  ws1#1 close: pongTimeout"))
    let perturb = TestRun(["perturb", Self.silent + "/trace.jsonl", "--machine", machine, "--count", "40"])
    #expect(perturb.status == .differs && perturb.output.contains("BROKEN"))
  }

  @Test("what a child cannot be asked is refused, in words")
  func refusals() {
    let machine = "exec:\(Self.hello); cat >/dev/null"
    let causal = TestRun(["replay", "--causal", Self.silent + "/trace.jsonl", "--machine", machine])
    #expect(
      causal.status == .failed && causal.errors.contains("--causal predicts with the built-in machines alone")
    )
    for words in [["--update"], ["--record", "missing"]] {
      let run = TestRun(["test", Self.silent, "--machine", machine] + words)
      #expect(run.status == .failed && run.errors.contains("writes none"))
    }
    #expect(TestRun(["test", Self.silent, "--machine", "heartbeat"]).errors.contains("wants exec:COMMAND"))
    #expect(TestRun(["replay", "x", "--machine", "exec: "]).errors.contains("names no command"))
    let other = TestRun(["conform", Self.traces + "/http-retry-budget/trace.jsonl", "--machine", machine])
    #expect(other.status == .failed && other.errors.contains("does not drive heartbeat"))
    let none = TestRun(["test", Self.traces + "/http-retry-budget", "--machine", machine])
    #expect(none.status == .failed && none.errors.contains("no golden of a heartbeat is there"))
  }
}
