import Testing

/// Which module may import which, read from the sources themselves.
@Suite struct DependencyTidyTests {
  private static let system: Set<String> = ["Darwin", "Glibc", "Musl", "Dispatch", "Synchronization"]

  /// The direction of dependencies: a target's own modules and the C libraries that it may import.
  private static let drawn: [String: Set<String>] = [
    "GoldwireBytes": [],
    "GoldwireProtocols": ["GoldwireBytes"],
    "GoldwirePackets": ["GoldwireBytes"],
    "GoldwireMachines": ["GoldwireProtocols"],
    "GoldwireTrace": ["GoldwireBytes", "GoldwireProtocols", "GoldwireMachines", "CZlib"],
    "GoldwireReplay": ["GoldwireBytes", "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace"],
    "GoldwireCapture": [
      "GoldwireBytes", "GoldwirePackets", "GoldwireProtocols", "GoldwireTrace", "CPcap", "CBrotli", "CZstd",
    ],
    "GoldwireReport": ["GoldwireTrace", "GoldwireReplay"],
    // Foundation and Network on Apple's platforms alone.
    "GoldwireTap": [
      "GoldwireBytes", "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace", "Foundation", "Network",
    ],
    "GoldwireRuntime": ["GoldwireTap"],
    "GoldwireLive": [
      "GoldwireBytes", "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace", "GoldwireTap",
      "GoldwireRuntime",
      "Foundation", "FoundationNetworking",
    ],
    "GoldwireStore": ["GoldwireLive", "CSQLite"],
    "GoldwireTesting": [
      "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "GoldwireTap",
      "GoldwireLive",
      "Foundation", "FoundationNetworking",
    ],
    // Neither it nor the command loads Foundation, whose networking the shipped file could not hold.
    "GoldwireServer": [
      "GoldwireBytes", "GoldwireProtocols", "GoldwireTrace", "GoldwireTap", "GoldwireRuntime",
    ],
    "GoldwireCommand": [
      "GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "GoldwireCapture", "GoldwireReport",
      "GoldwireServer",
    ],
    "goldwire": ["GoldwireCommand"],
    "CPcap": [], "CZlib": [], "CBrotli": [], "CZstd": [], "CSQLite": [],
  ]

  private static let libraries = ["CPcap", "CZlib", "CBrotli", "CZstd", "CSQLite"]

  /// Modules that do no input or output of any kind, so not even libc.
  private static let pure: Set<String> = [
    "GoldwireBytes", "GoldwireProtocols", "GoldwirePackets", "GoldwireMachines", "GoldwireReport", "goldwire",
  ]

  @Test func everyTargetIsDrawn() {
    #expect(Repository.names("Sources").filter { Self.drawn[$0] == nil } == [])
  }

  @Test func importsFollowTheDrawing() throws {
    var strays: [String] = []
    for (target, allowed) in Self.drawn {
      let system = Self.pure.contains(target) ? [] : Self.system
      for path in Repository.files("Sources/\(target)", suffix: ".swift") {
        for module in try Self.imports(path) where !allowed.contains(module) && !system.contains(module) {
          strays.append("\(path) imports \(module)")
        }
      }
    }
    #expect(strays.sorted() == [])
  }

  @Test(arguments: libraries) func aSystemLibraryHasOneImporter(_ library: String) throws {
    let importers = try Repository.files("Sources", suffix: ".swift")
      .filter { try Self.imports($0).contains(library) }
    #expect(importers.count == 1, "\(library) is imported by \(importers)")
  }

  @Test(arguments: libraries) func aSystemLibraryHoldsTwoFiles(_ library: String) {
    #expect(Repository.names("Sources/\(library)") == ["module.modulemap", "shim.h"])
  }

  /// Memory is taken by hand only where libraries and the system ask for it, and in the byte primitives.
  @Test func unsafeCodeStaysInItsPlaces() throws {
    let places = [
      "Sources/GoldwireBytes/", "Sources/GoldwireTrace/Compression/", "Sources/GoldwireTrace/Files/",
      "Sources/GoldwireCapture/Input/", "Sources/GoldwireCapture/Codings/",
      "Sources/GoldwireCommand/Frame/",
      // The system's calls for a child process and its pipes.
      "Sources/GoldwireCommand/Exec/",
      // The system's calls for sockets.
      "Sources/GoldwireRuntime/Sockets/",
      "Sources/GoldwireReplay/Checking/Disk.swift",
      // The system's clock and its lock.
      "Sources/GoldwireTap/TapInstant.swift", "Sources/GoldwireTap/Writing/Guarded.swift",
      // The database, and the queue on which it waits for the disk.
      "Sources/GoldwireStore/",
      // An input stream is read through a pointer.
      "Sources/GoldwireTesting/ScriptedTransport.swift",
      // These compare bytes with a StaticString, which gives no span of them.
      "Sources/GoldwireTrace/Model/EventKey.swift", "Sources/GoldwireTrace/Reading/CanonicalCursor.swift",
      "Sources/GoldwireTrace/JSON/JSONScanner.swift",
    ]
    let strays = try Repository.files("Sources", suffix: ".swift").filter { path in
      try !places.contains { path.hasPrefix($0) }
        && Repository.lines(path).contains { Self.code($0).contains(/\bunsafe\b(?!-inline)/) }
    }
    #expect(strays == [])
  }

  /// The modules that a file imports.
  private static func imports(_ path: String) throws -> Set<String> {
    var modules: Set<String> = []
    // The overview of help has a verb that is called import; no statement stands so far in.
    for line in try Repository.lines(path) where !line.hasPrefix("      ") {
      let words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"), words.count > index + 1 else { continue }
      let access: Set<Substring> = ["public", "package", "internal", "fileprivate", "private", "@testable"]
      guard words[..<index].allSatisfy({ access.contains($0) || $0.hasPrefix("@") }) else { continue }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let name = kinds.contains(words[index + 1]) ? words[index + 2] : words[index + 1]
      modules.insert(String(name.prefix { $0 != "." }))
    }
    return modules
  }

  /// The line without its comment.
  private static func code(_ line: Substring) -> Substring {
    line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
  }
}
