/// Whether numbers that count from 1 come one after the other, each kind by itself.
package struct OrdinalOrder<Kind: Hashable> {
  /// How many things can be counted at once at the begin of a file.
  private static var burst: Int { 4_096 }

  private let perMillisecond: Int
  private var known: [Kind: Int] = [:]
  private var lines = 0
  /// What a number may be at most where those before it are not in the file.
  ///
  /// A file that was cut out of a longer recording begins in the middle of its numbers: they are held to what so long
  /// a recording can have counted, a thousand a second.
  package private(set) var most = 0

  /// Makes an order of which nothing has come.
  package init(_ unit: Unit) { perMillisecond = unit == .us ? 1_000 : 1 }

  /// Takes the instant of the next line.
  package mutating func next(at t: Int) {
    lines += 1
    most = OrdinalOrder.burst + lines + max(t, 0) / perMillisecond
  }

  /// Takes a number; false if it neither counts on from those before nor is at most `limit`.
  package mutating func accepts(_ kind: Kind, _ number: Int, atMost limit: Int? = nil) -> Bool {
    let last = known[kind] ?? 0
    guard number > last else { return true }
    guard number == last + 1 || number <= limit ?? most else { return false }
    known[kind] = number
    return true
  }
}
