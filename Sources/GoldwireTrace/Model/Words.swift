/// Which way bytes went, as the client sees it.
public enum Direction: String, CaseIterable, Sendable {
  case out
  case `in`
}

/// The kind of a WebSocket message.
public enum MessageKind: String, CaseIterable, Sendable {
  case text
  case binary
}

/// An application-level heartbeat.
public enum Beat: String, CaseIterable, Sendable {
  case ping
  case pong
}

/// How a ping's completion came out.
public enum PingResult: String, CaseIterable, Sendable {
  case ok
  case error
  case cancelled
}

/// Who asked for a close.
public enum CloseActor: String, CaseIterable, Sendable {
  case user
  case machine
  case unknown
}

/// Why an attempt failed.
public enum Cause: String, CaseIterable, Sendable {
  case refused
  case unreach
  case timeout
  case reset
  case fin
  case dns
  case tls
  case status
  case proxy
  case `protocol`
  case other
}

/// How a WebSocket connection ended.
public enum EndCause: String, CaseIterable, Sendable {
  case fin
  case reset
  case error
  case timeout
}

/// How an event stream ended.
public enum CutCause: String, CaseIterable, Sendable {
  case eof
  case reset
  case error
  case local
}

/// A request's method: RFC 9110's and PATCH, else other.
public enum Method: String, CaseIterable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
  case connect = "CONNECT"
  case options = "OPTIONS"
  case trace = "TRACE"
  case patch = "PATCH"
  case other = "OTHER"
}

/// The one outcome of a logical request.
public enum StopReason: String, CaseIterable, Sendable {
  case delivered
  case notRetryable
  case notReplayable
  case budget
  case deferred
  case cancelled
  case stale
  case transport
}

/// The media type of a response, as far as a trace tells it.
public enum MediaType: String, CaseIterable, Sendable {
  case eventStream = "text/event-stream"
  case other
}

/// Why a Retry-After could not be read.
public enum RetryFault: String, CaseIterable, Sendable {
  case sign
  case decimal
  case unit
  case list
  case digits
  case empty
  case differ
  case weekday
  case zone
  case over
  case other
}

/// An obsolete form of an HTTP date.
public enum RetryForm: String, CaseIterable, Sendable {
  case rfc850
  case asctime
}

/// The kind of network that the device has.
public enum Network: String, CaseIterable, Sendable {
  case none
  case wifi
  case cell
  case wired
  case other
}

/// What showed that a connection lives.
public enum LifeKind: String, CaseIterable, Sendable {
  case bytes
  case ack
}

/// Why a recording has a hole.
public enum GapReason: String, CaseIterable, Sendable {
  case lost
  case snaplen
  case ring
  case limit
  case cut
}

/// An edge of a connection that could not be read.
public enum OpaqueEdge: String, CaseIterable, Sendable {
  case open
  case end
}

/// Why a connection could not be read.
public enum OpaqueReason: String, CaseIterable, Sendable {
  case noKeys
  case side
  case other
}

/// A remark for people and for the model.
public enum Note: String, CaseIterable, Sendable {
  case timeBack
  case statusOut
  case codeOut
  case superseded
  case idForgot
  case overlap
  case timesLost
  case `protocol`
  case undecodable
  case conflict
}

/// Why a recording ended.
public enum EndReason: String, CaseIterable, Sendable {
  case stopped
  case eof
  case signal
  case limit
  case written
}
