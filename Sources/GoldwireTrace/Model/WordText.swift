/// A word of a closed set with its text as the codec wants it: static to write, compared in place to read.
///
/// The texts stand here a second time, beside the raw values, since a `String` would halve the codec's speed; a
/// test holds the two against each other.
protocol Word: RawRepresentable, CaseIterable, Sendable where RawValue == String {
  /// The word's bytes and the quote behind them.
  var text: StaticString { get }
  /// Takes a word and the quote behind it, or nothing.
  static func read(_ bytes: inout Span<UInt8>) -> Self?
}

extension Direction: Word {
  var text: StaticString {
    switch self {
    case .out: "out\""
    case .`in`: "in\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("out\"") { return .out }
    if bytes.eat("in\"") { return .`in` }
    return nil
  }
}

extension MessageKind: Word {
  var text: StaticString {
    switch self {
    case .text: "text\""
    case .binary: "binary\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("text\"") { return .text }
    if bytes.eat("binary\"") { return .binary }
    return nil
  }
}

extension Beat: Word {
  var text: StaticString {
    switch self {
    case .ping: "ping\""
    case .pong: "pong\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("ping\"") { return .ping }
    if bytes.eat("pong\"") { return .pong }
    return nil
  }
}

extension PingResult: Word {
  var text: StaticString {
    switch self {
    case .ok: "ok\""
    case .error: "error\""
    case .cancelled: "cancelled\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("ok\"") { return .ok }
    if bytes.eat("error\"") { return .error }
    if bytes.eat("cancelled\"") { return .cancelled }
    return nil
  }
}

extension CloseActor: Word {
  var text: StaticString {
    switch self {
    case .user: "user\""
    case .machine: "machine\""
    case .unknown: "unknown\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("user\"") { return .user }
    if bytes.eat("machine\"") { return .machine }
    if bytes.eat("unknown\"") { return .unknown }
    return nil
  }
}

extension Cause: Word {
  var text: StaticString {
    switch self {
    case .refused: "refused\""
    case .unreach: "unreach\""
    case .timeout: "timeout\""
    case .reset: "reset\""
    case .fin: "fin\""
    case .dns: "dns\""
    case .tls: "tls\""
    case .status: "status\""
    case .proxy: "proxy\""
    case .`protocol`: "protocol\""
    case .other: "other\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("refused\"") { return .refused }
    if bytes.eat("unreach\"") { return .unreach }
    if bytes.eat("timeout\"") { return .timeout }
    if bytes.eat("reset\"") { return .reset }
    if bytes.eat("fin\"") { return .fin }
    if bytes.eat("dns\"") { return .dns }
    if bytes.eat("tls\"") { return .tls }
    if bytes.eat("status\"") { return .status }
    if bytes.eat("proxy\"") { return .proxy }
    if bytes.eat("protocol\"") { return .`protocol` }
    if bytes.eat("other\"") { return .other }
    return nil
  }
}

extension EndCause: Word {
  var text: StaticString {
    switch self {
    case .fin: "fin\""
    case .reset: "reset\""
    case .error: "error\""
    case .timeout: "timeout\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("fin\"") { return .fin }
    if bytes.eat("reset\"") { return .reset }
    if bytes.eat("error\"") { return .error }
    if bytes.eat("timeout\"") { return .timeout }
    return nil
  }
}

extension CutCause: Word {
  var text: StaticString {
    switch self {
    case .eof: "eof\""
    case .reset: "reset\""
    case .error: "error\""
    case .local: "local\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("eof\"") { return .eof }
    if bytes.eat("reset\"") { return .reset }
    if bytes.eat("error\"") { return .error }
    if bytes.eat("local\"") { return .local }
    return nil
  }
}

extension Method: Word {
  var text: StaticString {
    switch self {
    case .get: "GET\""
    case .head: "HEAD\""
    case .post: "POST\""
    case .put: "PUT\""
    case .delete: "DELETE\""
    case .connect: "CONNECT\""
    case .options: "OPTIONS\""
    case .trace: "TRACE\""
    case .patch: "PATCH\""
    case .other: "OTHER\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("GET\"") { return .get }
    if bytes.eat("HEAD\"") { return .head }
    if bytes.eat("POST\"") { return .post }
    if bytes.eat("PUT\"") { return .put }
    if bytes.eat("DELETE\"") { return .delete }
    if bytes.eat("CONNECT\"") { return .connect }
    if bytes.eat("OPTIONS\"") { return .options }
    if bytes.eat("TRACE\"") { return .trace }
    if bytes.eat("PATCH\"") { return .patch }
    if bytes.eat("OTHER\"") { return .other }
    return nil
  }
}

extension LifeKind: Word {
  var text: StaticString {
    switch self {
    case .bytes: "bytes\""
    case .ack: "ack\""
    }
  }

  static func read(_ bytes: inout Span<UInt8>) -> Self? {
    if bytes.eat("bytes\"") { return .bytes }
    if bytes.eat("ack\"") { return .ack }
    return nil
  }
}
