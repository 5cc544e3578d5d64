// Which blocks a request gets, and their bytes.
extension StreamBehaviour {
  /// The blocks behind the one that Last-Event-ID names; nil where it must be a whole number and is none.
  func blocks(after lastEventID: [UInt8]?) -> [Block]? {
    if hasNumberedIDs {
      let (last, isNumber) = WholeNumberText.read(lastEventID ?? Array("0".utf8))
      guard isNumber else { return nil }
      guard resumes else { return blocks }
      var current: Int?
      return blocks.filter { block in
        if let id = block.id { current = Int(id) }
        return current.map { $0 > last } ?? true
      }
    }
    guard resumes, let lastEventID, !lastEventID.isEmpty,
      let index = blocks.lastIndex(where: { $0.id.map { Array($0.utf8) == lastEventID } ?? false })
    else { return blocks }
    return Array(blocks[(index + 1)...])
  }
}

extension StreamBehaviour.Block {
  /// Its bytes, with the empty line that ends it.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ name: String, _ value: String) {
      bytes += Array((value.isEmpty ? name : name + " " + value).utf8) + lineEnd.bytes
    }
    for line in comment.map(StreamBehaviour.lines) ?? [] { add(":", line) }
    if let retry { add("retry:", String(retry)) }
    if let id { add("id:", id) }
    if let event { add("event:", event) }
    for line in data.map(StreamBehaviour.lines) ?? [] { add("data:", line) }
    return bytes + lineEnd.bytes
  }

  /// Its bytes as they are sent: each piece in a segment of its own.
  var pieces: [[UInt8]] {
    let bytes = bytes
    let place: Int?
    switch split {
    case .none: place = nil
    case .bytes: return bytes.map { [$0] }
    case .at(let count): place = count
    case .character: place = bytes.firstIndex { $0 >= 0xC0 }.map { $0 + 1 }
    case .lineEnd: place = bytes.firstIndex(of: 0x0D).map { $0 + 1 }
    }
    guard let place, place > 0, place < bytes.count else { return [bytes] }
    return [Array(bytes[..<place]), Array(bytes[place...])]
  }
}

extension StreamBehaviour {
  /// The lines of a text; an empty one has one.
  static func lines(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init)
  }
}
