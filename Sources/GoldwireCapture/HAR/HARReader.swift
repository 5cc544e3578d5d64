import GoldwireBytes
import GoldwireTrace

/// The reader of a HAR's structure: it finds the entries, and hands each to the log.
struct HARReader {
  private var cursor: HARCursor
  private let limits: HARLimits
  private var log: HARLog
  private var hasEntries = false

  /// Reads a whole HAR.
  ///
  /// Text that is no JSON, and entries without their instant or target, are errors that name the place and
  /// quote nothing.
  static func read(
    _ bytes: Span<UInt8>, _ settings: RecordSettings, _ limits: HARLimits
  ) throws(TraceError) -> HARLog {
    var reader = HARReader(
      cursor: HARCursor(bytes, limits: limits), limits: limits, log: HARLog(settings, limits))
    try reader.file(bytes)
    return reader.log
  }

  private init(cursor: HARCursor, limits: HARLimits, log: HARLog) {
    self.cursor = cursor
    self.limits = limits
    self.log = log
  }

  private mutating func file(_ bytes: Span<UInt8>) throws(TraceError) {
    let place = cursor.error("expected an object with the key \"log\": this is no HAR")
    guard try cursor.enterObject(bytes) else { throw place }
    var hasLog = false
    while let key = try cursor.key(bytes) {
      guard key == "log" else {
        try cursor.skip(bytes)
        continue
      }
      hasLog = true
      let place = cursor.error("expected an object with the key \"entries\": this is no HAR")
      guard try cursor.enterObject(bytes) else { throw place }
      try body(bytes)
      if !hasEntries { throw place }
    }
    try cursor.end(bytes)
    if !hasLog { throw place }
  }

  private mutating func body(_ bytes: Span<UInt8>) throws(TraceError) {
    while let key = try cursor.key(bytes) {
      switch key {
      case "creator", "browser":
        guard try cursor.enterObject(bytes) else { continue }
        while let key = try cursor.key(bytes) {
          let name = key == "name" ? try cursor.text(bytes) : nil
          if key != "name" { try cursor.skip(bytes) }
          if let name { log.note(creator: HARCursor.decoded(name, in: bytes)) }
        }
      case "entries":
        hasEntries = true
        let place = cursor.error("expected an array of entries")
        guard try cursor.enterArray(bytes) else { throw place }
        while try cursor.element(bytes) { try entry(bytes) }
      default: try cursor.skip(bytes)
      }
    }
  }

  private mutating func entry(_ bytes: Span<UInt8>) throws(TraceError) {
    let place = cursor.error("expected an entry: an object with startedDateTime and request")
    guard log.entries.count &+ log.ignored &+ log.unsent < limits.entries else {
      throw cursor.error("expected at most \(limits.entries) entries")
    }
    guard try cursor.enterObject(bytes) else { throw place }
    var fields = HARFields()
    while let key = try cursor.key(bytes) { try field(key, bytes, &fields) }
    try log.add(fields, bytes, place)
  }

  private mutating func field(
    _ key: String, _ bytes: Span<UInt8>, _ fields: inout HARFields
  ) throws(TraceError) {
    switch key {
    case "startedDateTime":
      let place = cursor.error("expected a date such as 2026-01-31T12:00:00.000Z")
      let date = try cursor.text(bytes).flatMap { HARDate(bytes.extracting($0.range)) }
      guard let date else { throw place }
      fields.started = date
    case "time": fields.time = try cursor.number(bytes, places: 3)
    case "timings": try timings(bytes, &fields)
    case "request": try request(bytes, &fields)
    case "response": try response(bytes, &fields)
    case "connection": fields.connection = try cursor.text(bytes)
    case "_fromCache", "_fetchedViaServiceWorker": try cached(bytes, &fields)
    case "_fetchType":
      let word = try cursor.text(bytes)
      if word?.isWord("memory cache", in: bytes) == true || word?.isWord("disk cache", in: bytes) == true
        || word?.isWord("service worker", in: bytes) == true
      {
        fields.isCached = true
      }
    case "_resourceType": fields.resourceType = try cursor.text(bytes)
    case "_error": try failure(bytes, &fields)
    case "_webSocketMessages": try messages(bytes, &fields)
    case "_eventSourceMessages": try events(bytes, &fields)
    default: try cursor.skip(bytes)
    }
  }

