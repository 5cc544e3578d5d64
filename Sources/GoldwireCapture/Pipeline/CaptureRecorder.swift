public import GoldwirePackets
public import GoldwireTrace

/// The pipeline from packets to a trace: it takes frames in, and gives lines that hold nothing of a payload.
///
/// Lines come about a second late, so that what is known late can stand at its own instant.
///
///     var recorder = CaptureRecorder(RecordSettings(tool: "goldwire 0.1.0", seed: seed))
///     recorder.accept(frame, originalCount: 60, link: .ethernet, at: microseconds)
///     while let line = recorder.nextLine() { try writer.write(line) }
public struct CaptureRecorder: ~Copyable {
  /// What the recorder was told.
  public let settings: RecordSettings
  /// The sums so far.
  public internal(set) var counts = Counts()
  /// How many times bytes are missing because the capture cut packets short.
  public internal(set) var cutPieces = 0

  var decoder: PacketDecoder
  var table: ConnectionTable
  var connections: [Connection] = []
  var https: [HTTPState] = []
  var freeHTTP: [Int] = []
  /// The bytes that all HTTP connections hold.
  var httpBytes = 0
  var sockets: [SocketState] = []
  var freeSockets: [Int] = []
  var streams: [StreamState] = []
  var freeStreams: [Int] = []
  var inflaters = InflaterPool()
  var pseudonyms: Pseudonyms
  var book: ChannelBook
  var attempts = AttemptList()
  /// How many channels were made for refused connections.
  var refusedChannels = 0
  var lines: LineQueue
  var clock: WallClock?
  var header: TraceHeader?
  /// The first packet's instant in µs since 1970; it stays in memory.
  var base = 0
  /// Whether the packet before had its instant.
  var hasTimes = true
  /// Whether it is noted that packets have no instants.
  var isTimelessNoted = false
  /// The running maximum of the packets' instants, in µs since the first.
  var now = 0
  /// The instant up to which lines may go out.
  var horizon = Int.min
  var isBack = false
  var backlog = Backlog()
  var isFinished = false
  var why = EndReason.eof
  var isLimitNoted = false
  /// Whether the packet in hand gave a line for its connection, in the order out, in.
  var hasShown = (out: false, in: false)
  var latestDate = LatestDate()
  var piece: [UInt8] = []
  var scratch: [UInt8] = []

  /// How long lines are held back, in µs.
  static let hold = 1_000_000

  /// Makes a recorder that has seen nothing.
  public init(_ settings: RecordSettings) {
    self.settings = settings
    decoder = PacketDecoder(limits: settings.packetLimits)
    table = ConnectionTable(seed: settings.seed, limits: settings.packetLimits)
    book = ChannelBook(limit: settings.limits.channels)
    pseudonyms = Pseudonyms(limits: settings.limits)
    lines = LineQueue(limit: settings.limits.heldLines)
  }

  /// The header, once the first packet was taken or the recording has ended; it is given once.
  public mutating func takeHeader() -> TraceHeader? {
    defer { header = nil }
    return header
  }

  /// The next line that may go out, or nil.
  public mutating func nextLine() -> TraceLine? {
    while true {
      if let line = lines.next(through: horizon) { return line }
      guard backlog.isLeft else { return nil }
      goOn()
    }
  }

  /// Hands on all lines that may go out, without a copy of any.
  public mutating func takeLines<Failure: Error>(
    _ body: (TraceLine) throws(Failure) -> Void
  ) throws(Failure) {
    try lines.drain(through: horizon, body)
    while backlog.isLeft {
      goOn()
      try lines.drain(through: horizon, body)
    }
  }

  /// Whether so many lines wait that they should be taken before the next packet is handed in.
  public var isFull: Bool { lines.isFull }

  /// Takes a packet.
  ///
  /// `time` is its instant in µs since 1970; `originalCount` the bytes it had before the capture cut it.
  /// Where the file does not have it `isTimed` is false, and `time` that of the packet before.
  public mutating func accept(
    _ frame: Span<UInt8>, originalCount: Int, link: LinkType, at time: Int, grain: Int = 1,
    isTimed: Bool = true
  ) {
    if !backlog.isLeft, clock != nil, isTimed == hasTimes, let segment = decoder.plain(frame, link: link) {
      advance(to: time)
      counts.packets &+= 1
      if let index = table.acceptNext(segment, in: frame, at: now) {
        proceed(index, segment, in: frame)
      } else {
        take(segment, in: frame)
      }
      horizon = max(horizon, now &- CaptureRecorder.hold)
      return
    }
    acceptAny(frame, originalCount: originalCount, link: link, at: time, grain: grain, isTimed: isTimed)
  }

  /// Takes a packet of any kind.
  @inline(never)
  private mutating func acceptAny(
    _ frame: Span<UInt8>, originalCount: Int, link: LinkType, at time: Int, grain: Int, isTimed: Bool
  ) {
    while backlog.isLeft { goOn() }
    let verdict = decoder.decode(frame, originalCount: originalCount, link: link, at: time)
    if clock == nil {
      begin(
        at: time, isLoopback: link.isLoopback || verdict.isLoopback, grain: grain, isTimed: isTimed)
    }
    if isTimed != hasTimes { turn(isTimed, at: time) }
    advance(to: time)
    counts.packets &+= 1
    take(verdict, in: frame)
    while decoder.hasMore, let another = decoder.decodeNext(frame, originalCount: originalCount, at: time) {
      while backlog.isLeft { goOn() }
      take(another, in: frame)
    }
    horizon = max(horizon, now &- CaptureRecorder.hold)
  }

