import Foundation
import GoldwireReplay
import ValidationReal
import ValidationScoring
import ValidationSimulator

/// The commands of `validate`.
enum Validate {
  static func run(_ arguments: [String]) async throws {
    if let word = arguments.first, ["help", "--help", "-h"].contains(word) {
      return print(ValidateOptions.usage)
    }
    if arguments.first == NetworkSession.word, let session = NetworkSession(Array(arguments.dropFirst())) {
      return try await session.run()
    }
    let options = try ValidateOptions(arguments)
    let tables: [Table]
    switch options.arm {
    case .simulator: tables = try await SimulatorArm(options).tables()
    // An arm makes experiments and hands back the tables of their study; see SimulatorArm.
    case .real:
      tables = try await RealArm(
        options.plans, options.half, others: options.families.isEmpty ? options.scripts : 0,
        cores: options.jobs
      ).tables()
    case .network:
      tables = try await NetworkArm(options.half, scripts: options.scripts, cores: options.jobs).tables()
    }
    for table in tables { print(table.name + "\n\n" + table.markdown) }
    if let path = options.json {
      let text = "{\n  \"tables\": [\n" + tables.map(\.json).joined(separator: ",\n") + "\n  ]\n}\n"
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    if let path = options.document {
      let url = URL(fileURLWithPath: path)
      let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      try Data(DocumentMarks.renew(text, tables).utf8).write(to: url)
    }
  }
}

/// Work that is shared out to some threads; the results come in the order of the work.
enum Shares {
  static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item], jobs: Int, _ work: @escaping @Sendable (Item) throws -> Result
  ) async throws -> [Result] {
    var results: [(Int, Result)] = []
    try await withThrowingTaskGroup(of: [(Int, Result)].self) { group in
      for job in 0..<jobs {
        group.addTask {
          try stride(from: job, to: items.count, by: jobs).map { ($0, try work(items[$0])) }
        }
      }
      for try await part in group { results += part }
    }
    return results.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
