extension EventStreamVector {
  /// Fields, ids, line ends; from the public suites of WPT, LaunchDarkly and eventsource-parser.
  static let basics: [EventStreamVector] = [
    EventStreamVector(
      "one line",
      chunks: [
        "data: Hello\n\n"
      ],
      events: [
        .init("message", "Hello", "")
      ]),
    EventStreamVector(
      "split in the value",
      chunks: [
        "data: Hel",
        "lo\n\n",
      ],
      events: [
        .init("message", "Hello", "")
      ]),
    EventStreamVector(
      "two data lines",
      chunks: [
        "data: Hello\ndata:World\n\n"
      ],
      events: [
        .init("message", "Hello\nWorld", "")
      ]),
    EventStreamVector(
      "empty data field",
      chunks: [
        "data:\n\n"
      ],
      events: [
        .init("message", "", "")
      ]),
    EventStreamVector(
      "id field",
      chunks: [
        "id: abc\ndata: Hello\n\n"
      ],
      events: [
        .init("message", "Hello", "abc")
      ]),
    EventStreamVector(
      "type and id",
      chunks: [
        "event: greeting\nid: abc\ndata: Hello\n\n"
      ],
      events: [
        .init("greeting", "Hello", "abc")
      ]),
    EventStreamVector(
      "NUL in id: field ignored",
      chunks: [
        "id: a\u{0}bc\ndata: Hello\n\n"
      ],
      events: [
        .init("message", "Hello", "")
      ]),
    EventStreamVector(
      "NUL in id keeps the earlier id",
      chunks: [
        "id: 123\nid: bad\u{0}id\ndata: hello\n\n"
      ],
      events: [
        .init("message", "hello", "123")
      ]),
    EventStreamVector(
      "empty id resets",
      chunks: [
        "id: abc\ndata: first\n\n",
        "id: \ndata: second\n\n",
      ],
      events: [
        .init("message", "first", "abc"),
        .init("message", "second", ""),
      ]),
    EventStreamVector(
      "id changes and persists",
      chunks: [
        "id: 1\ndata: 1\n\nid: 2\ndata:2\n\ndata:3\n\n"
      ],
      events: [
        .init("message", "1", "1"),
        .init("message", "2", "2"),
        .init("message", "3", "2"),
      ]),
    EventStreamVector(
      "unknown field",
      chunks: [
        "event: greeting\ncolor: blue\ndata: Hello\n\n"
      ],
      events: [
        .init("greeting", "Hello", "")
      ]),
    EventStreamVector(
      "no space after colon",
      chunks: [
        "event:greeting\ndata:Hello\n\n"
      ],
      events: [
        .init("greeting", "Hello", "")
      ]),
    EventStreamVector(
      "field without colon",
      chunks: [
        "data\n\ndata\ndata\n\n"
      ],
      events: [
        .init("message", "", ""),
        .init("message", "\n", ""),
      ]),
    EventStreamVector(
      "data shapes",
      chunks: [
        "data:\n\ndata\ndata\n\ndata:test\n\n"
      ],
      events: [
        .init("message", "", ""),
        .init("message", "\n", ""),
        .init("message", "test", ""),
      ]),
    EventStreamVector(
      "UTF-8 whatever charset says",
      chunks: [
        "data:ok\u{2026}\n\n"
      ],
      events: [
        .init("message", "ok\u{2026}", "")
      ]),
    EventStreamVector(
      "LF: one- and two-line event",
      chunks: [
        "data: event 1\n\ndata: event 2 line 1\ndata: event 2 line 2\n\n"
      ],
      events: [
        .init("message", "event 1", ""),
        .init("message", "event 2 line 1\nevent 2 line 2", ""),
      ]),
    EventStreamVector(
      "CR: one- and two-line event",
      chunks: [
        "data: event 1\r\rdata: event 2 line 1\rdata: event 2 line 2\r\r"
      ],
      events: [
        .init("message", "event 1", ""),
        .init("message", "event 2 line 1\nevent 2 line 2", ""),
      ]),
    EventStreamVector(
      "CRLF: empty first line",
      chunks: [
        "data:\r\ndata: line2\r\ndata: line3\r\n\r\n"
      ],
      events: [
        .init("message", "\nline2\nline3", "")
      ]),
    EventStreamVector(
      "CR: two extra empty lines",
      chunks: [
        "data: event 1\r\r\r\rdata: event 2\r\r"
      ],
      events: [
        .init("message", "event 1", ""),
        .init("message", "event 2", ""),
      ]),
    EventStreamVector(
      "CRLF cut between CR and LF",
      chunks: [
        "data: Hello\r",
        "\ndata: World\r",
        "\n\r\ndata: OK\r",
        "\n",
        "\r",
        "\n",
      ],
      events: [
        .init("message", "Hello\nWorld", ""),
        .init("message", "OK", ""),
      ]),
  ]
}
