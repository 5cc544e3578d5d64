import Foundation
import GoldwireMachines
import GoldwireServer
import GoldwireTestSupport
import GoldwireTesting
import GoldwireTrace
import Synchronization
import Testing

@testable import GoldwireLive
@testable import GoldwireTap

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sessions with secrets in every place, and all that they leave behind as bytes to be searched.
///
/// Everything reads one clock that a test moves, so that no instant can look like a piece of a secret by chance.
final class CanaryBench: Sendable {
  /// What records: a tap into a file, or a flight recorder.
  enum Recorder: CaseIterable, Sendable {
    case file
    case flight
  }

  let clock = ManualClock()
  let tap: Tap
  let book = LogBook()
  private let recorder: Recorder
  private let canary: Mutex<Canary>
  private let written = Mutex<[UInt8]>([])
  private let told = Mutex<[String]>([])
  private let box: Box

  init(_ recorder: Recorder) throws {
    self.recorder = recorder
    canary = Mutex(Canary())
    let now = clock.now.microseconds
    let clocks = TapClocks(continuous: now, suspending: now, wall: 0)
    let box = Box()
    self.box = box
    switch recorder {
    case .file: tap = try Tap(sendingTo: { box.append($0) }, clocks: clocks)
    case .flight: tap = Tap(FlightLimits(), clocks: clocks)
    }
  }

  private final class Box: Sendable {
    let bytes = Mutex<[UInt8]>([])
    func append(_ span: Span<UInt8>) {
      bytes.withLock { bytes in for index in span.indices { bytes.append(span[index]) } }
    }
  }

  /// A new secret; every second one is of digits alone.
  func secret() -> String { canary.withLock { $0.next() } }

  /// A new secret that is no number, for a field whose numbers a trace tells.
  func word() -> String {
    canary.withLock { canary in
      let word = canary.next()
      return word.allSatisfy(\.isNumber) ? canary.next() : word
    }
  }

  /// Takes what a log or an error says.
  func tell(_ thing: some Sendable) {
    told.withLock { $0 += [String(describing: thing), String(reflecting: thing)] }
  }

  /// Forgets what logs and errors said so far.
  func forget() { told.withLock { $0 = [] } }

  /// Takes an error, as an app would print it.
  func tell(error: any Error) {
    tell(error)
    tell(error.localizedDescription)
  }

  /// Runs something that may fail, and takes what it says then.
  func attempt<Value>(_ body: () async throws -> Value) async -> Value? {
    do { return try await body() } catch {
      tell(error: error)
      return nil
    }
  }

  /// Takes a server's log, without the time of day at which it began.
  func tell(log server: FaultServer) {
    var trace = server.log
    trace.header.wall = nil
    #expect(trace.lines.count > 1)
    written.withLock { $0 += trace.bytes() }
  }

  /// All that was written so far; `lines` is how many lines of the tap are expected at least.
  func check(lines: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    var bytes: [UInt8] = []
    switch recorder {
    case .file:
      tap.finish(at: clock.now)
      bytes = box.bytes.withLock { $0 }
    case .flight: bytes = tap.dump(at: clock.now)
    }
    #expect(bytes.count { $0 == 0x0A } >= lines, "the tap saw the sessions", sourceLocation: sourceLocation)
    bytes += written.withLock { $0 }
    for entry in book.entries { tell(entry) }
    for text in told.withLock({ $0 }) { bytes += Array((text + "\n").utf8) }
    let canary = canary.withLock { $0 }
    #expect(canary.leaks(in: bytes) == nil, sourceLocation: sourceLocation)
  }

  /// A server with one rule for all paths.
  func server(_ rule: String) throws -> FaultServer {
    let script = #"{"script":1,"refusedPort":true,"rules":[{"path":"*","# + rule + "}]}"
    return try FaultServer(script: FaultScript(json: Array(script.utf8)), clock: clock)
  }

  /// An address of the server with secrets in its path and query.
  func address(_ scheme: String, _ port: Int?) throws -> URL {
    try #require(
      URL(string: "\(scheme)://127.0.0.1:\(port ?? 1)/a/\(secret())/b?token=\(secret())&n=\(secret())"))
  }

  /// A request with secrets in address and fields.
  func request(_ port: Int?) throws -> URLRequest {
    var request = URLRequest(url: try address("http", port))
    for field in ["Authorization", "Cookie", "X-Trace", "User-Agent"] {
      request.setValue("Bearer \(secret()); k=\(secret())", forHTTPHeaderField: field)
    }
    return request
  }
}
