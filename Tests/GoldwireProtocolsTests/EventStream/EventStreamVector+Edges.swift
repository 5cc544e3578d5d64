extension EventStreamVector {
  /// Cut line ends, odd names, comments, marks, unfinished blocks; from the same suites.
  static let edges: [EventStreamVector] = [
    EventStreamVector(
      "blank line whose CRLF is cut",
      chunks: [
        "data: one\r",
        "\r",
        "\n",
      ],
      events: [
        .init("message", "one", "")
      ]),
    EventStreamVector(
      "comment ended by a cut CRLF",
      chunks: [
        "data: one\n:",
        "ignored\r",
        "\ndata: two\n\n",
      ],
      events: [
        .init("message", "one\ntwo", "")
      ]),
    EventStreamVector(
      "bare field ended by cut CRLF",
      chunks: [
        "data: one\ndata\r",
        "\ndata: two\n\n",
      ],
      events: [
        .init("message", "one\n\ntwo", "")
      ]),
    EventStreamVector(
      "mixed newlines",
      chunks: [
        "data:test\r\ndata\ndata:test\r\n\r\n"
      ],
      events: [
        .init("message", "test\n\ntest", "")
      ]),
    EventStreamVector(
      "field names are exact",
      chunks: [
        "data:\u{0}\ndata:  2\rData:1\ndata\u{0}:2\ndata:1\r\u{0}data:4\nda-ta:3\rdata_5\ndata:"
          + "3\rdata:\r\n data:32\ndata:4\n\n"
      ],
      events: [
        .init("message", "\u{0}\n 2\n1\n3\n\n4", "")
      ]),
    EventStreamVector(
      "NUL in data is kept",
      chunks: [
        "data:\u{0}\n\n"
      ],
      events: [
        .init("message", "\u{0}", "")
      ]),
    EventStreamVector(
      "unknown fields between data lines",
      chunks: [
        "data:abc\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:123\n\n"
      ],
      events: [
        .init("message", "abc\n\n123", "")
      ]),
    EventStreamVector(
      "heartbeat comments",
      chunks: [
        ": \u{2665}\n\ndata: A\n\n: \u{2665}\n\ndata: B\n\n"
      ],
      events: [
        .init("message", "A", ""),
        .init("message", "B", ""),
      ]),
    EventStreamVector(
      "empty event name",
      chunks: [
        "event:\ndata: Hello 1\n\nevent:\n\n"
      ],
      events: [
        .init("message", "Hello 1", "")
      ]),
    EventStreamVector(
      "leading BOM",
      chunks: [
        "\u{FEFF}data: Hello\n\n"
      ],
      events: [
        .init("message", "Hello", "")
      ]),
    EventStreamVector(
      "BOM later in the stream",
      chunks: [
        "\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n"
      ],
      events: [
        .init("message", "1", ""),
        .init("message", "3", ""),
      ]),
    EventStreamVector(
      "double BOM",
      chunks: [
        "\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n"
      ],
      events: [
        .init("message", "2", ""),
        .init("message", "3", ""),
      ]),
    EventStreamVector(
      "unfinished block at end of stream",
      chunks: [
        "retry:1000\ndata:test1\n\nid:test\ndata:test2\n"
      ],
      events: [
        .init("message", "test1", "")
      ]),
    EventStreamVector(
      "bad retry keeps the old value",
      chunks: [
        "retry:2000\nretry:1000x\ndata:x\n\n"
      ],
      events: [
        .init("message", "x", "")
      ]),
    EventStreamVector(
      "id alone commits at the blank line",
      chunks: [
        "id: 42\n\n"
      ],
      events: []),
    EventStreamVector(
      "id alone, block unfinished",
      chunks: [
        "id: 42\n"
      ],
      events: []),
  ]
}
