import Foundation
import GoldwireMachines
import GoldwireTap
import GoldwireTrace
import Testing

/// Dumps to files: when asked, and when a trigger fires.
@Suite struct FlightDumpTests {
  /// Calls `body` with a folder that is removed afterwards.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/goldwire-tap-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func aDumpIsAPrivateFileAndReplacesAnOlderOne() throws {
    try inFolder { folder in
      for name in ["a.jsonl", "a.jsonl.gz"] {
        let tap = Tap.flightRecorder(startingAt: at(0))
        let connection = tap.socket().connect(at: at(1))
        let path = folder + "/" + name
        try AtomicFile.write([0x41], to: path)
        try tap.dump(to: path)
        #expect(try mode(path) == 0o600)
        #expect(try Trace.load(path: path).lines.count == 2)
        connection.tick(at: at(2))
        try tap.dump(to: path, at: at(5))
        #expect(try Trace.load(path: path).horizon == 5)
        #expect(try Trace.load(path: path).lines.count == 3)
        #expect(throws: FileError.self) { try tap.dump(to: folder + "/none/a.jsonl") }
      }
    }
  }

  @Test("each firing writes one file, numbered, up to so many; the recording goes on")
  func triggers() throws {
    try inFolder { folder in
      let dumps = FlightDumps(
        to: folder + "/flight.jsonl", on: [.closedByMachine, .stopped(.budget)], mostFiles: 2)
      let tap = Tap(FlightLimits(), dumps: dumps, clocks: Recording.begin)
      let session = tap.socket()
      session.connect(at: at(0)).closeSent(by: .user, at: at(1))
      tap.drain(at: at(10))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      for round in 1...3 {
        let connection = session.connect(at: at(round * 100))
        connection.closeSent(by: .machine, at: at(round * 100 + 1))
        connection.closeSent(by: .machine, at: at(round * 100 + 2))
        tap.drain(at: at(round * 100 + 50))
        tap.drain(at: at(round * 100 + 60))
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
          == ["flight.1.jsonl", "flight.2.jsonl"])
      #expect(try Trace.load(path: folder + "/flight.1.jsonl").horizon == 150)
      #expect(try Trace.load(path: folder + "/flight.2.jsonl").lines.count == 9)
      #expect(try mode(folder + "/flight.1.jsonl") == 0o600)
      #expect(tap.failure == nil)
      let last = try Trace(bytes: tap.dump(at: at(400)))
      #expect(last.lines.count == 12)
    }
  }

  @Test func aTriggerThatCannotWriteSaysSo() throws {
    let dumps = FlightDumps(to: "/proc/none/flight.jsonl", on: [.refused])
    let tap = Tap(FlightLimits(), dumps: dumps, clocks: Recording.begin)
    tap.socket().connect(at: at(0)).refused(.refused, at: at(1))
    tap.drain(at: at(2))
    #expect(tap.failure != nil)
  }

  @Test("triggers fire by what they name, and by nothing else")
  func fired() throws {
    let lines: [(FlightTrigger, (Tap) -> Void)] = [
      (.closedByMachine, { $0.socket().connect(at: at(0)).closeSent(by: .machine, at: at(1)) }),
      (.closedByPeer(nil), { $0.socket().connect(at: at(0)).closeReceived(at: at(1)) }),
      (
        .closedByPeer(1_011...1_011), { $0.socket().connect(at: at(0)).closeReceived(code: 1_011, at: at(1)) }
      ),
      (.ended(.reset), { $0.socket().connect(at: at(0)).ended(.reset, at: at(1)) }),
      (.refused, { $0.socket().connect(at: at(0)).refused(.tls, at: at(1)) }),
      (.pingFailed, { $0.socket().connect(at: at(0)).pinged(result: .error, at: at(1)) }),
      (.stopped(.deferred), { $0.origin().request(.get).stopped(.deferred, at: at(1)) }),
      (
        .status(500...599),
        { $0.origin().request(.get).sent(at: at(0)).answered(.init(status: 502), at: at(1)) }
      ),
      (.handlerFailed, { $0.stream().connect(at: at(0)).handled(n: 1, succeeded: false, at: at(1)) }),
      (.cut(.eof), { $0.stream().connect(at: at(0)).cut(.eof, .in, at: at(1)) }),
    ]
    try inFolder { folder in
      for (place, trigger) in lines.map(\.0).enumerated() {
        for (other, event) in lines.map(\.1).enumerated() {
          let path = folder + "/\(place)-\(other).jsonl"
          let tap = Tap(FlightLimits(), dumps: FlightDumps(to: path, on: [trigger]), clocks: Recording.begin)
          event(tap)
          tap.drain(at: at(9))
          let isThere = FileManager.default.fileExists(atPath: folder + "/\(place)-\(other).1.jsonl")
          // A close of any code is one of 1011 too.
          #expect(isThere == (place == other || place == 1 && other == 2), "\(trigger) \(other)")
        }
      }
    }
  }
}
