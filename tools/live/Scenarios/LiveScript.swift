/// The scripts of live sessions, in the fault server's language.
enum LiveScript {
  /// A whole script with rules and other keys.
  static func whole(seed: Int, _ keys: [String] = [], rules: String) -> String {
    var parts = ["\"script\":1", "\"seed\":\(seed)"] + keys
    parts.append("\"rules\":[\(rules)]")
    return "{" + parts.joined(separator: ",") + "}"
  }

  /// The script of a WebSocket session: one behaviour for each of its connections, the last repeats.
  static func socket(_ family: LiveFamily, _ client: LiveHeartbeat, _ draw: inout LiveDraw) -> String {
    var keys: [String] = []
    var behaviours: [String] = []
    for _ in 0..<draw.whole(1...4) { behaviours.append(behaviour(family, client, &draw)) }
    switch family {
    case .holes: keys.append(hole(client, &draw))
    case .restarts:
      let at = draw.whole(200...500)
      keys.append("\"restarts\":[{\"at\":\"\(at)ms\",\"for\":\"\(draw.whole(20...200))ms\"}]")
    default: break
    }
    let rule = "{\"path\":\"*\",\"websocket\":[\(behaviours.joined(separator: ","))]}"
    return whole(seed: draw.whole(0...1_000_000), keys, rules: rule)
  }

  private static func hole(_ client: LiveHeartbeat, _ draw: inout LiveDraw) -> String {
    let from = draw.whole(150...500)
    let until = from + draw.whole(30...3 * (client.interval + client.timeout))
    let way = draw.pick(["both", "in", "out"])
    let span = "\"from\":\"\(from)ms\",\"until\":\"\(until)ms\""
    return "\"network\":[{\"hole\":true,\"way\":\"\(way)\",\(span),\"rto\":\"20ms\"}]"
  }

  private static func behaviour(
    _ family: LiveFamily, _ client: LiveHeartbeat, _ draw: inout LiveDraw
  ) -> String {
    var keys = traffic(&draw)
    let at = draw.whole(30...400)
    switch family {
    case .calm, .holes, .restarts, .app: break
    case .delayedPongs:
      // Clear of the deadline: there two places of recording may see it differently.
      let (short, long) = (0...client.timeout - 25, client.timeout + 25...client.timeout + 50)
      let pongs = (0..<draw.whole(1...4)).map { _ in
        "{\"after\":\"\(draw.whole(draw.chance(70) ? short : long))ms\"}"
      }
      keys.append("\"pongs\":[\(pongs.joined(separator: ","))]")
    case .lostPongs:
      let pongs = (0..<draw.whole(1...5)).map { _ in draw.chance(70) ? "{}" : "{\"do\":\"drop\"}" }
      keys.append("\"pongs\":[\((pongs + ["{\"do\":\"drop\"}"]).joined(separator: ","))]")
    case .strangePongs:
      let pongs = (0..<draw.whole(1...5)).map { _ in
        "{\"do\":\"\(draw.pick(["answer", "twice", "other"]))\"}"
      }
      keys.append("\"pongs\":[\(pongs.joined(separator: ","))]")
    case .serverPings:
      let step = "{\"ping\":\(draw.whole(0...125)),\"at\":\"20ms\",\"count\":8,\"every\":\"35ms\"}"
      keys.append("\"steps\":[\(step)]")
    case .closes:
      let code = draw.pick(["1000", "1001", "1011", "4001", "\"none\""])
      keys.append("\"steps\":[{\"at\":\"\(at)ms\",\"close\":\(code)}]")
    case .resets: keys.append("\"steps\":[{\"at\":\"\(at)ms\",\"do\":\"reset\"}]")
    case .fins: keys.append("\"steps\":[{\"at\":\"\(at)ms\",\"do\":\"fin\"}]")
    case .refusals:
      if draw.chance(60) { keys = ["\"open\":{\"status\":\(draw.pick([401, 403, 404, 429, 500, 503]))}"] }
    case .silentHandshakes:
      let limit = client.connectTimeout ?? 60
      let after = draw.whole(draw.chance(50) ? 0...limit - 30 : limit + 25...limit + 60)
      let open = draw.chance(50) ? "\"do\":\"silent\"" : "\"after\":\"\(after)ms\""
      keys = ["\"open\":{\(open)}"]
    case .stalls: keys.append("\"steps\":[{\"at\":\"\(at)ms\",\"stall\":\(draw.whole(10...2_000))}]")
    case .idleLimits:
      let kill = draw.pick(["silent", "reset", "close"])
      keys = ["\"idleLimit\":{\"after\":\"\(draw.whole(40...150))ms\",\"kill\":\"\(kill)\"}"]
    case .pingLimits:
      let (pings, per) = (draw.whole(1...3), draw.whole(80...300))
      keys.append("\"pingLimit\":{\"pings\":\(pings),\"per\":\"\(per)ms\",\"kill\":\"close\"}")
    default: break
    }
    return "{" + keys.joined(separator: ",") + "}"
  }

  /// Messages of the server, by chance.
  private static func traffic(_ draw: inout LiveDraw) -> [String] {
    draw.chance(50) ? ["\"messages\":\"echo\""] : []
  }
}
