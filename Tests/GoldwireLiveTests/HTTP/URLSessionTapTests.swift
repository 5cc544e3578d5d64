import Foundation
import GoldwireLive
import GoldwireMachines
import GoldwireReplay
import GoldwireServer
import GoldwireTap
import GoldwireTesting
import GoldwireTrace
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session of an app's own, with the ready-made recorder for its delegate.
@Suite(.timeLimit(.minutes(1))) struct URLSessionTapTests {
  /// The recorder, which also says how many tasks have ended.
  private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
    let recorder: URLSessionTap
    let ended = Watched(0)

    init(_ tap: Tap) { recorder = URLSessionTap(tap) }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      recorder.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: completionHandler)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      recorder.urlSession(
        session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      recorder.received(data, by: dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      recorder.ended(task, with: error)
      ended.update { $0 += 1 }
    }
  }

  private static func recorded(
    _ script: String, _ drive: (RealBench, URLSession, Delegate) async throws -> Void
  ) async throws -> Trace {
    let folder = FileManager.default.temporaryDirectory.appending(path: "goldwire-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: folder) }
    let bench = try RealBench(script)
    let tap = try Tap(writingTo: folder.path, blind: [.handler, .unit, .tick])
    let delegate = Delegate(tap)
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    try await drive(bench, session, delegate)
    session.invalidateAndCancel()
    await bench.server.stop()
    tap.finish()
    return try Trace.load(path: folder.path)
  }

  /// The events of a trace, each as its word and what matters here.
  private static func words(_ trace: Trace) -> [String] {
    trace.lines.map { line in
      let text = String(decoding: Trace(header: trace.header, lines: [line]).bytes(), as: UTF8.self)
      let event = text.split(separator: "\n").last ?? ""
      return String(event).replacing(/"t":\d+,/, with: "").replacing(/,"date":\d+/, with: "")
    }
  }

  @Test func requestsAndTheirRetriesAreRecorded() async throws {
    let script = """
      {"script":1,"rules":[{"path":"/a","http":[{"status":503,"retryAfter":1},{"status":307,"location":"/b"}]},
      {"path":"/b","http":{"body":5}},{"path":"/silent","http":{"do":"silent"}}]}
      """
    let trace = try await Self.recorded(script) { bench, session, delegate in
      let first = session.dataTask(with: try bench.request("/a"))
      delegate.recorder.resume(first)
      try await delegate.ended.wait { $0 == 1 ? () : nil }
      let second = session.dataTask(with: try bench.request("/a"))
      delegate.recorder.resume(second, retrying: first)
      try await delegate.ended.wait { $0 == 2 ? () : nil }
      let third = session.dataTask(with: try bench.request("/silent"))
      delegate.recorder.resume(third)
      third.cancel()
      try await delegate.ended.wait { $0 == 3 ? () : nil }
    }
    #expect(
      Self.words(trace) == [
        #"{"ch":"http1","ev":"http.send","req":1,"try":1,"method":"GET"}"#,
        #"{"ch":"http1","ev":"http.response","req":1,"try":1,"status":503,"retryAfter":1,"type":"other"}"#,
        #"{"ch":"http1","ev":"http.body","req":1,"try":1,"dir":"in","bytes":0,"done":true}"#,
        #"{"ch":"http1","ev":"http.send","req":1,"try":2,"method":"GET"}"#,
        #"{"ch":"http1","ev":"http.response","req":1,"try":2,"status":307,"type":"other"}"#,
        #"{"ch":"http1","ev":"http.send","req":1,"try":2,"hop":1,"method":"GET"}"#,
        #"{"ch":"http1","ev":"http.response","req":1,"try":2,"hop":1,"status":200,"type":"other"}"#,
        #"{"ch":"http1","ev":"http.body","req":1,"try":2,"dir":"in","bytes":5,"done":true}"#,
        #"{"ch":"http1","ev":"http.send","req":2,"try":1,"method":"GET"}"#,
        #"{"ch":"http1","ev":"http.cancel","req":2}"#,
        #"{"ev":"rec.end","why":"stopped"}"#,
      ])
  }

  @Test func anEventStreamIsParsedAndNothingOfItKept() async throws {
    let script = """
      {"script":1,"rules":[{"path":"/e","events":{"events":[{"retry":500},{"id":"canary-1","data":"canary"},
      {"comment":"canary"},{"data":"two","split":"bytes"}]}}]}
      """
    let trace = try await Self.recorded(script) { bench, session, delegate in
      for cursor in [nil, "canary-1"] {
        var request = try bench.request("/e")
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        request.setValue(cursor, forHTTPHeaderField: "Last-Event-ID")
        let count = delegate.ended.value
        delegate.recorder.resume(session.dataTask(with: request))
        try await delegate.ended.wait { $0 > count ? () : nil }
      }
    }
    #expect(
      Self.words(trace).prefix(8) == [
        #"{"ch":"sse1","gen":1,"ev":"sse.connect"}"#,
        #"{"ch":"sse1","gen":1,"ev":"sse.open","status":200,"type":"text/event-stream"}"#,
        #"{"ch":"sse1","gen":1,"ev":"sse.retry","ms":500}"#,
        #"{"ch":"sse1","gen":1,"ev":"sse.event","n":1,"id":"e1","bytes":6}"#,
        #"{"ch":"sse1","gen":1,"ev":"sse.comment"}"#,
        #"{"ch":"sse1","gen":1,"ev":"sse.event","n":2,"bytes":3}"#,
        #"{"ch":"sse1","gen":1,"ev":"sse.cut","cause":"eof","dir":"in","partial":0}"#,
        #"{"ch":"sse1","gen":2,"ev":"sse.connect","cursor":"e1"}"#,
      ])
    #expect(!trace.text.contains("canary"))
  }
}
