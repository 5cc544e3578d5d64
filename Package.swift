// swift-tools-version: 6.2

import PackageDescription

/// One settings value for every target, so that none can drift.
let settings: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A library target: its folder is Sources/NAME.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The tests of one target: their folder is Tests/NAMETests.
func tests(of name: String, _ others: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: name + "Tests",
    dependencies: [.init(stringLiteral: name), "GoldwireTestSupport"] + others,
    exclude: exclude,
    swiftSettings: settings)
}

let package = Package(
  name: "goldwire",
  platforms: [.macOS(.v26), .iOS(.v26)],
  products: [
    .executable(name: "goldwire", targets: ["goldwire"]),
    .library(name: "GoldwireMachines", targets: ["GoldwireMachines"]),
    .library(name: "GoldwireProtocols", targets: ["GoldwireProtocols"]),
    .library(name: "GoldwireTrace", targets: ["GoldwireTrace"]),
    .library(name: "GoldwireReplay", targets: ["GoldwireReplay"]),
    .library(name: "GoldwireTap", targets: ["GoldwireTap"]),
    .library(name: "GoldwireRuntime", targets: ["GoldwireRuntime"]),
    .library(name: "GoldwireLive", targets: ["GoldwireLive"]),
    .library(name: "GoldwireServer", targets: ["GoldwireServer"]),
    .library(name: "GoldwireStore", targets: ["GoldwireStore"]),
    .library(name: "GoldwireTesting", targets: ["GoldwireTesting"]),
    // For the package in tools/fuzz alone.
    .library(name: "GoldwireFuzzing", targets: ["GoldwireFuzzing"]),
  ],
  targets: [
    .systemLibrary(
      name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"]), .brew(["libpcap"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),

    library("GoldwireBytes"),
    library("GoldwireProtocols", ["GoldwireBytes"]),
    library("GoldwirePackets", ["GoldwireBytes"]),
    library("GoldwireMachines", ["GoldwireProtocols"]),
    library("GoldwireTrace", ["GoldwireBytes", "GoldwireProtocols", "GoldwireMachines", "CZlib"]),
    library("GoldwireReplay", ["GoldwireProtocols", "GoldwireMachines", "GoldwireTrace"]),
    library(
      "GoldwireCapture",
      [
        "GoldwireBytes", "GoldwirePackets", "GoldwireProtocols", "GoldwireTrace", "CPcap", "CBrotli", "CZstd",
      ]),
    library("GoldwireReport", ["GoldwireTrace", "GoldwireReplay"]),
    library("GoldwireTap", ["GoldwireBytes", "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace"]),
    library("GoldwireRuntime", ["GoldwireTap"]),
    library(
      "GoldwireLive",
      [
        "GoldwireBytes", "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace", "GoldwireTap",
        "GoldwireRuntime",
      ]),
    library("GoldwireStore", ["GoldwireLive", "CSQLite"]),
    library(
      "GoldwireTesting",
      [
        "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "GoldwireTap",
        "GoldwireLive",
      ]),
    library(
      "GoldwireServer",
      ["GoldwireBytes", "GoldwireProtocols", "GoldwireTrace", "GoldwireTap", "GoldwireRuntime"]),
    library(
      "GoldwireCommand",
      [
        "GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "GoldwireCapture", "GoldwireReport",
        "GoldwireServer",
      ]),
    .executableTarget(name: "goldwire", dependencies: ["GoldwireCommand"], swiftSettings: settings),

    .target(
      name: "GoldwireTestSupport", dependencies: ["GoldwireBytes"], path: "Tests/Support",
      swiftSettings: settings),
    .target(
      name: "CaptureGenerator", dependencies: ["GoldwireTestSupport"], path: "tools/bench/Generator",
      swiftSettings: settings),
    .executableTarget(
      name: "capture-generator", dependencies: ["CaptureGenerator"], path: "tools/bench/Command",
      swiftSettings: settings),
    .executableTarget(
      name: "trace-reader", dependencies: ["GoldwireTrace"], path: "tools/bench/Reader",
      swiftSettings: settings),
    .executableTarget(
      name: "causal-cost", dependencies: ["GoldwireReplay", "GoldwireTrace"], path: "tools/bench/Causal",
      swiftSettings: settings),
    .executableTarget(
      name: "tap-cost", dependencies: ["GoldwireTap", "GoldwireTrace"], path: "tools/bench/Tap",
      swiftSettings: settings),
    .target(
      name: "LiveScenarios",
      dependencies: [
        "GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "GoldwireTap", "GoldwireLive",
        "GoldwireServer", "GoldwireTestSupport",
      ], path: "tools/live/Scenarios", swiftSettings: settings),
    .executableTarget(
      name: "live-check",
      dependencies: [
        "LiveScenarios", "GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "GoldwireTap", "GoldwireLive",
        "GoldwireServer",
      ], path: "tools/live/Command", swiftSettings: settings),
    .target(
      name: "ValidationScoring", dependencies: ["GoldwireMachines", "GoldwireTrace", "GoldwireReplay"],
      path: "tools/validate/Scoring", swiftSettings: settings),
    .target(
      name: "ValidationSimulator",
      dependencies: ["GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "ValidationScoring"],
      path: "tools/validate/Simulator", swiftSettings: settings),
    .target(
      name: "ValidationReal",
      dependencies: [
        "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "GoldwireTap",
        "GoldwireRuntime", "GoldwireLive", "GoldwireServer", "GoldwireTestSupport", "ValidationScoring",
        "ValidationSimulator",
      ], path: "tools/validate/Real", swiftSettings: settings),
    .executableTarget(
      name: "validate",
      dependencies: ["GoldwireReplay", "ValidationReal", "ValidationScoring", "ValidationSimulator"],
      path: "tools/validate/Command", swiftSettings: settings),
    tests(of: "ValidationScoring", ["GoldwireTrace", "GoldwireReplay"]),
    tests(
      of: "ValidationSimulator", ["GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "ValidationScoring"]),
    tests(of: "ValidationReal", ["GoldwireServer", "ValidationScoring", "ValidationSimulator"]),
    tests(of: "LiveScenarios", ["GoldwireTrace", "GoldwireReplay", "GoldwireServer"]),
    tests(of: "CaptureGenerator", ["GoldwireCapture", "GoldwireTrace"]),
    .target(
      name: "GoldwireFuzzing",
      dependencies: [
        "GoldwirePackets", "GoldwireProtocols", "GoldwireTrace", "GoldwireReplay", "GoldwireCapture",
        "GoldwireReport", "GoldwireTestSupport",
      ], path: "Tests/Fuzzing", swiftSettings: settings),
    tests(of: "GoldwireBytes"),
    tests(of: "GoldwireProtocols"),
    tests(of: "GoldwirePackets"),
    tests(of: "GoldwireMachines", ["GoldwireProtocols"]),
    tests(of: "GoldwireTrace", ["GoldwireProtocols", "GoldwireMachines", "GoldwireServer"]),
    tests(of: "GoldwireReplay", ["GoldwireProtocols", "GoldwireMachines", "GoldwireTrace"]),
    tests(of: "GoldwireCapture", ["GoldwirePackets", "GoldwireProtocols", "GoldwireTrace"]),
    tests(of: "GoldwireReport", ["GoldwireTrace", "GoldwireReplay"]),
    tests(of: "GoldwireTap", ["GoldwireProtocols", "GoldwireMachines", "GoldwireTrace", "GoldwireReplay"]),
    tests(of: "GoldwireRuntime", ["GoldwireTap"]),
    tests(
      of: "GoldwireLive",
      [
        "GoldwireBytes", "GoldwireProtocols", "GoldwireMachines", "GoldwireTrace", "GoldwireReplay",
        "GoldwireTap", "GoldwireServer", "GoldwireTesting",
      ]),
    // Made to be killed, by a test and by tools/endure.
    .executableTarget(
      name: "stream-endure",
      dependencies: ["GoldwireMachines", "GoldwireTap", "GoldwireLive", "GoldwireStore"],
      path: "Tests/StreamEndure", swiftSettings: settings),
    tests(
      of: "GoldwireStore",
      [
        "GoldwireMachines", "GoldwireTrace", "GoldwireTap", "GoldwireLive", "GoldwireServer",
        "GoldwireTesting", "stream-endure",
      ]),
    tests(
      of: "GoldwireTesting",
      ["GoldwireMachines", "GoldwireTrace", "GoldwireReplay", "GoldwireTap", "GoldwireLive"],
      exclude: ["Traces"]),
    tests(
      of: "GoldwireServer",
      [
        "GoldwireBytes", "GoldwireProtocols", "GoldwireTrace", "GoldwireTap", "GoldwireLive",
        "GoldwireTesting",
      ]),
    tests(of: "GoldwireFuzzing"),
    tests(of: "GoldwireCommand", ["GoldwireTrace", "GoldwireReplay", "goldwire"]),
    .testTarget(
      name: "HouseTests", dependencies: ["GoldwireMachines", "GoldwireTestSupport", "goldwire"],
      swiftSettings: settings),
  ]
)
