import GoldwireTrace
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Every trace that is kept in the repository, as this library reads it.
@Suite struct CorpusTests {
  static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/") + "/traces"

  static let traces: [String] = {
    names(in: folder).flatMap { scenario in
      names(in: folder + "/" + scenario)
        .filter { $0.hasSuffix(".jsonl") && !$0.hasSuffix(".golden.jsonl") }
        .map { scenario + "/" + $0 }
    }.sorted()
  }()

  static func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  @Test("the corpus is not empty")
  func isThere() { #expect(Self.traces.count > 10) }

  @Test(
    "a trace of the corpus is read, is canonical, and holds nothing but the vocabulary", arguments: traces)
  func canonical(name: String) throws {
    let bytes = try AtomicFile.read(Self.folder + "/" + name)
    let trace = try Trace(bytes: bytes)
    #expect(!trace.isTorn)
    #expect(trace.skipped == Trace.Skipped())
    #expect(trace.bytes() == bytes)
  }
}
