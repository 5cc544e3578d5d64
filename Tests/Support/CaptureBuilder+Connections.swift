/// TCP connections: each call adds the packets of one step, with numbers counted from the bytes.
///
/// Bytes are acknowledged by whatever the other side sends next, or by `ack`. Every call takes an optional
/// time `at`, in microseconds since `start`; without it the clock goes on by `step` a packet.
extension CaptureBuilder {
  /// A connection of this capture.
  public typealias Socket = Int

  /// Makes a connection without adding a packet; each one without a named client gets a port of its own.
  public mutating func connection(
    client: BuiltHost? = nil, server: BuiltHost? = nil, ipv6: Bool = false,
    clientStart: UInt32 = 1_000, serverStart: UInt32 = 500_000
  ) -> Socket {
    let port = UInt16(50_000 + connections.count)
    connections.append(
      BuiltConnection(
        client: client ?? (ipv6 ? .v6(1, port: port) : .v4(1, port: port)),
        server: server ?? (ipv6 ? .v6(2, port: 80) : .v4(2, port: 80)),
        initial: [clientStart, serverStart]))
    return connections.count - 1
  }

  /// The connection's numbers as they stand.
  public func state(of socket: Socket) -> BuiltConnection { connections[socket] }

  /// Adds SYN, SYN with ACK, and ACK.
  public mutating func connect(_ socket: Socket, at time: Int? = nil) {
    syn(socket, at: time)
    synAck(socket)
    ack(socket, by: .client)
  }

  /// Adds the client's SYN, with payload where TCP Fast Open is used.
  public mutating func syn(_ socket: Socket, _ payload: [UInt8] = [], at time: Int? = nil) {
    connections[socket].next[0] = connections[socket].initial[0]
    emit(socket, .client, flags: 2, payload, at: time)
  }

  /// Adds the server's answer to the SYN.
  public mutating func synAck(_ socket: Socket, at time: Int? = nil) {
    connections[socket].next[1] = connections[socket].initial[1]
    acknowledge(socket, by: .server)
    emit(socket, .server, flags: 18, at: time)
  }

  /// Adds bytes from one side, in segments of at most `size` bytes.
  public mutating func send(
    _ socket: Socket, _ side: BuiltConnection.Side, _ bytes: [UInt8], size: Int = 1_460, at time: Int? = nil
  ) {
    acknowledge(socket, by: side)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      emit(socket, side, flags: start + size >= bytes.count ? 24 : 16, piece, at: start == 0 ? time : nil)
    }
  }

  /// Adds text from one side, in segments of at most `size` bytes.
  public mutating func send(
    _ socket: Socket, _ side: BuiltConnection.Side, _ text: String, size: Int = 1_460, at time: Int? = nil
  ) {
    send(socket, side, Array(text.utf8), size: size, at: time)
  }

  /// Adds a bare acknowledgment of all that the other side has sent.
  public mutating func ack(_ socket: Socket, by side: BuiltConnection.Side, at time: Int? = nil) {
    acknowledge(socket, by: side)
    emit(socket, side, flags: 16, at: time)
  }

  /// Adds a FIN, which also acknowledges.
  public mutating func fin(_ socket: Socket, _ side: BuiltConnection.Side, at time: Int? = nil) {
    acknowledge(socket, by: side)
    emit(socket, side, flags: 17, at: time)
  }

  /// Adds FIN, FIN and ACK, begun by one side.
  public mutating func close(_ socket: Socket, _ side: BuiltConnection.Side = .client, at time: Int? = nil) {
    fin(socket, side, at: time)
    fin(socket, side.other)
    ack(socket, by: side)
  }

  /// Adds an RST with ACK at the side's next number.
  public mutating func rst(_ socket: Socket, _ side: BuiltConnection.Side, at time: Int? = nil) {
    acknowledge(socket, by: side)
    if connections[socket].next[side.rawValue] == connections[socket].initial[side.rawValue] {
      connections[socket].next[side.rawValue] = 0
    }
    emit(socket, side, flags: 20, at: time)
  }

  /// Adds a keep-alive probe: the byte before the next one once more.
  public mutating func keepAlive(_ socket: Socket, _ side: BuiltConnection.Side, at time: Int? = nil) {
    var segment = connections[socket].segment(side, [0])
    segment.sequence &-= 1
    add(packet: segment.packet, at: time)
  }

  /// Adds bytes again, or others in their place, `offset` bytes from the start of the side's stream.
  public mutating func resend(
    _ socket: Socket, _ side: BuiltConnection.Side, _ bytes: [UInt8], from offset: Int, at time: Int? = nil
  ) {
    var segment = connections[socket].segment(side, flags: 24, bytes)
    segment.sequence = connections[socket].initial[side.rawValue] &+ 1 &+ UInt32(offset)
    add(packet: segment.packet, at: time)
  }

  /// Lets a side acknowledge all that the other has sent, without adding a packet.
  public mutating func acknowledge(_ socket: Socket, by side: BuiltConnection.Side) {
    connections[socket].acknowledged[side.rawValue] = connections[socket].next[side.other.rawValue]
  }

  /// Adds one segment at the side's next number and counts it.
  public mutating func emit(
    _ socket: Socket, _ side: BuiltConnection.Side, flags: UInt8, _ payload: [UInt8] = [], at time: Int? = nil
  ) {
    add(packet: connections[socket].segment(side, flags: flags, payload).packet, at: time)
    let counted = payload.count + (flags & 2 != 0 ? 1 : 0) + (flags & 1 != 0 ? 1 : 0)
    connections[socket].next[side.rawValue] &+= UInt32(counted)
  }
}
