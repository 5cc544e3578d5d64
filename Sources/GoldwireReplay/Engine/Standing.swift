/// How a recorded action stands to what the machine is about.
public enum Standing: Sendable {
  /// The machine has a reason for it, or may have: it is compared.
  case asked
  /// The machine has no reason for it: another's doing, if the line can be read so, else compared.
  case unasked
  /// It is for a connection that is over, and means nothing more.
  case over
  /// It is another connection's than the machine's: it wakes nothing, and a gate finds it to be extra.
  case stray
}