  private mutating func timings(_ bytes: Span<UInt8>, _ fields: inout HARFields) throws(TraceError) {
    guard try cursor.enterObject(bytes) else { return }
    var timings = HARFields.Timings()
    while let key = try cursor.key(bytes) {
      switch key {
      case "blocked": timings.blocked = try phase(bytes)
      case "dns": timings.dns = try phase(bytes)
      case "connect": timings.connect = try phase(bytes)
      case "send": timings.send = try phase(bytes)
      case "wait": timings.wait = try phase(bytes)
      case "receive": timings.receive = try phase(bytes)
      default: try cursor.skip(bytes)
      }
    }
    fields.timings = timings
  }

  /// The length of a phase in µs; −1 and other oddities are 0.
  private mutating func phase(_ bytes: Span<UInt8>) throws(TraceError) -> Int {
    min(max(try cursor.number(bytes, places: 3) ?? 0, 0), HAREntry.longest)
  }

  private mutating func request(_ bytes: Span<UInt8>, _ fields: inout HARFields) throws(TraceError) {
    guard try cursor.enterObject(bytes) else { return }
    while let key = try cursor.key(bytes) {
      switch key {
      case "method": fields.method = try cursor.text(bytes)
      case "url": fields.url = try cursor.text(bytes)
      case "headers": _ = try headers(bytes, &fields.request)
      case "bodySize": fields.request.bodySize = try cursor.number(bytes)
      case "postData":
        guard try cursor.enterObject(bytes) else { continue }
        while let key = try cursor.key(bytes) {
          if key == "text" { fields.request.text = try cursor.text(bytes) } else { try cursor.skip(bytes) }
        }
      default: try cursor.skip(bytes)
      }
    }
  }

  private mutating func response(_ bytes: Span<UInt8>, _ fields: inout HARFields) throws(TraceError) {
    guard try cursor.enterObject(bytes) else { return }
    while let key = try cursor.key(bytes) {
      switch key {
      case "status": fields.status = try cursor.number(bytes)
      case "headers":
        if try headers(bytes, &fields.response) { fields.isInternal = true }
      case "_fetchedViaServiceWorker": try cached(bytes, &fields)
      case "bodySize": fields.response.bodySize = try cursor.number(bytes)
      case "redirectURL": fields.redirect = try cursor.text(bytes)
      case "content": try content(bytes, &fields)
      case "_error", "_failureText": try failure(bytes, &fields)
      case "_charlesStatus": fields.state = try cursor.text(bytes)
      default: try cursor.skip(bytes)
      }
    }
  }

  private mutating func content(_ bytes: Span<UInt8>, _ fields: inout HARFields) throws(TraceError) {
    guard try cursor.enterObject(bytes) else { return }
    while let key = try cursor.key(bytes) {
      switch key {
      case "size": fields.contentSize = try cursor.number(bytes)
      case "mimeType": fields.mimeType = try cursor.text(bytes)
      case "text": fields.response.text = try cursor.text(bytes)
      case "encoding":
        if let text = try cursor.text(bytes) {
          fields.isBase64 = text.isWord("base64", in: bytes)
        }
      default: try cursor.skip(bytes)
      }
    }
  }

  private mutating func failure(_ bytes: Span<UInt8>, _ fields: inout HARFields) throws(TraceError) {
    if let text = try cursor.text(bytes), !text.isEmpty { fields.failures.append(text) }
  }

  /// Reads a key that says, by a word or by `true`, that no server answered.
  private mutating func cached(_ bytes: Span<UInt8>, _ fields: inout HARFields) throws(TraceError) {
    if cursor.scanner.peek(bytes) == UInt8(ascii: "t") { fields.isCached = true }
    if let text = try cursor.text(bytes), !text.isEmpty { fields.isCached = true }
  }

