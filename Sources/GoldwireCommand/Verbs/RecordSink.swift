import GoldwireCapture
import GoldwireReport
import GoldwireTrace

/// Where the lines of a recording go: into a trace, or onto the screen as a time line.
struct RecordSink: ~Copyable {
  private let target: String?
  private let isLive: Bool
  private let console: Console
  private var writer: TraceWriter?
  private var timeLine: TimeLine?
  private var events = 0
  private var channels = 0
  private var seen: Set<Channel> = []

  /// Makes a sink; its file is opened with the header.
  init(_ target: String?, isLive: Bool, wantsJSON: Bool, _ console: Console) {
    self.target = target ?? (wantsJSON ? "-" : nil)
    self.isLive = isLive
    self.console = console
  }

  /// Takes everything that may go out.
  mutating func take(_ recorder: inout CaptureRecorder) throws(CommandError) {
    if let header = recorder.takeHeader() { try open(header) }
    while let line = recorder.nextLine() {
      events += 1
      if let channel = line.channel { note(channel) }
      do throws(FileError) { try writer?.write(line) } catch { throw CommandError(error) }
      try draw(line)
    }
  }

  /// Hands on what is buffered.
  mutating func flush() throws(CommandError) {
    do throws(FileError) { try writer?.flush() } catch { throw CommandError(error) }
    try console.output.flush()
  }

  /// Ends the output.
  mutating func finish() throws(CommandError) {
    do throws(FileError) { try writer?.finish() } catch { throw CommandError(error) }
    if var last = timeLine.take() {
      for row in last.finish() { try console.output.line(row) }
    }
    try console.output.flush()
  }

  /// Says what was recorded, on standard error.
  func summarise(_ counts: Counts) throws(CommandError) {
    var parts = [
      Quantity.count(counts.packets, "packet"), Quantity.count(counts.connections, "connection"),
      Quantity.count(channels, "channel"), Quantity.count(events, "event"),
    ]
    if counts.gaps > 0 { parts.append(Quantity.count(counts.gaps, "gap")) }
    if counts.opaque > 0 { parts.append("\(counts.opaque) opaque") }
    if counts.undecodable > 0 { parts.append("\(counts.undecodable) undecodable") }
    if counts.dropped > 0 { parts.append("\(counts.dropped) dropped") }
    try console.say("recorded " + parts.joined(separator: ", "))
  }

  private mutating func open(_ header: TraceHeader) throws(CommandError) {
    if let target {
      writer = try Traces.writer(target, console)
      do throws(FileError) { try writer?.write(header) } catch { throw CommandError(error) }
      return
    }
    let theme = console.theme()
    for row in HeaderBlock.rows(header, name: nil, theme: theme, width: console.width) {
      try console.output.line(row)
    }
    let line = TimeLine(unit: header.unit, width: console.width, theme: theme, isFolding: !isLive)
    for row in line.titles() { try console.output.line(row) }
    timeLine = line
  }

  private mutating func draw(_ line: TraceLine) throws(CommandError) {
    guard timeLine != nil, let rows = timeLine?.rows(line) else { return }
    for row in rows { try console.output.line(row) }
  }

  private mutating func note(_ channel: Channel) {
    // Numbers begin at 1 in each family and none is left out, so the highest of each is enough; a set of
    // names is small.
    if seen.insert(channel).inserted { channels += 1 }
  }
}
