/// An action that a client with other parameters would have taken.
public struct CausalAction: Equatable, Sendable {
  /// What is done, in the likeliest world, with its grade: that of its weakest cause.
  public var line: GoldenLine
  /// The first instant at which a world that the recording allows for has it.
  public var earliest: Int
  /// The last such instant.
  public var latest: Int
  /// The action's own proof, whatever came before it; of a ping that is answered that of its answer.
  public var proof: Grade
  /// The indices of the trace lines that it rests on.
  public var lines: [Int]

  /// Makes an action.
  public init(_ line: GoldenLine, earliest: Int, latest: Int, proof: Grade, lines: [Int]) {
    self.line = line
    self.earliest = earliest
    self.latest = latest
    self.proof = proof
    self.lines = lines
  }
}
