internal import GoldwireBytes

extension EventStreamParser {
  /// Where in the grammar the next byte stands.
  enum Place: Sendable {
    /// Within the byte order mark, of which so many bytes were read.
    case mark(Int)
    /// At the start of a line.
    case lineStart
    /// In a field's name.
    case name
    /// After the colon, where one space is not part of the value.
    case valueStart
    /// In a field's value.
    case value
    /// In a comment.
    case comment
  }

  /// The fields that mean something.
  enum Field: Sendable {
    case data, event, id, retry, unknown
  }

  /// What the block has said so far.
  struct Block: Sendable {
    var hasData = false
    var data: [UInt8] = []
    var type: [UInt8] = []
    var id: [UInt8] = []
    var isCut = false
  }

  @inline(__always)
  mutating func clearBlock() {
    isDispatched = false
    digester.restart()
    block.hasData = false
    dataCount = 0
    typeDigest = nil
    if keepsData, !block.data.isEmpty { block.data.removeAll(keepingCapacity: true) }
    if !block.type.isEmpty { block.type.removeAll(keepingCapacity: true) }
    hasID = false
    block.isCut = false
  }

  /// The field whose name was read; names are exact.
  func namedField() -> Field {
    switch (name, nameCount) {
    case (0x6174_6164, 4): .data
    case (0x74_6E65_7665, 5): .event
    case (0x6469, 2): .id
    case (0x79_7274_6572, 5): .retry
    default: .unknown
    }
  }

  /// A field's name has ended.
  mutating func beginField(_ field: Field) {
    self.field = field
    switch field {
    case .data:
      if block.hasData {
        dataCount &+= 1
        digester.add(0x0A)
        if keepsData { block.data.append(0x0A) }
        if keepsData, block.data.count > limits.data {
          block.data.removeLast()
          cut()
        }
      }
      block.hasData = true
    case .event: clearType()
    case .id:
      if !candidate.isEmpty { candidate.removeAll(keepingCapacity: true) }
      isCandidate = true
      isASCII = true
    case .retry:
      number = 0
      digits = 0
      isNumber = true
    case .unknown: break
    }
  }

  /// A piece of a field's value.
  mutating func take(_ piece: Span<UInt8>) {
    guard piece.count > 0 else { return }
    switch field {
    case .data:
      dataCount &+= piece.count
      digester.add(piece)
      if keepsData, Self.keep(piece, in: &block.data, limit: limits.data) { cut() }
    case .event:
      if Self.keep(piece, in: &block.type, limit: limits.type) { cut() }
    case .id:
      if !piece.isTextASCII { judgeID(piece) }
      if Self.keep(piece, in: &candidate, limit: limits.id) {
        isCandidate = false
        cut()
      }
    case .retry:
      takeDigits(piece)
    case .unknown: break
    }
  }

  /// A field's line has ended.
  mutating func endField() -> Item? {
    switch field {
    case .id:
      guard isCandidate else { return nil }
      if !isASCII { candidate = Array(String(decoding: candidate, as: UTF8.self).utf8) }
      if keepsData {
        swap(&block.id, &candidate)
      } else {
        note(Self.digest(ofID: candidate.span, key: digestKey))
      }
      hasID = true
      return nil
    case .retry:
      return isNumber && digits > 0 ? .retry(number) : nil
    case .data, .event, .unknown:
      return nil
    }
  }

  /// A blank line: the block has ended.
  mutating func endBlock() -> Item? {
    blockBytes = 0
    isDispatched = true
    if hasID, keepsData { swap(&lastEventID, &block.id) }
    guard block.hasData else { return hasID ? .id : nil }
    contentDigest = digester.finished(type: typeDigest ?? digestOfType())
    return .event
  }

  private func digestOfType() -> UInt64 {
    block.type.isEmpty ? defaultType : ContentDigest.of(block.type.span, key: digestKey)
  }

  private mutating func clearType() {
    typeDigest = nil
    if !block.type.isEmpty { block.type.removeAll(keepingCapacity: true) }
  }

  /// Takes a line of data that lies whole in the piece, where it need not be kept.
  @inline(__always)
  mutating func takeData(_ value: Span<UInt8>) {
    if block.hasData {
      dataCount &+= 1
      digester.add(0x0A)
    }
    block.hasData = true
    dataCount &+= value.count
    digester.add(value)
  }

  /// Takes a type that lies whole in the piece, where it need not be kept; false if it is too long.
  mutating func takeType(_ value: Span<UInt8>) -> Bool {
    guard !keepsData, value.count <= limits.type else { return false }
    clearType()
    typeDigest = value.isEmpty ? defaultType : ContentDigest.of(value, key: digestKey)
    return true
  }

  /// Takes an id that lies whole in the piece, where it need not be kept; false if it is no plain text.
  mutating func takeID(_ value: Span<UInt8>) -> Bool {
    guard !keepsData, value.count <= limits.id, value.isTextASCII else { return false }
    note(Self.digest(ofID: value, key: digestKey))
    hasID = true
    return true
  }

  private mutating func note(_ digest: UInt64?) {
    hasEmptyID = digest == nil
    idDigest = digest ?? 0
  }

  /// A piece of an id that is not plain text: NUL makes it none, and what is not ASCII is decoded at its end.
  private mutating func judgeID(_ piece: Span<UInt8>) {
    for index in piece.indices {
      if piece[index] == 0 { isCandidate = false }
      if piece[index] >= 0x80 { isASCII = false }
    }
  }

  /// Marks the block, and counts it once.
  private mutating func cut() {
    if !block.isCut { cuts &+= 1 }
    block.isCut = true
  }

  private mutating func takeDigits(_ piece: Span<UInt8>) {
    for index in piece.indices {
      let byte = piece[index]
      guard byte >= 0x30, byte <= 0x39 else {
        isNumber = false
        return
      }
      number = min(number * 10 + Int(byte & 0x0F), 2_147_483_647)
      digits = 1
    }
  }

  /// Appends what the limit allows; true if that is not all.
  private static func keep(_ piece: Span<UInt8>, in buffer: inout [UInt8], limit: Int) -> Bool {
    let room = max(0, limit - buffer.count)
    buffer.append(piece.extracting(first: min(room, piece.count)))
    return piece.count > room
  }
}
