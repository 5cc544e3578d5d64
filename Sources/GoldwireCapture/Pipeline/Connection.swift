import GoldwirePackets
import GoldwireProtocols
import GoldwireTrace

/// What the pipeline knows of one TCP connection; it lies at the connection table's index.
struct Connection {
  /// What is spoken on it.
  enum Mode: UInt8 {
    /// Not known yet.
    case unknown
    /// HTTP/1; its state is in the pool.
    case http
    /// WebSocket; its state is in the pool.
    case webSocket
    /// Nothing that can be read.
    case opaque
  }

  // What each packet looks at stands first, so that it lies together.
  /// What is spoken.
  var mode = Mode.unknown
  /// Whether the connection is followed; false once it is closed.
  var isAlive = false
  /// The side that is the client, once known.
  var client: Side?
  /// Whether the beginning was seen.
  var hasSyn = false
  /// The slot of the attempt whose SYN waits for its answer, or -1.
  @Place var attempt = -1
  /// The place of its HTTP state in the pool, or -1.
  @Place var http = -1
  /// The place in the pool of the event stream that is being received on it, or -1.
  @Place var stream = -1
  /// The place of its WebSocket state in the pool, or -1.
  @Place var socket = -1
  /// The channel that it is a generation of, by its index in the book, or -1.
  @Place var channel = -1
  /// Its generation in that channel.
  @Place var generation = 0
  /// Whether a side ended its stream, in the order out, in.
  var hasEnded = (out: false, in: false)
  /// Whether bytes of a side were missing before it was known what is spoken.
  var hasLost = (first: false, second: false)
  /// Signs of life from the server.
  var lifeIn = Life()
  /// Signs of life from the client.
  var lifeOut = Life()
  /// When a line last told that the server's host has all that the client sent.
  var acknowledged = Int.min / 2
  /// Whether a message of a superseded generation was noted.
  var isNotedSuperseded = false
  /// Whether a conflict of overlapping segments was noted.
  var isNotedOverlap = false
  /// Whether the capture cut bytes off by which the protocol might have been told.
  var isCut = false
  /// The hash of the client's address and the server's endpoint.
  var endpoint: UInt64 = 0
  /// How many pieces could not be recognised.
  var unrecognised = 0
  /// Why it cannot be read, where it cannot.
  var why = OpaqueReason.other
  /// Bytes that are too few to tell the protocol.
  var prefixes: (first: [UInt8], second: [UInt8]) = ([], [])
  /// Who seems to send frames, by side, where nothing else is known.
  var hints: (first: WebSocketPeer?, second: WebSocketPeer?) = (nil, nil)
  /// How and by whom it began to end.
  var firstEnd: (cause: Cause?, dir: Direction?) = (nil, nil)

  /// Whether its beginning was not seen.
  var isMidway: Bool { !hasSyn }

  /// The hint of one side.
  subscript(hint side: Side) -> WebSocketPeer? {
    get { side == .first ? hints.first : hints.second }
    set { if side == .first { hints.first = newValue } else { hints.second = newValue } }
  }

  /// The bytes held of one side.
  subscript(prefix side: Side) -> [UInt8] {
    get { side == .first ? prefixes.first : prefixes.second }
    set { if side == .first { prefixes.first = newValue } else { prefixes.second = newValue } }
  }
}

/// A place in a pool or a table, in four bytes.
@propertyWrapper
struct Place {
  private var raw: Int32

  /// Makes a place.
  init(wrappedValue: Int) { raw = Int32(truncatingIfNeeded: wrappedValue) }

  /// The place.
  @inline(__always)
  var wrappedValue: Int {
    get { Int(raw) }
    set { raw = Int32(truncatingIfNeeded: newValue) }
  }
}
