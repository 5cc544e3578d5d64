import GoldwireCapture
import GoldwireReport
import GoldwireTrace

/// Where the lines of a recording or an import go: into a trace, or onto the screen as a time line.
struct RecordSink: ~Copyable {
  private let target: String?
  private let isLive: Bool
  private let input: FileIdentity?
  private let bounds: RecordBounds
  private let console: Console
  private var files: RecordFiles?
  private var timeLine: TimeLine?
  private var progress: RecordProgress?
  private var lastSync = Int.min
  /// Of what comes by standard input: the instant of the line up to which all is readable.
  private var settled: Int?
  private var events = 0
  private var highest = [Int](repeating: 0, count: Channel.Family.allCases.count)

  /// Makes a sink; its file is opened with the header, and is never `input`, the file that is read.
  init(
    _ target: String?, isLive: Bool, isPiped: Bool = false, wantsJSON: Bool, apartFrom input: FileIdentity?,
    _ bounds: RecordBounds, _ console: Console
  ) {
    self.target = target ?? (wantsJSON ? "-" : nil)
    self.isLive = isLive
    settled = isPiped ? 0 : nil
    self.input = input
    self.bounds = bounds
    self.console = console
    // Where lines go to the terminal they tell of the progress themselves.
    let isSeen = self.target == nil || self.target == "-" && console.isTerminal
    progress = console.showsProgress && !isSeen ? RecordProgress() : nil
  }

  /// Whether the recording is as large as it may become.
  var isFull: Bool {
    switch files {
    case .some(let files): files.isFull
    case .none: false
    }
  }

  /// Takes everything that may go out.
  mutating func take(_ recorder: inout CaptureRecorder) throws(CommandError) {
    if let header = recorder.takeHeader() { try open(header) }
    try recorder.takeLines { (line) throws(CommandError) in try take(line) }
  }

  /// Takes everything that an import gives.
  mutating func take(_ har: inout HARImport) throws(CommandError) {
    try open(har.header)
    while let line = har.nextLine() { try take(line) }
  }

  private mutating func take(_ line: TraceLine) throws(CommandError) {
    events += 1
    if let channel = line.channel { note(channel) }
    // By the recording's own clock, so that equal input gives equal bytes.
    if let before = settled, line.t &- before >= 1_000_000 {
      settled = line.t
      try files?.sync()
    }
    try files?.write(line)
    if timeLine != nil { try draw(line) }
  }

  /// Hands on what is buffered.
  mutating func flush() throws(CommandError) {
    try files?.flush()
    try console.output.flush()
  }

  /// Hands on what is buffered so that it is readable in a compressed file too, once a second at most.
  mutating func sync(at now: Int) throws(CommandError) {
    try flush()
    guard now < lastSync || now &- lastSync >= 1_000_000 || lastSync == .min else { return }
    lastSync = now
    try files?.sync()
  }

  /// Shows on a terminal how far the recording is.
  mutating func show(_ counts: Counts, at now: Int) throws(CommandError) {
    guard let text = progress?.text(counts, events: events, width: console.width, at: now) else { return }
    try write(text)
  }

  /// Ends the output.
  mutating func finish() throws(CommandError) {
    if let text = progress?.clear() { try write(text) }
    try files?.finish()
    if var last = timeLine.take() {
      for row in last.finish() { try console.output.line(row) }
    }
    try console.output.flush()
  }

  private func write(_ text: String) throws(CommandError) {
    try console.errors.write(text)
    try console.errors.flush()
  }

  /// Says what was recorded, on standard error.
  ///
  /// `cutPieces` is how many times bytes are missing because the capture cut packets short.
  func summarise(_ counts: Counts, cutPieces: Int) throws(CommandError) {
    if cutPieces > 0 {
      try console.say(
        "warning: the capture cut packets short (snaplen), so bytes are missing in "
          + Quantity.count(cutPieces, "place") + "; capture them whole, with 'tcpdump -s 0'")
    }
    var parts = [
      Quantity.count(counts.packets, "packet"), Quantity.count(counts.connections, "connection"),
      Quantity.count(channels, "channel"), Quantity.count(events, "event"),
    ]
    if counts.ignored > 0 { parts.append("\(counts.ignored) ignored (\(RecordSink.reasons(counts)))") }
    if counts.datagrams > 0 { parts.append(Quantity.count(counts.datagrams, "datagram") + " incomplete") }
    if counts.gaps > 0 { parts.append(Quantity.count(counts.gaps, "gap")) }
    if counts.opaque > 0 { parts.append("\(counts.opaque) opaque") }
    if counts.undecodable > 0 { parts.append("\(counts.undecodable) undecodable") }
    if counts.dropped > 0 { parts.append("\(counts.dropped) dropped") }
    let count = fileCount
    let place = count > 1 ? " in \(count) files" : ""
    try console.say("recorded " + parts.joined(separator: ", ") + place)
    if channels > 0, channels == highest[Channel.Family.tls.place] + highest[Channel.Family.tcp.place],
      highest[Channel.Family.tls.place] > 0
    {
      try console.say(
        "all of it is encrypted: record in the app with a tap, or import a HAR; see docs/recording.md")
    }
  }

  private var channels: Int { highest.reduce(0, +) }

  private var fileCount: Int {
    switch files {
    case .some(let files): files.count
    case .none: 0
    }
  }

  /// Why packets were ignored, the most frequent reason first.
  private static func reasons(_ counts: Counts) -> String {
    let all = [
      (counts.notTCP, "not TCP"), (counts.notIP, "not IP"), (counts.cut, "cut in their headers"),
      (counts.damaged, "damaged"), (counts.badFragment, "bad fragments"), (counts.ciphered, "encrypted"),
      (counts.nested, "nested too deep"), (counts.linkType, "of another link type"),
    ]
    return all.filter { $0.0 > 0 }.sorted { $0.0 > $1.0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// Says what was imported, on standard error.
  func summarise(_ har: HARImport) throws(CommandError) {
    var parts = [
      Quantity.count(har.entries, "entry", "entries"), Quantity.count(channels, "channel"),
      Quantity.count(events, "event"),
    ]
    if har.ignored > 0 { parts.append("\(har.ignored) ignored: neither HTTP nor WebSocket") }
    if har.unsent > 0 { parts.append("\(har.unsent) never sent: cached, blocked or redirected inside") }
    try console.say("imported " + parts.joined(separator: ", "))
  }

  private mutating func open(_ header: TraceHeader) throws(CommandError) {
    if let target {
      files = try RecordFiles(target, header, apartFrom: input, bounds, console)
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
    guard let rows = timeLine?.rows(line) else { return }
    for row in rows { try console.output.line(row) }
  }

  private mutating func note(_ channel: Channel) {
    // Numbers begin at 1 in each family and none is left out, so the highest of each is enough.
    let family = channel.family.place
    if highest[family] < channel.number { highest[family] = channel.number }
  }
}

extension Channel.Family {
  fileprivate var place: Int {
    switch self {
    case .ws: 0
    case .http: 1
    case .sse: 2
    case .tls: 3
    case .tcp: 4
    }
  }
}