  /// Reads header lines; true if one says that the browser gave the response itself.
  private mutating func headers(
    _ bytes: Span<UInt8>, _ part: inout HARFields.Part
  ) throws(TraceError) -> Bool {
    guard try cursor.enterArray(bytes) else { return false }
    var isInternal = false
    while try cursor.element(bytes) {
      guard try cursor.enterObject(bytes) else { continue }
      var (name, value): (HARCursor.Text?, HARCursor.Text?)
      while let key = try cursor.key(bytes) {
        switch key {
        case "name": name = try cursor.text(bytes)
        case "value": value = try cursor.text(bytes)
        default: try cursor.skip(bytes)
        }
      }
      if name?.isWord("non-authoritative-reason", in: bytes) == true { isInternal = true }
      guard let name, let value, part.headers.count < limits.headers,
        let known = HARHeader.allCases.first(where: { name.isWord($0.text, in: bytes) })
      else { continue }
      part.headers.append(HARFields.Header(name: known, value: value))
    }
    return isInternal
  }

  // MARK: Messages

  private mutating func messages(_ bytes: Span<UInt8>, _ fields: inout HARFields) throws(TraceError) {
    guard try cursor.enterArray(bytes) else { return }
    while try cursor.element(bytes) {
      try checkItems(fields)
      guard try cursor.enterObject(bytes) else { continue }
      var message = HARFields.Message()
      while let key = try cursor.key(bytes) {
        switch key {
        case "type": message.type = try cursor.text(bytes)
        case "time": message.time = try instant(bytes)
        case "opcode": message.opcode = try cursor.number(bytes)
        case "data": message.data = try cursor.text(bytes)
        case "code": message.code = try cursor.number(bytes)
        default: try cursor.skip(bytes)
        }
      }
      fields.messages.append(message)
    }
  }

  private mutating func events(_ bytes: Span<UInt8>, _ fields: inout HARFields) throws(TraceError) {
    guard try cursor.enterArray(bytes) else { return }
    while try cursor.element(bytes) {
      try checkItems(fields)
      guard try cursor.enterObject(bytes) else { continue }
      var event = HARFields.StreamEvent()
      while let key = try cursor.key(bytes) {
        switch key {
        case "time": event.time = try instant(bytes)
        case "eventId": event.id = try cursor.text(bytes)
        case "eventName": event.type = try cursor.text(bytes)
        case "data": event.data = try cursor.text(bytes)
        default: try cursor.skip(bytes)
        }
      }
      fields.events.append(event)
    }
  }

  private func checkItems(_ fields: HARFields) throws(TraceError) {
    guard log.items &+ fields.messages.count &+ fields.events.count < limits.items else {
      throw cursor.error("expected at most \(limits.items) messages and events")
    }
  }

  /// An instant in µs since 1970: a date, or a number of seconds, milliseconds or µs, told by its size.
  private mutating func instant(_ bytes: Span<UInt8>) throws(TraceError) -> Int? {
    let start = cursor.scanner.offset
    guard cursor.scanner.peek(bytes) != UInt8(ascii: "\"") else {
      guard let text = try cursor.text(bytes) else { return nil }
      let value = bytes.extracting(text.range)
      return HARDate(value)?.microseconds ?? HARReader.instant(value)
    }
    try cursor.skip(bytes)
    return HARReader.instant(bytes.extracting(start..<cursor.scanner.offset))
  }

  private static func instant(_ text: Span<UInt8>) -> Int? {
    guard let whole = HARNumber.fixed(text, places: 0) else { return nil }
    switch whole {
    case 100_000_000..<100_000_000_000: return HARNumber.fixed(text, places: 6)
    case 100_000_000_000..<100_000_000_000_000: return HARNumber.fixed(text, places: 3)
    case 100_000_000_000_000..<100_000_000_000_000_000: return whole
    default: return nil
    }
  }
}
