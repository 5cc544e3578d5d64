import GoldwireTap
import GoldwireTrace
import Testing

/// The order of lines, and what is held back for it.
@Suite struct RecordOrderTests {
  @Test("lines of several channels come by instant, and at one instant as they were recorded")
  func order() throws {
    let recording = try Recording()
    let (one, two) = (recording.tap.socket(), recording.tap.socket())
    let (first, second) = (one.connect(at: at(0)), two.connect(at: at(0)))
    first.tick(at: at(50))
    second.tick(at: at(20))
    second.tick(at: at(50))
    recording.tap.app(.background, at: at(50))
    first.tick(at: at(50))
    #expect(
      recording.finish(60).dropFirst(2) == [
        #"{"t":20,"ch":"ws2","gen":1,"ev":"rec.tick"}"#, #"{"t":50,"ch":"ws1","gen":1,"ev":"rec.tick"}"#,
        #"{"t":50,"ch":"ws2","gen":1,"ev":"rec.tick"}"#, #"{"t":50,"ev":"app.background"}"#,
        #"{"t":50,"ch":"ws1","gen":1,"ev":"rec.tick"}"#, #"{"t":60,"ev":"rec.end","why":"stopped"}"#,
      ])
  }

  @Test("a channel keeps its order though an instant goes back, and says so")
  func back() throws {
    let recording = try Recording()
    let connection = recording.tap.socket().connect(at: at(100))
    connection.message(.in, .text, bytes: 1, at: at(90))
    connection.message(.in, .text, bytes: 2, at: at(101))
    #expect(
      recording.finish(99) == [
        #"{"t":100,"ch":"ws1","gen":1,"ev":"ws.connect"}"#,
        #"{"t":100,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":1}"#,
        #"{"t":100,"ch":"ws1","gen":1,"ev":"rec.note","note":"timeBack"}"#,
        #"{"t":101,"ch":"ws1","gen":1,"ev":"ws.message","dir":"in","kind":"text","bytes":2}"#,
        #"{"t":101,"ev":"rec.end","why":"stopped"}"#,
      ])
  }

  @Test("what is recent is held back, so that another thread's earlier event still finds its place")
  func hold() throws {
    let recording = try Recording()
    let (one, two) = (recording.tap.socket(), recording.tap.socket())
    let first = one.connect(at: at(0))
    first.tick(at: at(400_000))
    recording.tap.drain(at: at(450_000), all: false)
    #expect(recording.lines == [#"{"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}"#])
    _ = two.connect(at: at(390_000))
    recording.tap.drain(at: at(500_000), all: false)
    #expect(
      recording.lines.dropFirst() == [
        #"{"t":390000,"ch":"ws2","gen":1,"ev":"ws.connect"}"#,
        #"{"t":400000,"ch":"ws1","gen":1,"ev":"rec.tick"}"#,
      ])
  }

  @Test("what comes too late for its place stands at the last one, with a note")
  func late() throws {
    let recording = try Recording()
    let (one, two) = (recording.tap.socket(), recording.tap.socket())
    _ = one.connect(at: at(500))
    recording.tap.drain(at: at(500))
    _ = two.connect(at: at(400))
    #expect(
      recording.finish(600).dropFirst() == [
        #"{"t":500,"ch":"ws2","gen":1,"ev":"ws.connect"}"#,
        #"{"t":500,"ch":"ws2","gen":1,"ev":"rec.note","note":"timeBack"}"#,
        #"{"t":600,"ev":"rec.end","why":"stopped"}"#,
      ])
  }

  @Test("an instant before the beginning stands at the beginning")
  func early() throws {
    let recording = try Recording()
    _ = recording.tap.socket().connect(at: at(-7))
    #expect(recording.finish(1).first == #"{"t":0,"ch":"ws1","gen":1,"ev":"ws.connect"}"#)
  }

  @Test("a message of a connection that another followed is noted once")
  func superseded() throws {
    let recording = try Recording()
    let chat = recording.tap.socket()
    let old = chat.connect(at: at(0))
    let new = chat.connect(at: at(1))
    for t in 2...3 { old.message(.in, .text, bytes: 1, at: at(t)) }
    new.message(.in, .text, bytes: 1, at: at(4))
    let notes = recording.finish(5).filter { $0.contains("rec.note") }
    #expect(notes == [#"{"t":2,"ch":"ws1","gen":1,"ev":"rec.note","note":"superseded"}"#])
  }
}
