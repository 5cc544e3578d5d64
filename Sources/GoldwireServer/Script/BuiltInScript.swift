/// A script that comes with the server.
public struct BuiltInScript: Sendable {
  /// Its name, as `goldwire serve --script` takes it.
  public let name: String
  /// What it does, in one line.
  public let summary: String
  /// The script itself.
  public let text: String

  /// All of them, in the order of help.
  public static let all: [BuiltInScript] = [events, cuts, chat, heartbeat, deaf, retry]

  /// The script of that name; nil if there is none.
  public static func named(_ name: String) -> BuiltInScript? { all.first { $0.name == name } }

  private static let events = BuiltInScript(
    name: "events", summary: "/events resumes after Last-Event-ID; with ?cut=1 it ends after one event",
    text: """
      {
        "script": 1,
        "rules": [
          {
            "path": "/events",
            "events": {
              "ids": "numbers",
              "cutQuery": true,
              "events": [
                {"id": "1", "data": "queued"},
                {"id": "2", "data": "building"},
                {"id": "3", "data": "finished"}
              ]
            }
          }
        ]
      }
      """)

  private static let cuts = BuiltInScript(
    name: "cuts", summary: "/events is cut at each place where it hurts, and then is whole",
    text: """
      {
        "script": 1,
        "rules": [
          {
            "path": "/events",
            "events": [
              {"cut": 1, "events": [{"retry": 200}, {"id": "1", "data": "queued"}, {"id": "2", "data": "building"}]},
              {"inside": 6, "cut": 0, "events": [{"id": "2", "data": "building"}]},
              {"end": "reset", "inside": 14, "cut": 0, "events": [{"id": "2", "data": "building"}]},
              {"end": "chunked", "events": [{"id": "2", "data": "b\u{E2}ti", "split": "character"}]},
              {"status": 503, "retryAfter": 1},
              {"events": [
                {"id": "2", "data": "building", "lineEnd": "crlf", "split": "lineEnd"},
                {"comment": "still there"},
                {"id": "3", "data": "finished", "split": "bytes", "after": "100ms"}
              ]},
              {"status": 204}
            ]
          }
        ]
      }
      """)

  private static let chat = BuiltInScript(
    name: "chat", summary: "WebSockets at every path: pings are answered, messages come back",
    text: """
      {
        "script": 1,
        "rules": [{"path": "*", "websocket": {"messages": "echo"}}]
      }
      """)

  private static let heartbeat = BuiltInScript(
    name: "heartbeat",
    summary: "a normal pong, a late one, a close, a refusal: one connection after the other",
    text: """
      {
        "script": 1,
        "refusedPort": true,
        "rules": [
          {
            "path": "*",
            "websocket": [
              {"steps": [{"afterPong": 1, "send": "text"}]},
              {"pongs": {"after": "3s"}, "steps": [{"afterPong": 1, "send": "text"}]},
              {"steps": [{"at": "1s", "close": 1001}]},
              {"open": {"status": 503, "retryAfter": 1}},
              {}
            ]
          }
        ]
      }
      """)

  private static let deaf = BuiltInScript(
    name: "deaf", summary: "WebSockets that stop answering: dropped pongs, silence, a stall, a black hole",
    text: """
      {
        "script": 1,
        "rules": [
          {
            "path": "*",
            "websocket": [
              {"pongs": ["answer", "drop"]},
              {"steps": [{"afterPong": 1, "do": "silent"}]},
              {"steps": [{"afterPong": 1, "stall": 64}]},
              {"network": {"from": "5s", "until": "15s", "hole": true}},
              {"open": {"do": "silent"}}
            ]
          }
        ]
      }
      """)

  private static let retry = BuiltInScript(
    name: "retry", summary: "503 with Retry-After in seconds, 429 with a date, 200, and so on at other paths",
    text: """
      {
        "script": 1,
        "rules": [
          {
            "path": "/retry",
            "http": [
              {"status": 503, "retryAfter": 1},
              {"status": 429, "retryAfter": {"in": "2s"}},
              {"status": 200, "body": 16}
            ]
          },
          {"path": "/later", "http": {"status": 503, "retryAfter": 120}},
          {"path": "/invalid", "http": [{"status": 503, "retryAfter": "+1"}, {"status": 200, "body": 16}]},
          {"path": "/busy", "http": {"status": 503}},
          {"path": "/moved", "http": {"status": 307, "location": "/busy"}},
          {"path": "/broken", "http": {"body": 1000, "cut": 10}}
        ]
      }
      """)
}

extension FaultScript {
  /// Reads a script that comes with the server; nil if there is none of that name.
  public init?(named name: String, scale: Int? = nil) {
    guard let found = BuiltInScript.named(name),
      let script = try? FaultScript(json: Array(found.text.utf8), scale: scale)
    else { return nil }
    self = script
  }
}
