internal import GoldwireProtocols

/// The text of an answer's head.
struct HTTPHead {
  private(set) var bytes: [UInt8]

  /// Begins a head.
  init(_ status: Int) {
    bytes = Array("HTTP/1.1 \(status) \(HTTPHead.phrase(status))\r\n".utf8)
  }

  /// Adds a field; what could end the line is left out.
  mutating func add(_ name: String, _ value: String) {
    bytes += Array("\(name): ".utf8) + value.utf8.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    bytes += [0x0D, 0x0A]
  }

  /// The whole head.
  var finished: [UInt8] { bytes + [0x0D, 0x0A] }

  /// An HTTP-date; `seconds` since 1970.
  static func date(_ seconds: Int, _ form: AnswerBehaviour.DateForm = .imf) -> String {
    let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    let rest = seconds - days * 86_400
    let date = CivilDate(days: days)
    let weekday = ((days + 4) % 7 + 7) % 7
    let month = months[date.month - 1]
    let time = "\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
    switch form {
    case .imf:
      return "\(weekdays[weekday].prefix(3)), \(two(date.day)) \(month) \(four(date.year)) \(time) GMT"
    case .rfc850:
      return "\(weekdays[weekday]), \(two(date.day))-\(month)-\(two(date.year % 100)) \(time) GMT"
    case .asctime:
      let day = date.day < 10 ? " \(date.day)" : "\(date.day)"
      return "\(weekdays[weekday].prefix(3)) \(month) \(day) \(time) \(four(date.year))"
    }
  }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func four(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 204: "No Content"
    case 303: "See Other"
    case 307: "Temporary Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 413: "Content Too Large"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    default: "Status"
    }
  }
}
