extension EventStream {
  /// What a trace or a driver tells the machine; a number without a label is the generation.
  public enum Event: Equatable, Sendable {
    /// A connection is being made under this number, greater than all before it, with this cursor.
    ///
    /// Without one the cursor stays as it is.
    case connect(Int, cursor: Int?)
    /// The request was answered.
    case answered(Int, Answer, isEventStream: Bool)
    /// A block with data was dispatched.
    case event(Int, Block)
    /// A block with an id and no data ended.
    case id(Int, Int)
    /// A comment came.
    case comment(Int)
    /// A `retry` field ended, in milliseconds.
    case retry(Int, milliseconds: Int)
    /// The handler of this event of this generation ended.
    case handled(Int, n: Int, succeeded: Bool)
    /// The request failed, or the stream ended.
    case cut(Int)
    /// The reader is not wanted any more.
    case cancel
  }

  /// A dispatched block, as far as the machine decides by it.
  public struct Block: Equatable, Sendable {
    /// Its number in the connection, counted from 1.
    public var n: Int
    /// The id that stands in the block itself, 0 for the empty one; nil where there is none.
    public var id: Int?
    /// Which content this is among those that came with its id: 1 for the first.
    public var revision: Int

    /// Makes a block.
    public init(n: Int, id: Int? = nil, revision: Int = 1) {
      self.n = n
      self.id = id
      self.revision = revision
    }
  }
}
