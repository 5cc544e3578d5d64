/// Where a trace came from.
public enum Source: String, CaseIterable, Sendable {
  case pcap
  case tap
  case har
  case serve
  case written
  case mutant
}

/// The unit of a trace's instants.
public enum Unit: String, CaseIterable, Sendable {
  case us
  case ms
}

/// The clock of a trace's instants.
public enum Clock: String, CaseIterable, Sendable {
  case continuous
  case capture
  case wall
  case virtual
}

/// Where a trace was recorded.
public enum Vantage: String, CaseIterable, Sendable {
  case client
  case server
  case middle
  case unknown
}

/// A kind of event that a source cannot see.
public enum Blind: String, CaseIterable, Sendable {
  case wsPing = "ws.ping"
  case wsPong = "ws.pong"
  case wsClose = "ws.close"
  case wsEnd = "ws.end"
  case app
  case handler
  case tick
  case unit
  case times
}

/// Who says which parameters were in force.
public enum Authority: String, CaseIterable, Sendable {
  case driver
  case stated
  case inferred
}

/// The preset that marks application-level heartbeats.
public enum BeatPreset: String, CaseIterable, Sendable {
  case engineIO = "engine.io"
  case phoenix
  case graphqlWS = "graphql-ws"
  case signalr
  case stomp
}
