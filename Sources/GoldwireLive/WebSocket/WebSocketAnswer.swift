internal import Foundation
internal import GoldwireBytes
internal import GoldwireMachines
internal import GoldwireProtocols
internal import GoldwireTrace

/// The head that answers an opening request, read strictly and checked in full (RFC 6455 section 4.1).
struct WebSocketAnswer: Equatable {
  let status: Int
  /// The fields in order, their names in lower case, their values trimmed.
  let fields: [(name: String, value: [UInt8])]

  static func == (left: WebSocketAnswer, right: WebSocketAnswer) -> Bool {
    left.status == right.status
      && left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
  }

  /// The length of the head that `bytes` begin with, its empty line included; nil if that has not come yet.
  ///
  /// Of the first `known` bytes it is known that they hold no end.
  static func length(_ bytes: [UInt8], known: Int = 0) -> Int? {
    var index = max(3, known - 3)
    while index < bytes.count {
      if bytes[index] == 10, bytes[index - 1] == 13, bytes[index - 2] == 10, bytes[index - 3] == 13 {
        return index + 1
      }
      index += 1
    }
    return nil
  }

  /// Reads a whole head; nil if it breaks a rule of HTTP/1.1.
  init?(_ head: ArraySlice<UInt8>) {
    var lines = Self.lines(head)
    guard !lines.isEmpty, let status = Self.status(lines.removeFirst()) else { return nil }
    self.status = status
    var fields: [(name: String, value: [UInt8])] = []
    for line in lines {
      guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
        line[..<colon].allSatisfy(WebSocketRequest.isTokenByte)
      else { return nil }
      let value = Self.trimmed(line[(colon + 1)...])
      guard value.allSatisfy(Self.isText) else { return nil }
      fields.append((String(decoding: line[..<colon], as: UTF8.self).lowercased(), Array(value)))
    }
    self.fields = fields
  }

  private static func lines(_ head: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = head.startIndex
    var index = start
    while index + 1 < head.endIndex {
      if head[index] == 13, head[index + 1] == 10 {
        if index > start { lines.append(head[start..<index]) }
        start = index + 2
        index = start
      } else {
        index += 1
      }
    }
    return lines
  }

  private static func status(_ line: ArraySlice<UInt8>) -> Int? {
    let line = Array(line)
    guard line.count >= 12, line.starts(with: "HTTP/1.".utf8), (0x30...0x39).contains(line[7]),
      line[8] == 0x20, line.count == 12 || line[12] == 0x20, line.allSatisfy(isText)
    else { return nil }
    var status = 0
    for byte in line[9..<12] {
      guard (0x30...0x39).contains(byte) else { return nil }
      status = status * 10 + Int(byte - 0x30)
    }
    return status >= 100 ? status : nil
  }

  private static func isText(_ byte: UInt8) -> Bool { byte == 9 || byte >= 32 && byte != 127 }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 9 }
    var value = value.drop(while: isBlank)
    while let last = value.last, isBlank(last) { value.removeLast() }
    return value
  }

  /// The values of all lines of a field.
  private func values(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value) }

  /// The elements of all lines of a list, in lower case.
  private func elements(_ name: String) -> [String] {
    values(name).flatMap { value in
      value.split(separator: 0x2C).map {
        String(decoding: Self.trimmed($0), as: UTF8.self).lowercased()
      }
    }.filter { !$0.isEmpty }
  }
}

// MARK: - What is checked

extension WebSocketAnswer {
  /// Whether another head will follow: 1xx, but for the switch of protocols.
  var isInterim: Bool { status < 200 && status != 101 }

  /// Why the connection must not be taken as open; nil if it may.
  func refusal(key: [UInt8], subprotocols: [String]) -> WebSocketRefusal? {
    guard status == 101 else { return WebSocketRefusal(.status, answer: answer) }
    let isSwitched =
      elements("upgrade") == ["websocket"] && elements("connection").contains("upgrade")
    let isProved = values("sec-websocket-accept") == [WebSocketKey.accept(key.span)]
    // Nothing was offered.
    let isPlain = elements("sec-websocket-extensions").isEmpty
    let chosen = values("sec-websocket-protocol").map { String(decoding: $0, as: UTF8.self) }
    let isAgreed = chosen.isEmpty || chosen.count == 1 && subprotocols.contains(chosen[0])
    if isSwitched, isProved, isPlain, isAgreed { return nil }
    return WebSocketRefusal(.protocol, answer: answer)
  }

  /// What a machine or a trace needs of the head.
  private var answer: Answer {
    let head = ReplyHead(
      status: status, fields: fields.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) })
    return head.answer(wall: Int(Date().timeIntervalSince1970 * 1_000_000), unit: 1_000_000)
  }
}
