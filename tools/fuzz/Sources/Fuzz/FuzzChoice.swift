import GoldwireFuzzing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Which target is fuzzed: libFuzzer owns the arguments, so the environment names it.
enum FuzzChoice {
  static let variable = "GOLDWIRE_FUZZ"

  static let target: FuzzTarget = {
    let name = unsafe getenv(variable).map { unsafe String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
      fatalError("set \(variable) to one of: \(names)")
    }
    return target
  }()
}
