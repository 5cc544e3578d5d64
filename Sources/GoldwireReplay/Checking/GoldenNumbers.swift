internal import GoldwireTrace

/// Whether a golden's numbers count from 1 in order of appearance, line after line.
struct GoldenNumbers {
  private enum Counter: Hashable {
    case channel(Channel.Family)
    case generation(Channel)
    case request(Channel)
    case attempt(Channel)
    case event(Channel)
    case pseudonym(Channel)
  }

  private var order: OrdinalOrder<Counter>

  /// Makes an order of which nothing has come, of a golden in this unit.
  init(_ unit: Unit) { order = OrdinalOrder(unit) }

  /// The key of the first number of a line that no golden has there, and what it is.
  mutating func wrong(in line: GoldenLine) -> (key: String, kind: AuditFinding.Kind)? {
    order.next(at: line.t)
    guard let channel = line.channel else { return nil }
    let all: [(Counter, Int?, String, AuditFinding.Kind)] = [
      (.channel(channel.family), channel.number, "ch", .number),
      (.generation(channel), line.generation, "gen", .number),
      (.request(channel), line.req, "req", .number), (.attempt(channel), line.attempt, "try", .number),
      (.event(channel), line.n, "n", .number), (.pseudonym(channel), line.id, "id", .pseudonym),
      (.pseudonym(channel), line.cursor, "cursor", .pseudonym),
    ]
    for (counter, number, key, kind) in all {
      if let number, !order.accepts(counter, number) { return (key, kind) }
    }
    return nil
  }
}
