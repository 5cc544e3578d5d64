/// The standard's algorithm word for word, on a whole stream that was decoded first: slow and plain.
struct PlainEventStream {
  var events: [EventStreamVector.Event] = []
  var retries: [Int] = []
  var lastEventID = ""

  private var data = ""
  private var type = ""
  private var idBuffer = ""

  init(_ bytes: [UInt8]) {
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    var line = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      guard scalar == "\n" || scalar == "\r" else {
        line.append(scalar)
        continue
      }
      if scalar == "\r", index < scalars.count, scalars[index] == "\n" { index += 1 }
      end(Array(line))
      line = String.UnicodeScalarView()
    }
  }

  private mutating func end(_ line: [Unicode.Scalar]) {
    if line.isEmpty { return dispatch() }
    if line[0] == ":" { return }
    let colon = line.firstIndex(of: ":") ?? line.count
    var value = line.dropFirst(colon + 1)
    if value.first == " " { value.removeFirst() }
    field(Self.text(line[..<colon]), Self.text(value))
  }

  private mutating func field(_ name: String, _ value: String) {
    switch name.unicodeScalars.map(\.value) {
    case "event".unicodeScalars.map(\.value): type = value
    case "data".unicodeScalars.map(\.value): data += value + "\n"
    case "id".unicodeScalars.map(\.value):
      if !value.unicodeScalars.contains("\0") { idBuffer = value }
    case "retry".unicodeScalars.map(\.value):
      let isNumber = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
      if isNumber { retries.append(min(Int(value) ?? .max, 2_147_483_647)) }
    default: break
    }
  }

  private mutating func dispatch() {
    lastEventID = idBuffer
    defer {
      data = ""
      type = ""
    }
    if data.isEmpty { return }
    let whole = String(String.UnicodeScalarView(data.unicodeScalars.dropLast()))
    events.append(.init(type.isEmpty ? "message" : type, whole, lastEventID))
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}
