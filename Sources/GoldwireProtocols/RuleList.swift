/// The rules that a message or frame broke and that were not told yet, in order and each once.
struct RuleList: Sendable {
  private var rules: InlineArray<6, ProtocolRule?> = InlineArray(repeating: nil)
  private var first: Int = 0
  private var end: Int = 0

  var isEmpty: Bool { first == end }

  /// Adds a rule; beyond six in one message nothing is added.
  mutating func add(_ rule: ProtocolRule) {
    for index in first..<end where rules[index] == rule { return }
    guard end < rules.count else { return }
    rules[end] = rule
    end &+= 1
  }

  @inline(__always)
  mutating func removeFirst() -> ProtocolRule? { isEmpty ? nil : removeOne() }

  @inline(never)
  private mutating func removeOne() -> ProtocolRule? {
    let rule = rules[first]
    first &+= 1
    if first == end { (first, end) = (0, 0) }
    return rule
  }
}
