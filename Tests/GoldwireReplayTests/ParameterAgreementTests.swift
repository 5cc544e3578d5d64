import GoldwireReplay
import GoldwireTrace
import Testing

/// What files and options may say of a parameter is what the machine takes.
@Suite struct ParameterAgreementTests {
  private static let spans = ["1us", "1s", "2147483647s", "2147483648s", "0s"]
  private static let numbers = [
    0, 1, 2, 999, 1_000, 1_001, 65_536, 1_000_000, 1_000_001, 16_777_216, 16_777_217,
  ]
  private static let statuses = [[], [399], [400], [429, 503], [599], [600], [100], [200]]

  private static let candidates: [ParameterValue] =
    spans.compactMap { TimeSpan($0).map { .span($0) } } + numbers.map { .number($0) }
    + statuses.map { .numbers($0) } + [.flag(true)] + ParameterWord.allCases.map { .word($0) }

  private static func takes(_ machine: MachineName, _ values: [ParameterName: ParameterValue]) -> Bool {
    guard let parameters = try? MachineParameters(machine, values) else { return false }
    return switch machine {
    case .heartbeat: (try? parameters.heartbeat(.us)) != nil
    case .retry: (try? parameters.retry(.us)) != nil
    case .stream: (try? parameters.stream(.us)) != nil
    }
  }

  @Test(arguments: MachineName.allCases)
  func whatARuleAcceptsTheMachineTakes(machine: MachineName) {
    let wide: [ParameterName: ParameterValue] =
      switch machine {
      case .heartbeat:
        [.interval: .span(TimeSpan(microseconds: 1)), .timeout: .span(TimeSpan(microseconds: 1))]
      case .retry: [:]
      case .stream: [.least: .span(TimeSpan(microseconds: 1)), .most: .span(TimeSpan(microseconds: 1 << 52))]
      }
    for name in machine.parameters {
      for value in Self.candidates where machine.accepts(value, for: name) {
        var values = wide
        values[name] = value
        #expect(Self.takes(machine, values), "\(name.rawValue) \(value)")
      }
    }
  }

  @Test func whatTheMachineRefusesTheRulesRefuse() {
    let refused: [(MachineName, ParameterName, ParameterValue)] = [
      (.retry, .statuses, .numbers([399])), (.retry, .statuses, .numbers([200])),
      (.retry, .base, .span(TimeSpan(microseconds: 0))), (.retry, .cap, .span(TimeSpan(microseconds: 0))),
      (.retry, .base, .span(TimeSpan(microseconds: 2_147_483_648_000_000))), (.retry, .factor, .number(0)),
      (.retry, .count, .number(1_001)), (.stream, .window, .number(16_777_217)),
      (.stream, .window, .number(0)), (.stream, .delay, .span(TimeSpan(microseconds: 0))),
      (.stream, .failures, .number(0)),
    ]
    for (machine, name, value) in refused {
      #expect(!machine.accepts(value, for: name), "\(name.rawValue) \(value)")
      #expect(!Self.takes(machine, [name: value]), "\(name.rawValue) \(value)")
    }
  }
}
