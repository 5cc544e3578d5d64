// Reads an event stream into a database until the event with the last id has its effect; made to be killed.
//
//   stream-endure URL DATABASE LAST [TRACE]
//
// Each event's effect is a row of the table `seen`. It writes one byte for each event, before its transaction ends. With
// TRACE, a tap records it there; the line of an event is in the file before its byte is written.

import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireStore
import GoldwireTap

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let words = CommandLine.arguments
guard (4...5).contains(words.count), let url = URL(string: words[1]) else {
  FileHandle.standardError.write(Data("usage: stream-endure URL DATABASE LAST [TRACE]\n".utf8))
  exit(2)
}

let store = try SQLiteCursorStore(path: words[2], stream: "endure")
_ = try await store.database.transaction { transaction in
  try await transaction.run("CREATE TABLE IF NOT EXISTS seen (id TEXT NOT NULL)")
}

let tap = words.count == 5 ? try Tap(writingTo: words[4]) : nil
let parameters = try EventStream.Parameters(unit: .milliseconds, delay: 20, least: 20)
let reader = EventStreamReader(
  URLRequest(url: url), transport: URLSessionTransport(), store: store, parameters: parameters, tap: tap
) { event, transaction in
  try await transaction.run("INSERT INTO seen VALUES (?)", .text(event.lastEventID))
  tap?.flush()
  FileHandle.standardOutput.write(Data(".".utf8))
}

// What has ended by itself, and was not killed, ends its trace.
defer { tap?.finish() }
let last = words[3]
try await withThrowingTaskGroup(of: Void.self) { group in
  group.addTask { _ = try await reader.run() }
  group.addTask {
    // The reader itself never ends: the server takes up the stream again and again.
    while true {
      let rows = try await store.database.transaction { transaction in
        try await transaction.run(
          "SELECT 1 FROM goldwire_streams WHERE cursor = CAST(? AS BLOB)", .text(last))
      }
      if !rows.isEmpty { return }
      try await ContinuousClock().sleep(for: .milliseconds(20))
    }
  }
  try await group.next()
  group.cancelAll()
  while (try? await group.next()) != nil {}
}
