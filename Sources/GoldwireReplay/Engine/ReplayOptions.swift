public import GoldwireTrace

/// How a trace is replayed.
public struct ReplayOptions: Equatable, Sendable {
  /// The limits of a replay.
  public struct Limits: Equatable, Sendable {
    /// The most ticks of one machine at one instant; more means that it asks to be woken without end.
    public var ticksAtOneInstant = 16
    /// The most ticks of one machine between two of its lines.
    public var ticksInSilence = 1_000_000
    /// The most ties that are looked into.
    public var ties = 1_000

    /// Makes the limits as they come.
    public init() {}
  }

  /// When the machines are woken.
  public var tick: TickMode
  /// How much before its wake-up a recorded action is taken as due.
  public var early: TimeSpan
  /// How much after its wake-up a recorded action may come.
  public var slack: TimeSpan
  /// Whether recorded actions are held against the machine's.
  public var isGate: Bool
  /// Whether ties are looked for.
  public var findsTies: Bool
  /// The one tie that is taken in the other order.
  public var flipped: Tie?
  /// The limits.
  public var limits: Limits
  /// Machines of another language, in the place of the built-in ones.
  public var foreign: ForeignSource?

  /// Makes options.
  public init(
    tick: TickMode, early: TimeSpan = TimeSpan(microseconds: 2_000),
    slack: TimeSpan = TimeSpan(microseconds: 250_000), isGate: Bool = false, findsTies: Bool = false,
    flipped: Tie? = nil, limits: Limits = Limits()
  ) {
    self.tick = isGate ? .recorded : tick
    self.early = early
    self.slack = slack
    self.isGate = isGate
    self.findsTies = findsTies
    self.flipped = flipped
    self.limits = limits
  }
}

/// Two things at one instant that could have come in either order.
public struct Tie: Hashable, Sendable {
  /// What stands against what.
  public enum Kind: Hashable, Sendable {
    /// A line, named by its index, and the machine's own timer.
    case timer(Int)
    /// Two lines, named by their indices.
    case lines(Int, Int)
  }

  /// The instant.
  public var t: Int
  /// The channel.
  public var channel: Channel
  /// The request, of a machine that has one for each.
  public var req: Int?
  /// What stands against what.
  public var kind: Kind

  /// Makes a tie.
  public init(t: Int, channel: Channel, req: Int? = nil, kind: Kind) {
    self.t = t
    self.channel = channel
    self.req = req
    self.kind = kind
  }
}

extension TimeSpan {
  /// The length in the unit, rounded up.
  @usableFromInline
  func roundedUp(in unit: Unit) -> Int {
    switch unit {
    case .us: microseconds
    case .ms: microseconds / 1_000 + (microseconds % 1_000 > 0 ? 1 : 0)
    }
  }
}
