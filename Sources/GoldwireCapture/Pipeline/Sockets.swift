import GoldwireBytes
import GoldwireProtocols
import GoldwireTrace

// WebSocket: the handshake's answer, frames, and their end.
extension CaptureRecorder {
  /// Writes the answer to an opening handshake.
  mutating func shake(
    _ exchange: Exchange, _ status: Int?, _ head: HTTP1Head, _ digest: ResponseDigest
  ) {
    let (channel, generation) = (exchange.channel, exchange.generation)
    if status == 101 || head.isInterim {
      let deflates = status == 101 && head.extensions.deflate != nil
      show(.in, .wsOpen(status: status, deflate: deflates ? true : nil), channel, generation)
    } else {
      emit(.wsRefused(cause: .status, status: status, retry: digest.retry), channel, generation)
      release(channel, generation)
    }
  }

  /// Makes a connection a WebSocket's, after its handshake.
  mutating func openSocket(_ index: Int) {
    let slot = connections[index].http
    let extensions = https[slot].responses.head.extensions
    guard let exchange = https[slot].receiving, exchange.kind == .webSocket else {
      return attachSocket(index, path: https[slot].receiving?.path ?? 0, agreed: extensions)
    }
    let broken = extensions.broken(asAnswerTo: https[slot].offer)
    release(connections[index].channel, connections[index].generation)
    connections[index].channel = exchange.channel
    connections[index].generation = exchange.generation
    if let broken {
      emit(.recNote(.protocol, rule: RuleName(broken)), exchange.channel, exchange.generation)
    }
    startSocket(index, extensions, seen: (out: true, in: true))
  }

  /// Makes a connection a WebSocket's that was open before the recording began.
  ///
  /// `agreed` is what the 101 says where only the request was not seen: the server's frames begin behind it.
  mutating func attachSocket(_ index: Int, path: UInt64, agreed: WebSocketExtensions? = nil) {
    release(connections[index].channel, connections[index].generation)
    let (channel, generation) = claim(.ws, path: path, by: index)
    connections[index].channel = channel
    connections[index].generation = generation
    emit(.wsAttach, channel, generation)
    startSocket(index, agreed ?? WebSocketExtensions(), seen: (out: false, in: agreed != nil))
  }

  /// Begins to read frames; of a direction whose begin was not seen the first bytes may lie within a frame.
  mutating func startSocket(
    _ index: Int, _ extensions: WebSocketExtensions, seen: (out: Bool, in: Bool)
  ) {
    // The handshake's answer, a pong and a close need no line that says so.
    connections[index].acknowledged = now
    var limits = WebSocketLimits()
    limits.keptBytes = settings.beats == nil ? 0 : settings.limits.beatBytes
    let deflates = extensions.deflate != nil
    let bits = (extensions.deflate?.clientWindowBits, extensions.deflate?.serverWindowBits)
    let outInflater = deflates ? inflaters.raw(bits.0, settings.limits) : nil
    let inInflater = deflates ? inflaters.raw(bits.1, settings.limits) : nil
    var state = SocketState(
      out: WebSocketDecoder(
        from: .client, extensions: extensions, inflater: outInflater, inMiddle: !seen.out, limits: limits),
      in: WebSocketDecoder(
        from: .server, extensions: extensions, inflater: inInflater, inMiddle: !seen.in, limits: limits),
      inflaterCount: (outInflater == nil ? 0 : 1) + (inInflater == nil ? 0 : 1))
    if !seen.out { state.lost(nil, .out) }
    if !seen.in { state.lost(nil, .in) }
    if let slot = freeSockets.popLast() {
      sockets[slot] = state
      connections[index].socket = slot
    } else {
      connections[index].socket = sockets.count
      sockets.append(state)
    }
    connections[index].mode = .webSocket
  }

  /// Takes frames of one direction.
  mutating func feedSocket(_ bytes: Span<UInt8>, of index: Int, _ direction: Direction) {
    let slot = connections[index].socket
    guard slot >= 0 else { return }
    var offset = 0
    while let event = sockets[slot].next(bytes, &offset, at: now, direction) {
      switch event {
      case .message(let message): self.message(message, of: index, direction)
      case .ping(let bytes): ping(bytes, of: index, direction)
      case .pong(let bytes): pong(bytes, of: index, direction)
      case .close(let code): closeFrame(code, of: index, direction)
      case .broken(let rule):
        note(rule, direction, of: index)
        if sockets[slot].hasStopped(direction) { stopSocket(direction, of: index) }
      case .limit: limit(index, direction)
      case .resumed: break
      }
    }
  }

