import GoldwireBytes

/// The one media type that a trace tells from all others.
enum MediaType {
  /// Whether a `Content-Type` is text/event-stream, whatever its parameters.
  static func isEventStream(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
    var parts = ListElements(value)
    guard let type = parts.next(bytes, separator: 0x3B) else { return false }
    return bytes.equals(folded: "text/event-stream", in: type)
  }

  /// Whether an element of `Accept` wants text/event-stream: a quality of 0 refuses it.
  static func wantsEventStream(_ bytes: Span<UInt8>, _ element: Range<Int>) -> Bool {
    var parts = ListElements(element)
    guard let type = parts.next(bytes, separator: 0x3B), bytes.equals(folded: "text/event-stream", in: type)
    else { return false }
    while let parameter = parts.next(bytes, separator: 0x3B) {
      if isZeroQuality(bytes.extracting(parameter)) { return false }
    }
    return true
  }

  private static func isZeroQuality(_ parameter: Span<UInt8>) -> Bool {
    guard parameter.count >= 3, parameter[0] | 0x20 == 0x71, parameter[1] == 0x3D, parameter[2] == 0x30 else {
      return false
    }
    for index in 3..<parameter.count where parameter[index] != 0x30 && parameter[index] != 0x2E {
      return false
    }
    return true
  }
}

extension EventStreamParser {
  /// Whether the value of a `Content-Type` is text/event-stream, whatever its parameters.
  package static func isMediaType(_ value: Span<UInt8>) -> Bool {
    MediaType.isEventStream(value, 0..<value.count)
  }
}
