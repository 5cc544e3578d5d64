import Foundation
import GoldwireReplay
import GoldwireTrace
import Testing

/// The pages of parameters and settings say what the code says.
@Suite struct ParameterPaperTests {
  private struct Row: Equatable, CustomStringConvertible {
    var name: String
    var values: String
    var standard: String
    var description: String { "\(name) | \(values) | \(standard)" }
  }

  private static func page(_ name: String) throws -> String {
    let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs")
    return try String(contentsOf: docs.appending(path: name), encoding: .utf8)
  }

  /// The rows of the first table below a machine's heading.
  private static func rows(_ machine: MachineName) throws -> [Row] {
    let text = try page("parameters.md")
    let part = text.components(separatedBy: "\n## \(machine.rawValue)\n").last ?? ""
    return part.components(separatedBy: "\n## ")[0].split(separator: "\n").compactMap { line in
      guard let row = line.wholeMatch(of: /\| `(\w+)` \| ([^|]+) \| ([^|]+) \| .{20,} \|/) else { return nil }
      return Row(
        name: String(row.1), values: row.2.filter { $0 != "`" }, standard: row.3.filter { $0 != "`" })
    }
  }

  /// What the code says of a parameter, in the words of the page.
  private static func row(_ machine: MachineName, _ name: ParameterName) throws -> Row {
    var named: [ParameterName: ParameterValue] = [:]
    for required in machine.required { named[required] = .span(TimeSpan(microseconds: 1_000_000)) }
    let standard = try MachineParameters(machine, named).values[name]
    let isRequired = machine.required.contains(name)
    return Row(
      name: name.rawValue, values: values(machine, name),
      standard: isRequired ? "none" : standard.map(spelled) ?? "")
  }

  private static func spelled(_ value: ParameterValue) -> String {
    switch value {
    case .span(let span): span.description
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .word(let word): word.rawValue
    case .numbers(let numbers): numbers.map(String.init).joined(separator: ",")
    }
  }

  /// What the machine accepts, tried out.
  private static func values(_ machine: MachineName, _ name: ParameterName) -> String {
    let accepts = { machine.accepts($0, for: name) }
    var kinds: [String] = []
    if accepts(.span(TimeSpan(microseconds: 1))) {
      let bound = TimeSpan(microseconds: 2_147_483_647_000_000)
      let isBound = !accepts(.span(TimeSpan(microseconds: bound.microseconds + 1)))
      kinds.append("a time" + (isBound ? " of at most \(bound)" : ""))
    }
    kinds += ParameterWord.allCases.filter { accepts(.word($0)) }.map(\.rawValue)
    if accepts(.flag(true)) { kinds += ["true", "false"] }
    if accepts(.number(1)) {
      let least = accepts(.number(0)) ? 0 : 1
      var most = 1
      var step = 1 << 40
      while step > 0 {
        if accepts(.number(most + step)) { most += step } else { step /= 2 }
      }
      kinds.append("\(least) to \(most)")
    }
    if accepts(.numbers([])) {
      let numbers = (0...1_000).filter { accepts(.numbers([$0])) }
      kinds.append("a list of \(numbers.first ?? 0) to \(numbers.last ?? 0)")
    }
    return kinds.joined(separator: ", ")
  }

  @Test("each parameter, its values and its default", arguments: MachineName.allCases)
  func parameters(_ machine: MachineName) throws {
    let page = try Self.rows(machine)
    let code = try machine.parameters.map { try Self.row(machine, $0) }
    #expect(page == code, "page \(page)\ncode \(code)")
  }

  @Test("the page of settings has every key, and its example is read")
  func settings() throws {
    let text = try Self.page("settings.md")
    let example = try #require(text.components(separatedBy: "```json\n").dropFirst().first)
      .components(separatedBy: "```")[0]
    let configuration = try Configuration(bytes: Array(example.utf8))
    #expect(configuration.sets.map(\.name) == ["field", "web"])
    #expect(configuration.labels.count == 2 && configuration.pools.count == 1)
    #expect(configuration.slack != nil && configuration.machines?.count == 2)
    let error = #expect(throws: ReplayError.self) { try Configuration(bytes: Array(#"{"x":1}"#.utf8)) }
    let list = try #require(error?.message.components(separatedBy: "expected ").last)
    let keys = list.replacing(" or ", with: ", ").components(separatedBy: ", ")
    #expect(keys.count == 6)
    let rows = text.split(separator: "\n").compactMap {
      $0.prefixMatch(of: /\| `(\w+)` \|/).map { String($0.1) }
    }
    #expect(Array(rows.prefix(keys.count)) == keys)
  }
}
