import Foundation
import GoldwireReplay
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// What is neither a plain file nor a plain folder is told, never waited for and never passed over.
@Suite struct StrangeFileTests {
  private static func errors(_ run: GoldwireReplay.TestRun) -> [String] {
    run.results.filter { $0.verdict == .error }.flatMap(\.explanation)
  }

  @Test(arguments: ["x.jsonl", "x.jsonl.gz", "x.heartbeat.golden.jsonl", "sub/x.jsonl"])
  func aPipeIsAnErrorAndTheOthersAreRun(name: String) throws {
    let folder = try Folder.lateClose()
    try folder.write("", to: "sub/README.md")
    let path = folder.path + "/" + name
    try #require(unsafe mkfifo(path, 0o600) == 0)
    for run in [try folder.run(), try folder.run(name, TestRunTests.golden)] {
      #expect(run.status == .failed)
      #expect(run.results.count { $0.verdict == .same } == 1)
      #expect(Self.errors(run).count == 1)
      #expect(Self.errors(run)[0].hasPrefix("\(path): is a pipe, a device or a socket"))
    }
  }

  @Test func aPipeInAGoldensPlaceIsNotWrittenTo() throws {
    let folder = try UpdateTests.withSet()
    try folder.remove(UpdateTests.golden)
    try #require(unsafe mkfifo(folder.path + "/" + UpdateTests.golden, 0o600) == 0)
    for run in [
      try folder.run(recordsMissing: true), try folder.run("late-close.jsonl", recordsMissing: true),
    ] {
      #expect(run.results.map(\.verdict) == [.error])
    }
  }

  @Test(arguments: ["goldwire.json", "goldwire.lock"])
  func aPipeIsNoConfiguration(name: String) throws {
    let folder = try UpdateTests.withSet()
    if name == "goldwire.json" { try folder.remove(name) }
    try #require(unsafe mkfifo(folder.path + "/" + name, 0o600) == 0)
    let run = try folder.run()
    #expect(run.status == .failed)
    #expect(Self.errors(run).count == 1)
    #expect(Self.errors(run)[0].contains("/\(name): is a pipe"))
  }

  @Test(arguments: ["d.jsonl", "folder"])
  func aLinkThatLeadsNowhereIsAnError(name: String) throws {
    let folder = try Folder.lateClose()
    try #require(unsafe symlink("nowhere", folder.path + "/" + name) == 0)
    let run = try folder.run()
    #expect(run.status == .failed)
    #expect(
      Self.errors(run) == [
        "\(folder.path)/\(name): is a symbolic link that leads nowhere; restore what it led to, or delete it"
      ])
    #expect(run.results.count { $0.verdict == .same } == 1)
  }

  @Test func aNameThatIsNotUTF8IsAnError() throws {
    let folder = try Folder.lateClose()
    let bytes = Array(folder.path.utf8CString.dropLast()) + [0x2F, CChar(bitPattern: 0xFF)]
    for (tail, isTold) in [(".jsonl", true), (".txt", false)] {
      let path = bytes + tail.utf8CString
      let descriptor = unsafe path.withUnsafeBufferPointer { buffer in
        unsafe buffer.baseAddress.map { unsafe open($0, O_WRONLY | O_CREAT, 0o600) } ?? -1
      }
      // Some file systems have no such names.
      guard descriptor >= 0 else { return }
      close(descriptor)
      let run = try folder.run()
      #expect(run.status == (isTold ? .failed : .expected))
      #expect(Self.errors(run).allSatisfy { $0.contains("its name is not UTF-8") })
      unsafe path.withUnsafeBufferPointer { buffer in
        if let base = buffer.baseAddress { unsafe unlink(base) }
      }
    }
  }

  @Test func aFolderBehindALinkIsLookedAtOnce() throws {
    let (folder, outside) = (try Folder(), try Folder.lateClose())
    try folder.write(OrderTests.late.text, to: "a/late-close.jsonl")
    try folder.write(GoldenTests.text, to: "a/" + TestRunTests.golden)
    let links = [("Z", outside.path), ("z", outside.path), ("0", "a"), ("a/up", ".."), ("a/self", ".")]
    for (name, target) in links { try #require(unsafe symlink(target, folder.path + "/" + name) == 0) }
    let run = try folder.run()
    #expect(run.results.map(\.trace) == ["Z", "a"].map { "\(folder.path)/\($0)/late-close.jsonl" })
    #expect(run.status == .expected)
    try outside.edit(TestRunTests.golden, "100ms", "101ms")
    #expect(try folder.run().status == .differs)
  }

  @Test func aFolderThatCannotBeOpenedIsAnErrorAndTheOthersAreRun() throws {
    let folder = try Folder.lateClose()
    try folder.write("", to: "shut/x.jsonl")
    try #require(unsafe chmod(folder.path + "/shut", 0) == 0)
    defer { unsafe chmod(folder.path + "/shut", 0o700) }
    // Some users may open everything.
    guard unsafe access(folder.path + "/shut", R_OK) != 0 else { return }
    let run = try folder.run()
    #expect(run.status == .failed)
    #expect(Self.errors(run) == ["\(folder.path)/shut: permission denied"])
    #expect(run.results.count { $0.verdict == .same } == 1)
  }
}
