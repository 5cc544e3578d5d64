/// A word of an action line's `do` or `why`: one to sixteen ASCII letters and digits, held in place.
///
/// Words of a user's own machine are as good as the built-in ones: `let beat: ActionWord = "beat"`.
public struct ActionWord: Hashable, Sendable {
  private let low: UInt64
  private let high: UInt64

  /// Reads a word; nil for what is empty, longer than sixteen bytes, or holds more than letters and digits.
  public init?(_ text: some StringProtocol) {
    guard let word = Self(bytes: text.utf8) else { return nil }
    self = word
  }

  /// Reads a word from its bytes; nil as for text.
  public init?(bytes: some Sequence<UInt8>) {
    var (low, high, count) = (UInt64(0), UInt64(0), 0)
    for byte in bytes {
      guard count < 16, Self.isAllowed(byte) else { return nil }
      if count < 8 { low |= UInt64(byte) << (8 * UInt64(count)) }
      if count >= 8 { high |= UInt64(byte) << (8 * UInt64(count - 8)) }
      count += 1
    }
    guard count > 0 else { return nil }
    (self.low, self.high) = (low, high)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte >= 0x61 && byte <= 0x7A || byte >= 0x41 && byte <= 0x5A || byte >= 0x30 && byte <= 0x39
  }
}

extension ActionWord: ExpressibleByStringLiteral {
  /// Makes a word of a literal, which must be one.
  public init(stringLiteral literal: String) {
    guard let word = ActionWord(literal) else {
      preconditionFailure("An action word has one to sixteen ASCII letters and digits.")
    }
    self = word
  }
}

extension ActionWord: CustomStringConvertible {
  /// The word as text.
  public var description: String {
    var text = ""
    for half in [low, high] {
      var rest = half
      while rest != 0 {
        text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: rest)))
        rest >>= 8
      }
    }
    return text
  }
}

extension ActionWord {
  /// A ping is sent.
  public static let ping: ActionWord = "ping"
  /// A connection is closed by the machine.
  public static let close: ActionWord = "close"
  /// A connection ended without the machine closing it.
  public static let ended: ActionWord = "ended"
  /// A request is sent.
  public static let send: ActionWord = "send"
  /// A retry is waited for.
  public static let wait: ActionWord = "wait"
  /// A logical request or an event stream is over.
  public static let stop: ActionWord = "stop"
  /// An event stream is asked for.
  public static let connect: ActionWord = "connect"
  /// An event is handed to its handler.
  public static let deliver: ActionWord = "deliver"
  /// An event is left out, since its id has had its effect.
  public static let skip: ActionWord = "skip"
  /// The cursor moves.
  public static let commit: ActionWord = "commit"
  /// A remark.
  public static let note: ActionWord = "note"
  /// The machine is in step with the recorded client again.
  public static let sync: ActionWord = "sync"
  /// The recording has a hole; the machine is out of step.
  public static let unsync: ActionWord = "unsync"
  /// The recording ends.
  public static let end: ActionWord = "end"

  /// Whether an action of this kind is an outcome: another one is more than a shifted or changed action.
  public var isOutcome: Bool {
    [.close, .ended, .stop, .deliver, .sync, .unsync, .end].contains(self)
  }
}
