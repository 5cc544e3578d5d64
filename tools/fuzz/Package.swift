// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "goldwire-fuzz",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "goldwire", path: "../..")],
  targets: [
    .executableTarget(
      name: "goldwire-fuzz",
      dependencies: [.product(name: "GoldwireFuzzing", package: "goldwire")], path: "Sources/Fuzz",
      swiftSettings: [
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ]
)
