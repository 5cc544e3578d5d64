internal import GoldwireBytes
internal import GoldwireProtocols

/// The frames that wait to be written: pongs first, of which the last alone counts, then pings, then messages and the close.
struct SocketOutbox {
  /// Called once, with whether the frame was handed to the system.
  typealias Completion = @Sendable (Bool) -> Void

  /// A frame without its mask.
  struct Frame {
    let opcode: WebSocketOpcode
    let payload: [UInt8]
    let isFinal: Bool
    let completion: Completion?

    init(
      _ opcode: WebSocketOpcode, _ payload: [UInt8], isFinal: Bool = true,
      _ completion: Completion? = nil
    ) {
      self.opcode = opcode
      self.payload = payload
      self.isFinal = isFinal
      self.completion = completion
    }

    /// The frame's bytes, with a mask from the system's source.
    var bytes: [UInt8] {
      var source = SystemRandomNumberGenerator()
      var bytes: [UInt8] = []
      WebSocketEncoder.append(
        opcode, payload.span, isFinal: isFinal, mask: source.next(), to: &bytes)
      return bytes
    }
  }

  private var pong: Frame?
  private var pings = FrameQueue()
  private var data = FrameQueue()
  private var isClosed = false
  /// Whether a task writes.
  var isWriting = false

  /// Adds a control frame; false if there is no room, or nothing may follow any more.
  mutating func add(_ frame: Frame, most: Int) -> Bool {
    guard !isClosed, hasRoom(frame.payload.count, most) else { return false }
    pings.add(frame)
    return true
  }

  /// Takes a pong in the place of one that has not been written yet (RFC 6455 section 5.5.3).
  mutating func add(pong payload: [UInt8], _ completion: @escaping Completion) {
    guard !isClosed else { return }
    pong = Frame(.pong, payload, completion)
  }

  /// Adds a message in frames of at most `pieces` bytes; false if there is no room, or nothing may follow any more.
  mutating func add(
    message: [UInt8], isText: Bool, pieces: Int?, most: Int, _ completion: @escaping Completion
  ) -> Bool {
    guard !isClosed, hasRoom(message.count, most) else { return false }
    let size = max(1, pieces ?? message.count)
    var start = 0
    repeat {
      let end = min(message.count, start + size)
      let opcode: WebSocketOpcode = start > 0 ? .continuation : isText ? .text : .binary
      let isFinal = end == message.count
      data.add(
        Frame(
          opcode, isFinal && start == 0 ? message : Array(message[start..<end]), isFinal: isFinal,
          isFinal ? completion : nil))
      start = end
    } while start < message.count
    return true
  }

  /// Adds the close frame, the last one.
  mutating func addClose(_ code: Int?) {
    guard !isClosed else { return }
    isClosed = true
    let body = code.map { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] } ?? []
    data.add(Frame(.close, body))
  }

  /// Takes the next frame to be written.
  mutating func next() -> Frame? {
    if let pong {
      self.pong = nil
      return pong
    }
    return pings.next() ?? data.next()
  }

  /// Gives up everything, and says whom to tell.
  mutating func empty() -> [Completion] {
    isClosed = true
    pong = nil
    var left: [Completion] = []
    while let frame = next() { if let completion = frame.completion { left.append(completion) } }
    return left
  }

  /// Each frame counts with its head, so that empty ones do not go without limit.
  private func hasRoom(_ bytes: Int, _ most: Int) -> Bool {
    let waiting = pings.bytes + data.bytes
    return waiting == 0 || bytes + 14 <= most - waiting
  }
}

/// Frames in order, with the bytes that they take.
private struct FrameQueue {
  private var frames: [SocketOutbox.Frame] = []
  private var first = 0
  private(set) var bytes = 0

  mutating func add(_ frame: SocketOutbox.Frame) {
    frames.append(frame)
    bytes += frame.payload.count + 14
  }

  mutating func next() -> SocketOutbox.Frame? {
    guard first < frames.count else { return nil }
    let frame = frames[first]
    first += 1
    bytes -= frame.payload.count + 14
    if first == frames.count || first >= 256 {
      frames.removeFirst(first)
      first = 0
    }
    return frame
  }
}
