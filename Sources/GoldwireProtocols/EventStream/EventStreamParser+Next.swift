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
        if let item = startLine(bytes, &index, &counted) { return item }
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

  /// Takes a line at its start: the whole of it if it lies in the piece, else its beginning.
  private mutating func startLine(
    _ bytes: Span<UInt8>, _ index: inout Int, _ counted: inout Int
  ) -> Item? {
    lineStart = blockBytes &+ (index &- counted)
    let byte = bytes[index]
    if byte == 0x0A || byte == 0x0D {
      endLine(byte, &index)
      if let item = endBlock() { return item }
      clearBlock()
      counted = index
      return nil
    }
    guard let end = bytes.firstLineEnd(from: index) else {
      beginLine(bytes, &index)
      return nil
    }
    let item = takeLine(bytes, index, end)
    index = end
    endLine(bytes[end], &index)
    guard let item else { return nil }
    if item != .comment { return counting(item, from: counted, to: index) }
    blockBytes = lineStart
    return item
  }

  /// Takes a line that lies whole in the piece and is not blank, without its line end.
  private mutating func takeLine(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Item? {
    let line = bytes.extracting(start..<end)
    if line[0] == 0x3A { return .comment }
    var valueStart: Int
    if line.begins(with: "data:", 5) {
      valueStart = start &+ 5
      if !keepsData {
        if valueStart < end, bytes[valueStart] == 0x20 { valueStart &+= 1 }
        takeData(bytes.extracting(valueStart..<end))
        return nil
      }
      beginField(.data)
    } else if line.begins(with: "id:", 3) {
      valueStart = start &+ 3
      if valueStart < end, bytes[valueStart] == 0x20 { valueStart &+= 1 }
      if takeID(bytes.extracting(valueStart..<end)) { return nil }
      beginField(.id)
      take(bytes.extracting(valueStart..<end))
      return endField()
    } else if line.begins(with: "event:", 6) {
      valueStart = start &+ 6
      if valueStart < end, bytes[valueStart] == 0x20 { valueStart &+= 1 }
      if takeType(bytes.extracting(valueStart..<end)) { return nil }
      beginField(.event)
      take(bytes.extracting(valueStart..<end))
      return endField()
    } else {
      let colon = line.firstIndex(of: 0x3A) ?? line.count
      nameCount = min(colon, 8)
      name = line.extracting(0..<nameCount).firstWord
      beginField(namedField())
      valueStart = min(start &+ colon &+ 1, end)
    }
    if valueStart < end, bytes[valueStart] == 0x20 { valueStart &+= 1 }
    take(bytes.extracting(valueStart..<end))
    return endField()
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
