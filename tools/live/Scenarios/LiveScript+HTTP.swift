extension LiveScript {
  /// The script of requests: answers in turn, the last repeats.
  static func request(_ family: LiveFamily, _ draw: inout LiveDraw) -> String {
    var answers: [String] = []
    for _ in 0..<draw.whole(2...8) { answers.append(answer(family, &draw)) }
    answers.append("{\"status\":\(draw.pick([200, 204, 404, 500])),\"body\":\(draw.whole(0...200))}")
    let rule = "{\"path\":\"*\",\"http\":[\(answers.joined(separator: ","))]}"
    return whole(seed: draw.whole(0...1_000_000), rules: rule)
  }

  private static func answer(_ family: LiveFamily, _ draw: inout LiveDraw) -> String {
    let status = draw.pick([429, 503, 503])
    let late = draw.chance(50) ? ",\"after\":\"\(draw.whole(0...30))ms\"" : ""
    let plain = "{\"status\":\(status)\(late)}"
    switch family {
    case .patience:
      let seconds = draw.pick(["0", "31", "99999999999999999999"])
      return draw.chance(50) ? plain : "{\"status\":\(status),\"retryAfter\":\"\(seconds)\"\(late)}"
    case .dates:
      let form = draw.pick(["imf", "rfc850", "asctime"])
      let distance = draw.chance(50) ? "\"ago\":\"\(draw.whole(1...100))s\"" : "\"in\":\"60s\""
      let date = "{\(distance),\"form\":\"\(form)\"}"
      return "{\"status\":\(status),\"retryAfter\":\(date),\"date\":\(draw.chance(50))\(late)}"
    case .faultyDates:
      let text = draw.pick(["-5", "0.5", "5s", "1e3", "2, 3", "soon", "", "Thu, 21 Oct 2015 07:28:00 GMT"])
      return "{\"status\":\(status),\"retryAfter\":\"\(text)\"\(late)}"
    case .breaks:
      return draw.pick(["{\"do\":\"reset\"}", "{\"do\":\"close\"}", "{\"body\":400,\"cut\":100}", plain])
    default: return plain
    }
  }

  /// The script of an event stream: one behaviour for each of its requests, the last repeats.
  static func stream(_ family: LiveFamily, _ draw: inout LiveDraw) -> String {
    let count = draw.whole(20...40)
    var behaviours: [String] = []
    for _ in 0..<draw.whole(1...4) { behaviours.append(stream(family, count, &draw)) }
    let whole = "{\"generate\":{\"count\":\(count),\"bytes\":\(draw.whole(1...200)),\"every\":\"5ms\"}}"
    let rule = "{\"path\":\"*\",\"events\":[\((behaviours + [whole]).joined(separator: ","))]}"
    return self.whole(seed: draw.whole(0...1_000_000), rules: rule)
  }

  private static func stream(_ family: LiveFamily, _ count: Int, _ draw: inout LiveDraw) -> String {
    let every = draw.whole(0...12)
    var keys = ["\"generate\":{\"count\":\(count),\"bytes\":\(draw.whole(1...200)),\"every\":\"\(every)ms\"}"]
    let end = draw.pick(["close", "chunked", "reset"])
    switch family {
    case .cuts: keys += ["\"cut\":\(draw.whole(0...5))", "\"end\":\"\(end)\""]
    case .insideCuts:
      keys += ["\"cut\":\(draw.whole(0...5))", "\"inside\":\(draw.whole(1...20))", "\"end\":\"\(end)\""]
    case .splits:
      let ends = draw.pick(["lf", "cr", "crlf"])
      let split = draw.pick(["\"character\"", "\"lineEnd\"", "\"bytes\"", "3"])
      let text = draw.pick(["naïve", "日本語", "plain"])
      let blocks = (1...4).map {
        "{\"id\":\"\($0)\",\"data\":\"\(text)\",\"split\":\(split),\"lineEnd\":\"\(ends)\"}"
      }
      keys = ["\"events\":[\(blocks.joined(separator: ","))]", "\"gap\":\"1ms\"", "\"end\":\"\(end)\""]
    case .endings:
      return draw.pick([
        "{\"status\":204}", "{\"status\":500}", "{\"type\":\"text/plain\"}", "{\"do\":\"reset\"}",
        "{\"do\":\"close\"}", "{\(keys[0]),\"cut\":2}",
      ])
    case .retryFields:
      let milliseconds = draw.pick([0, 1, 30, 150])
      keys = ["\"events\":[{\"retry\":\(milliseconds)},{\"id\":\"1\",\"data\":\"a\"}]", "\"end\":\"\(end)\""]
    case .silences: keys += ["\"cut\":\(draw.whole(0...4))", "\"end\":\"open\""]
    default: keys += ["\"cut\":\(draw.whole(2...8))", "\"end\":\"\(end)\""]
    }
    return "{" + keys.joined(separator: ",") + "}"
  }
}
