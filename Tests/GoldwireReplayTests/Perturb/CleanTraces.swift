import GoldwireReplay
import GoldwireTrace

/// Traces in which all goes well, one for each machine.
enum CleanTraces {
  static let heartbeat = Written(
    "0 ws1#1 ws.connect", "40 ws1#1 ws.open status=101", "30100 ws1#1 ws.pong dir=in id=1",
    "60150 ws1#1 ws.pong dir=in id=2", "70000 ws1#1 ws.close dir=in code=1000",
    "70010 ws1#1 ws.end cause=fin dir=in", "80000 rec.end why=written")

  static let retry = Written(
    "0 http1#1 http.send req=1 try=1 method=GET", "40 http1#1 http.response req=1 try=1 status=503",
    "40 http1#1 http.wait req=1 try=2 for=750 unit=500000",
    "790 http1#1 http.send req=1 try=2 method=GET", "830 http1#1 http.response req=1 try=2 status=200",
    "1000 rec.end why=written", header: ",\"wall\":40000000000")

  static let stream = Written(
    "0 sse1#1 sse.connect", "40 sse1#1 sse.open status=200 type=text/event-stream",
    "50 sse1#1 sse.event n=1 id=e1 bytes=6", "52 sse1#1 sse.handled n=1 ok=true",
    "60 sse1#1 sse.event n=2 id=e2 bytes=6", "64 sse1#1 sse.handled n=2 ok=true",
    "70 sse1#1 sse.event n=3 id=e3 bytes=6", "71 sse1#1 sse.handled n=3 ok=true",
    "1000 rec.end why=written")

  /// The parameters that each is asked with.
  static func parameters(_ machine: MachineName) throws -> MachineParameters {
    try .of(machine, machine == .heartbeat ? "interval=30s timeout=5s" : "")
  }

  static func trace(_ machine: MachineName) throws -> Trace {
    switch machine {
    case .heartbeat: try heartbeat.trace()
    case .retry: try retry.trace()
    case .stream: try stream.trace()
    }
  }
}