  /// Writes that a direction is read no further, since a frame's length cannot be.
  private mutating func stopSocket(_ direction: Direction, of index: Int) {
    let (channel, generation) = (connections[index].channel, connections[index].generation)
    counts.opaque &+= 1
    emit(Gap(dir: direction, why: .limit), channel, generation)
    emit(.recOpaque(Opaque(at: .open, why: .other, dir: direction)), channel, generation)
  }

  private mutating func message(_ message: WebSocketMessage, of index: Int, _ direction: Direction) {
    let (channel, generation) = (connections[index].channel, connections[index].generation)
    let slot = connections[index].socket
    var fields = WSMessage(
      dir: direction, kind: message.kind == .text ? .text : .binary, bytes: message.bytes,
      since: message.frames > 1 ? message.since : nil)
    if let preset = settings.beats, message.content == .read {
      let content = sockets[slot].payload(direction)
      let whole = message.inflated == content.count
      if whole, let beat = BeatMark(preset, direction, isText: message.kind == .text, content) {
        fields.beat = beat.beat
        fields.id = sockets[slot].beat(beat, direction, limit: settings.limits.pings, key: settings.seed)
      }
    }
    showFrequent(direction, .wsMessage(fields), channel, generation)
    noteSuperseded(index)
    switch message.content {
    case .read, .invalid: break
    case .undecodable:
      counts.undecodable &+= 1
      guard !sockets[slot].isNotedUndecodable(direction) else { break }
      emit(.recNote(.undecodable, rule: nil), channel, generation)
    case .tooLong: counts.undecodable &+= 1  // The limit has an event of its own.
    }
  }

  private mutating func ping(_ bytes: Int, of index: Int, _ direction: Direction) {
    let (channel, generation) = (connections[index].channel, connections[index].generation)
    let id = sockets[connections[index].socket].ping(
      direction, limit: settings.limits.pings, key: settings.seed)
    show(
      direction, .wsPing(dir: direction, id: id, bytes: bytes), channel, generation)
  }

  private mutating func pong(_ bytes: Int, of index: Int, _ direction: Direction) {
    let (channel, generation) = (connections[index].channel, connections[index].generation)
    let id = sockets[connections[index].socket].pong(direction, key: settings.seed)
    if direction == .in { connections[index].acknowledged = now }
    show(
      direction, .wsPong(dir: direction, id: id, bytes: bytes), channel, generation)
  }

  private mutating func closeFrame(_ code: Int?, of index: Int, _ direction: Direction) {
    let (channel, generation) = (connections[index].channel, connections[index].generation)
    let written = code.flatMap { (1000...4999).contains($0) ? $0 : nil }
    if direction == .in { connections[index].acknowledged = now }
    show(
      direction, .wsClose(dir: direction, code: written, by: direction == .out ? .unknown : nil),
      channel, generation)
    if code != nil, written == nil {
      emit(.recNote(.codeOut, rule: nil), channel, generation)
    }
    release(channel, generation)
  }

  /// Notes once that a generation which was given up still delivers.
  private mutating func noteSuperseded(_ index: Int) {
    let (channel, generation) = (connections[index].channel, connections[index].generation)
    guard channel >= 0, !connections[index].isNotedSuperseded, book[channel].generation > generation else {
      return
    }
    connections[index].isNotedSuperseded = true
    emit(.recNote(.superseded, rule: nil), channel, generation)
  }

  /// Writes how a WebSocket's connection ended, once.
  mutating func endSocket(_ index: Int, _ cause: EndCause, _ direction: Direction?) {
    let (channel, generation) = (connections[index].channel, connections[index].generation)
    let slot = connections[index].socket
    guard slot >= 0, !sockets[slot].hasEnded else { return }
    sockets[slot].hasEnded = true
    emit(.wsEnd(cause: cause, dir: direction), channel, generation)
    release(channel, generation)
  }

  /// Tells a direction's decoder of missing bytes, and takes the frame that they may end.
  mutating func lostSocket(_ index: Int, _ direction: Direction, _ bytes: Int?) {
    let slot = connections[index].socket
    guard slot >= 0 else { return }
    sockets[slot].lost(bytes, direction)
    let nothing: [UInt8] = []
    feedSocket(nothing.span, of: index, direction)
  }

  /// Gives a WebSocket's state back to the pool.
  mutating func dropSocket(_ index: Int) {
    let slot = connections[index].socket
    guard slot >= 0 else { return }
    inflaters.giveBack(sockets[slot].inflaterCount)
    sockets[slot] = SocketState(out: WebSocketDecoder(from: .client), in: WebSocketDecoder(from: .server))
    freeSockets.append(slot)
    connections[index].socket = -1
  }
}
