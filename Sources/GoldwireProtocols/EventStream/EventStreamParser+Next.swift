internal import GoldwireBytes

extension EventStreamParser {
  /// The next item that `bytes` completes at or after `index`, which moves past what was read.
  ///
  /// Nil once the piece is used up. Call it again with the same piece and index until then.
  public mutating func next(_ bytes: Span<UInt8>, at index: inout Int) -> Item? {
    if isDispatched { clearBlock() }
    // Bytes from `counted` on are not in `blockBytes` yet.
    var counted = index
    while index < bytes.count {
      if afterCR {
        afterCR = false
        if bytes[index] == 0x0A {
          // The end of a blank line is no part of the block that follows.
          if blockBytes == 0, index == counted { counted &+= 1 }
          index &+= 1
          continue
        }
      }
      switch place {
      case .mark(let matched):
        readMark(bytes, &index, matched)
        if case .lineStart = place {
          blockBytes = 0
          counted = index
        }
      case .lineStart:
        if let item = wholeLines(bytes, &index, &counted) { return item }
      case .name:
        guard let end = readName(bytes, &index) else { continue }
        endLine(end, &index)
        beginField(namedField())
        if let item = endField() { return counting(item, from: counted, to: index) }
      case .valueStart:
        if bytes[index] == 0x20 { index &+= 1 }
        place = .value
      case .value:
        let end = bytes.firstLineEnd(from: index) ?? bytes.count
        take(bytes.extracting(index..<end))
        index = end
        guard end < bytes.count else { continue }
        endLine(bytes[end], &index)
        if let item = endField() { return counting(item, from: counted, to: index) }
      case .comment:
        guard let end = bytes.firstLineEnd(from: index) else {
          index = bytes.count
          continue
        }
        index = end
        endLine(bytes[end], &index)
        blockBytes = lineStart
        return .comment
      }
    }
    blockBytes &+= max(0, index &- counted)
    return nil
  }
}

// MARK: - Lines

extension EventStreamParser {
  private mutating func counting(_ item: Item, from counted: Int, to index: Int) -> Item {
    blockBytes &+= index &- counted
    return item
  }

  private mutating func endLine(_ byte: UInt8, _ index: inout Int) {
    index &+= 1
    afterCR = byte == 0x0D
    place = .lineStart
  }

  /// One byte order mark at the start of the connection is no part of the stream.
  private mutating func readMark(_ bytes: Span<UInt8>, _ index: inout Int, _ matched: Int) {
    let expected: UInt8 = matched == 0 ? 0xEF : matched == 1 ? 0xBB : 0xBF
    if bytes[index] == expected {
      index &+= 1
      place = matched == 2 ? .lineStart : .mark(matched &+ 1)
    } else if matched == 0 {
      place = .lineStart
    } else {
      // What looked like a mark begins a name that means nothing.
      name = 0
      nameCount = 8
      place = .name
    }
  }

  /// Takes the lines that lie whole in the piece and end with LF alone, up to the first item or another line.
  @inline(__always)
  private mutating func wholeLines(
    _ bytes: Span<UInt8>, _ index: inout Int, _ counted: inout Int
  ) -> Item? {
    while index < bytes.count {
      guard let end = bytes.firstLineEnd(from: index) else {
        lineStart = blockBytes &+ (index &- counted)
        beginLine(bytes, &index)
        return nil
      }
      guard bytes[end] == 0x0A else { return startLine(bytes, end, &index, &counted) }
      let begin = index
      index = end &+ 1
      if end == begin {
        if let item = endBlock() { return item }
        clearBlock()
        counted = index
        continue
      }
      guard let item = takeLine(bytes.extracting(begin..<end)) else { continue }
      if item != .comment { return counting(item, from: counted, to: index) }
      // A comment is no part of the block.
      blockBytes &+= begin &- counted
      return item
    }
    return nil
  }

  /// Takes a line that lies whole in the piece up to a CR.
  @inline(never)
  private mutating func startLine(
    _ bytes: Span<UInt8>, _ end: Int, _ index: inout Int, _ counted: inout Int
  ) -> Item? {
    lineStart = blockBytes &+ (index &- counted)
    let begin = index
    index = end
    endLine(bytes[end], &index)
    if end == begin {
      if let item = endBlock() { return item }
      clearBlock()
      counted = index
      return nil
    }
    let item = takeLine(bytes.extracting(begin..<end))
    guard let item else { return nil }
    if item != .comment { return counting(item, from: counted, to: index) }
    blockBytes = lineStart
    return item
  }

  /// Takes a line that lies whole in the piece and is not blank, without its line end.
  private mutating func takeLine(_ line: Span<UInt8>) -> Item? {
    if line.begins(with: "data:", 5) {
      if !keepsData {
        takeData(line.extracting(droppingFirst: line.value(from: 5)))
        return nil
      }
      return takeField(.data, line.extracting(droppingFirst: line.value(from: 5)))
    }
    if line.begins(with: "id:", 3) {
      let value = line.extracting(droppingFirst: line.value(from: 3))
      return takeID(value) ? nil : takeField(.id, value)
    }
    if line.begins(with: "event:", 6) {
      let value = line.extracting(droppingFirst: line.value(from: 6))
      return takeType(value) ? nil : takeField(.event, value)
    }
    if line[0] == 0x3A { return .comment }
    return takeOther(line)
  }

  private mutating func takeField(_ field: Field, _ value: Span<UInt8>) -> Item? {
    beginField(field)
    take(value)
    return endField()
  }

  @inline(never)
  private mutating func takeOther(_ line: Span<UInt8>) -> Item? {
    let colon = line.firstIndex(of: 0x3A) ?? line.count
    nameCount = min(colon, 8)
    name = line.extracting(0..<nameCount).firstWord
    let value = line.value(from: min(colon &+ 1, line.count))
    return takeField(namedField(), line.extracting(droppingFirst: value))
  }

  /// At the first byte of a line that is not blank, and whose end is not there yet.
  private mutating func beginLine(_ bytes: Span<UInt8>, _ index: inout Int) {
    if bytes[index] == 0x3A {
      index &+= 1
      place = .comment
      return
    }
    name = 0
    nameCount = 0
    place = .name
  }

  /// Reads on in a name; the byte that ends the line, if the name does.
  private mutating func readName(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt8? {
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0D { return byte }
      index &+= 1
      if byte == 0x3A {
        beginField(namedField())
        place = .valueStart
        return nil
      }
      if nameCount < 8 {
        name |= UInt64(byte) << UInt64(8 &* nameCount)
        nameCount &+= 1
      }
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Where a field's value begins: behind one space, if there is one.
  @inline(__always)
  fileprivate func value(from start: Int) -> Int {
    start < count && self[start] == 0x20 ? start &+ 1 : start
  }
}
