/// Secrets to be planted, and the search for any piece of them in what was written.
///
///     var canary = Canary()
///     capture.send(socket, .client, "GET /\(canary.next()) HTTP/1.1\r\n\r\n")
///     #expect(canary.leaks(in: trace) == nil)
public struct Canary: Sendable {
  private var all: [[UInt8]] = []

  /// Makes one without secrets.
  public init() {}

  /// A new secret: letters and digits, or in every second place digits alone.
  public mutating func next() -> String {
    let number = all.count
    let secret =
      number % 2 == 0
      ? "Qx\(number)Zv7kWjPyfTgb\(number)Rm"
      : String((0..<14).map { Character("\((number &* 7 &+ $0 &* 3) % 10)") })
    all.append(Array(secret.utf8))
    return secret
  }

  /// Plants something that is a secret as a whole, such as an address as it would be written.
  public mutating func plant(_ secret: String) { all.append(Array(secret.utf8)) }

  /// A piece of six characters of a secret that stands in the bytes, plain or as percent, base64 or hex write it.
  public func leaks(in bytes: [UInt8]) -> String? {
    var seen: Set<UInt64> = []
    for start in bytes.indices.dropLast(5) { seen.insert(Self.word(bytes[start..<(start + 6)])) }
    for secret in all {
      for start in 0...(secret.count - 6) {
        let piece = Array(secret[start..<(start + 6)])
        for form in [piece, Self.base64(piece), Self.hex(piece, ""), Self.hex(piece, "%")] {
          // The first six bytes of a form are looked up; what fits there is searched for.
          guard seen.contains(Self.word(form[..<6])), Self.stands(form, in: bytes) else { continue }
          return String(decoding: form, as: UTF8.self)
        }
      }
    }
    return nil
  }

  private static func word(_ six: ArraySlice<UInt8>) -> UInt64 { six.reduce(0) { $0 << 8 | UInt64($1) } }

  private static func stands(_ form: [UInt8], in bytes: [UInt8]) -> Bool {
    guard bytes.count >= form.count else { return false }
    return (0...(bytes.count - form.count)).contains { start in
      bytes[start..<(start + form.count)].elementsEqual(form)
    }
  }

  private static func hex(_ bytes: [UInt8], _ mark: String) -> [UInt8] {
    let digits = bytes.map { mark + (String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)) }.joined()
    return Array((mark.isEmpty ? digits : digits.uppercased()).utf8)
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return stride(from: 0, to: bytes.count - 2, by: 3).flatMap { index in
      let word = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
      return [18, 12, 6, 0].map { letters[word >> $0 & 63] }
    }
  }
}
