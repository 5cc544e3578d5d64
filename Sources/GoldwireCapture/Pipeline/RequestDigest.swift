import GoldwireBytes
import GoldwireProtocols

/// What of a request's head is compared in memory: hashes, made once at its end.
struct RequestDigest {
  /// The path without query.
  let path: UInt64
  /// The path with query, and the host.
  let target: UInt64
  /// The host; 0 for none.
  let host: UInt64
  /// The hash of the host and the path up to its last slash, to be continued.
  let base: KeyedHash
  /// The idempotency key; 0 for none.
  let key: UInt64
  /// What `Last-Event-ID` holds, if it is there.
  let cursor: EventID?

  /// Makes the digest of a head's bytes.
  init(_ bytes: Span<UInt8>, _ head: HTTP1Head, key seed: UInt64) {
    let target = bytes.extracting(clamped(head.target.bounds, bytes.count))
    let split = Authority.split(target)
    let origin = target.extracting(split.path..<target.count)
    if split.authority.isEmpty {
      let value = bytes.extracting(clamped(head.host.bounds, bytes.count))
      host = Authority.hash(value, key: seed)
    } else {
      host = Authority.hash(target.extracting(split.authority), key: seed)
    }
    let end = Authority.pathEnd(origin)
    path = KeyedHash.of(origin.extracting(0..<end), key: seed)
    var whole = KeyedHash(key: seed ^ host)
    whole.add(origin)
    self.target = whole.value
    var slash = end
    while slash > 0, origin[slash &- 1] != 0x2F { slash &-= 1 }
    var base = KeyedHash(key: seed ^ host)
    base.add(origin.extracting(0..<slash))
    self.base = base
    let key = bytes.extracting(clamped(head.idempotencyKey.bounds, bytes.count))
    self.key = key.isEmpty ? 0 : KeyedHash.of(key, key: seed)
    if head.lastEventID.isPresent {
      let value = bytes.extracting(clamped(head.lastEventID.bounds, bytes.count))
      cursor = EventID(value, key: seed)
    } else {
      cursor = nil
    }
  }

  /// The hash of the target that a `Location` names, if it lies within the request's origin; nil if not.
  ///
  /// `isSecure` is whether that origin is one of `https`.
  static func redirected(
    to location: Span<UInt8>, host: UInt64, base: KeyedHash, key seed: UInt64, isSecure: Bool = false
  ) -> UInt64? {
    let end = location.firstIndex(of: 0x23) ?? location.count
    let location = location.extracting(0..<end)
    guard !location.isEmpty else { return nil }
    let split = Authority.split(location)
    if split.authority.isEmpty {
      if location[0] == 0x2F {
        var hash = KeyedHash(key: seed ^ host)
        hash.add(location)
        return hash.value
      }
      // A relative reference with dots or a scheme is not resolved: nothing is guessed.
      guard location[0] != 0x2E, location[0] != 0x3F, location.firstIndex(of: 0x3A) == nil else { return nil }
      var hash = base
      hash.add(location)
      return hash.value
    }
    guard split.scheme == nil || split.scheme == (isSecure ? .https : .http),
      Authority.hash(location.extracting(split.authority), key: seed, isSecure: isSecure) == host
    else { return nil }
    var hash = KeyedHash(key: seed ^ host)
    if split.path == location.count { hash.add(0x2F as UInt8) }
    hash.add(location.extracting(split.path..<location.count))
    return hash.value
  }
}

/// An event id or cursor in memory.
enum EventID: Equatable {
  /// The empty id.
  case empty
  /// The hash of any other.
  case hash(UInt64)
}

/// The parts of an absolute target.
enum Authority {
  /// What stands before the authority.
  enum Scheme {
    case http, https, ws, wss, other
  }

  /// Where the authority and the path of a target lie; the authority is empty in a target that has none.
  static func split(_ target: Span<UInt8>) -> (authority: Range<Int>, path: Int, scheme: Scheme?) {
    var scheme = 0
    while scheme < target.count, scheme < 6, target[scheme] | 0x20 >= 0x61, target[scheme] | 0x20 <= 0x7A {
      scheme &+= 1
    }
    if scheme > 0 {
      guard scheme &+ 2 < target.count, target[scheme] == 0x3A, target[scheme &+ 1] == 0x2F,
        target[scheme &+ 2] == 0x2F
      else { return (0..<0, 0, nil) }
    } else {
      guard target.count > 2, target[0] == 0x2F, target[1] == 0x2F else { return (0..<0, 0, nil) }
    }
    let start = scheme > 0 ? scheme &+ 3 : 2
    var end = start
    while end < target.count, target[end] != 0x2F, target[end] != 0x3F { end &+= 1 }
    return (start..<end, end, scheme == 0 ? nil : self.scheme(target.extracting(0..<scheme)))
  }

  private static func scheme(_ name: Span<UInt8>) -> Scheme {
    func isName(_ word: StaticString) -> Bool { name.equals(folded: word, in: 0..<name.count) }
    if isName("http") { return .http }
    if isName("https") { return .https }
    if isName("ws") { return .ws }
    return isName("wss") ? .wss : .other
  }

  /// Where the path ends: at the query or the fragment.
  static func pathEnd(_ origin: Span<UInt8>) -> Int {
    let end = origin.firstIndex(of: 0x3F) ?? origin.count
    return origin.extracting(first: end).firstIndex(of: 0x23) ?? end
  }

  /// The hash of a host without regard to letter case and the default port; 0 for none.
  static func hash(_ host: Span<UInt8>, key: UInt64, isSecure: Bool = false) -> UInt64 {
    guard !host.isEmpty else { return 0 }
    let port: StaticString = isSecure ? ":443" : ":80"
    let size = port.utf8CodeUnitCount
    var end = host.count
    if end > size, host.equals(folded: port, in: (end &- size)..<end) { end &-= size }
    var hash = KeyedHash(key: key)
    hash.add(folded: host.extracting(0..<end))
    return hash.value
  }
}

/// A range held within so many bytes.
func clamped(_ range: Range<Int>, _ count: Int) -> Range<Int> {
  let start = min(max(range.lowerBound, 0), count)
  return start..<min(max(range.upperBound, start), count)
}