  /// Takes what a frame, or one packet of several in it, was found to be.
  @inline(__always)
  private mutating func take(_ verdict: PacketVerdict, in frame: Span<UInt8>) {
    switch verdict {
    case .segment(let segment): take(segment, in: frame)
    case .reassembled(let segment):
      let datagram = decoder.takeDatagram()
      take(segment, in: datagram.span)
    case .unreachable(let quoted): unreachable(quoted)
    case .fragment: break
    case .ignored(let reason): counts.ignore(reason)
    }
  }

  /// Takes a report of packets that the kernel or the interface dropped.
  public mutating func drop(_ packets: Int) {
    guard packets > 0 else { return }
    // What a damaged file says may be more than a trace can hold.
    let packets = min(packets, CaptureRecorder.latest)
    counts.dropped = min(counts.dropped &+ packets, CaptureRecorder.latest)
    lines.append(TraceLine(t: now, event: .recDrop(count: packets)))
  }

  /// Says that it is so late and no packet came, so that lines need not wait for one.
  ///
  /// `time` is in µs since 1970, by the clock that stamps the packets, and less what a packet may be under
  /// way.
  public mutating func idle(at time: Int) {
    guard clock != nil else { return }
    horizon = max(horizon, relative(time) &- CaptureRecorder.hold)
    expireAttempts(by: horizon)
  }

  /// Ends the recording: what is held comes out, and ``nextLine()`` gives everything.
  ///
  /// `time` is when it was ended, in µs since 1970, where that may be later than the last packet.
  public mutating func finish(_ why: EndReason, at time: Int? = nil) {
    guard !isFinished else { return }
    isFinished = true
    if let time, clock != nil {
      expireAttempts(by: relative(time))
      now = max(now, relative(time))
    }
    if clock == nil { header = makeHeader(isLoopback: false, grain: 1) }
    while backlog.isLeft { goOn() }
    self.why = why
    backlog.ending = table.indices
    goOn()
  }

  // MARK: Time

  /// Begins the recording before the first packet, as a live one does; `time` is in µs since 1970.
  public mutating func begin(at time: Int, isLoopback: Bool, grain: Int = 1) {
    begin(at: time, isLoopback: isLoopback, grain: grain, isTimed: true)
  }

  private mutating func begin(at time: Int, isLoopback: Bool, grain: Int, isTimed: Bool) {
    guard clock == nil else { return }
    hasTimes = isTimed
    base = time
    clock = WallClock(beginning: time)
    header = makeHeader(isLoopback: isLoopback, grain: grain)
  }

  /// Packets come whose instants the file does not have, or, behind such, ones whose instants it has.
  private mutating func turn(_ isTimed: Bool, at time: Int) {
    hasTimes = isTimed
    if isTimed {
      // The recording began without a clock, or stood still: it goes on from here.
      if base == 0 {
        base = time.subtractingReportingOverflow(now).partialValue
        clock = WallClock(beginning: base)
      }
    } else if !isTimelessNoted {
      isTimelessNoted = true
      lines.append(TraceLine(t: now, event: .recNote(.timesLost, rule: nil)))
    }
  }

  @inline(__always)
  private func relative(_ time: Int) -> Int {
    let (difference, overflow) = time.subtractingReportingOverflow(base)
    if overflow { return time < 0 ? 0 : CaptureRecorder.latest }
    return min(max(difference, 0), CaptureRecorder.latest)
  }

  @inline(__always)
  private mutating func advance(to time: Int) {
    let instant = relative(time)
    if instant >= now, time >= base, !attempts.mayBeDue(at: instant) {
      isBack = false
      now = instant
      return
    }
    let goesBack = instant < now || time < base
    if goesBack, !isBack { lines.append(TraceLine(t: now, event: .recNote(.timeBack, rule: nil))) }
    isBack = goesBack
    expireAttempts(by: instant)
    now = max(now, instant)
  }

  /// The highest number, and so the latest instant, that a trace can hold and every reader of JSON keeps exactly.
  private static let latest = 9_007_199_254_740_991

  private func makeHeader(isLoopback: Bool, grain: Int) -> TraceHeader {
    TraceHeader(
      tool: settings.tool, source: .pcap, unit: .us, clock: .capture, grain: grain > 1 ? grain : nil,
      wall: hasTimes ? clock?.wall : nil, at: settings.vantage ?? (isLoopback ? .client : .unknown),
      blind: [.app, .handler, .tick, .unit] + (hasTimes ? [] : [.times]), inForce: settings.inForce,
      inForceBy: settings.inForce == nil ? nil : .stated, beats: settings.beats)
  }
}

extension LinkType {
  fileprivate var isLoopback: Bool { self == .null || self == .loop }
}

extension Counts {
  /// Counts a packet that carried nothing for a trace.
  fileprivate mutating func ignore(_ reason: PacketVerdict.Reason) {
    ignored &+= 1
    switch reason {
    case .linkType: linkType &+= 1
    case .notIP: notIP &+= 1
    case .notTCP: notTCP &+= 1
    case .cut: cut &+= 1
    case .malformed: damaged &+= 1
    case .badFragment: badFragment &+= 1
    case .encrypted: ciphered &+= 1
    case .nested: nested &+= 1
    }
  }
}

extension PacketVerdict {
  fileprivate var isLoopback: Bool {
    switch self {
    case .segment(let segment), .reassembled(let segment), .unreachable(let segment):
      segment.key.firstAddress.isLoopback && segment.key.secondAddress.isLoopback
    case .fragment, .ignored: false
    }
  }
}
