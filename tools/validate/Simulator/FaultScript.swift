/// What happens to a session whatever its client does; all instants and lengths in microseconds.
public struct FaultScript: Equatable, Sendable {
  /// A direction, or both.
  public enum Way: Sendable {
    case both, up, down
  }

  /// A while in which the path loses all.
  public struct Hole: Equatable, Sendable {
    /// When.
    public var span: Range<Int>
    /// Which way.
    public var way: Way
  }

  /// A while in which the server is not there.
  public struct Restart: Equatable, Sendable {
    /// How it goes.
    public enum Kind: Sendable {
      /// With a reset, with an end of the stream, with a close frame, or without a word.
      case reset, fin, close, death
    }

    /// When.
    public var span: Range<Int>
    /// How it goes.
    public var kind: Kind
  }

  /// Something between that forgets connections.
  public struct IdleLimit: Equatable, Sendable {
    /// What it does with one that it forgot.
    public enum Kind: Sendable {
      /// Nothing; a reset to the next packet; a reset at once.
      case silent, reset, active
    }

    /// The silence after which it forgets.
    public var after: Int
    /// What it does.
    public var kind: Kind
  }

  /// A change of the path's delay.
  public struct Step: Equatable, Sendable {
    /// From when on.
    public var from: Int
    /// How much slower than at first, one way.
    public var delay: Int
  }

  /// The end of the run.
  public var horizon: Int
  /// The path's delay one way.
  public var delay = 30_000
  /// How much more it may be, packet by packet.
  public var jitter = 2_000
  /// How it changes.
  public var steps: [Step] = []
  /// When the path loses all.
  public var holes: [Hole] = []
  /// How many packets of a thousand are lost.
  public var loss = 0
  /// When connections are reset.
  public var resets: [Int] = []
  /// When the server is not there.
  public var restarts: [Restart] = []
  /// What forgets connections.
  public var idle: IdleLimit?
  /// When the server's loop stands still.
  public var busy: [Range<Int>] = []
  /// The shortest gap of pings that the server bears; 0 for any.
  public var leastGap = 0
  /// When the client sends.
  public var sends: [Int] = []
  /// When the server does.
  public var pushes: [Int] = []
  /// When the client asks, and the server answers.
  public var exchanges: [Int] = []
  /// The least that a retransmission waits beyond the round trip.
  public var leastWait = 200_000
  /// The most that it waits.
  public var mostWait = 120_000_000
  /// Whether the last packet is probed for.
  public var probes = true
  /// How late the client's timers may be.
  public var lateness = 800
  /// Dice are not thrown: each delay is its mean, nothing is lost by chance.
  public var isMean = false

  /// Makes a script without faults.
  public init(horizon: Int) { self.horizon = horizon }

  /// The script as one knows it who knows the faults and the path, but neither the dice nor the stacks.
  public var known: FaultScript {
    var script = self
    script.isMean = true
    (script.leastWait, script.mostWait, script.probes) = (200_000, 120_000_000, true)
    return script
  }
}
