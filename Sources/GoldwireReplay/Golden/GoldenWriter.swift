internal import GoldwireBytes
internal import GoldwireTrace

extension [UInt8] {
  /// Appends the canonical bytes of a golden's first line, with its line feed.
  mutating func append(_ header: GoldenHeader) {
    put("{\"golden\":\(GoldenHeader.version),\"trace\":")
    append(json: header.trace)
    put(",\"machine\":\"\(header.machine)\",")
    switch header.parameters {
    case .set(let name):
      put("\"set\":")
      append(json: name)
    case .literal(let values):
      put("\"parameters\":")
      if let machine = header.builtIn {
        append(ParameterTable([machine: values]), of: machine)
      } else {
        put("{}")
      }
    }
    put(",\"mode\":\"\(header.mode.rawValue)\",\"tick\":\"\(header.tick)\"")
    if let detail = header.detail { put(",\"detail\":\"\(detail.rawValue)\"") }
    if !header.assume.isEmpty {
      put(",\"assume\":[" + header.assume.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]")
    }
    put(",\"unit\":\"\(header.unit.rawValue)\"}\n")
  }

  /// Appends the canonical bytes of one action, with its line feed.
  mutating func append(_ line: GoldenLine) {
    append(object: line)
    append(0x0A)
  }

  /// Appends the canonical bytes of one action, without a line feed.
  package mutating func append(object line: GoldenLine) {
    put("{\"t\":\(line.t)")
    if let channel = line.channel { put(",\"ch\":\"\(channel)\"") }
    if let generation = line.generation { put(",\"gen\":\(generation)") }
    if let req = line.req { put(",\"req\":\(req)") }
    if let attempt = line.attempt { put(",\"try\":\(attempt)") }
    put(",\"do\":\"\(line.action)\"")
    if let n = line.n { put(",\"n\":\(n)") }
    if let id = line.id { put(",\"id\":\"\(id == 0 ? "" : "e\(id)")\"") }
    if let cursor = line.cursor { put(",\"cursor\":\"\(cursor == 0 ? "" : "e\(cursor)")\"") }
    if let wait = line.wait { put(",\"for\":\(wait)") }
    if let why = line.why { put(",\"why\":\"\(why)\"") }
    if let code = line.code { put(",\"code\":\(code)") }
    if let grade = line.grade { put(",\"grade\":\"\(grade.rawValue)\"") }
    append(0x7D)
  }

  /// Appends text as it is.
  mutating func put(_ text: String) { append(contentsOf: text.utf8) }
}
