public import GoldwirePackets

/// A filter expression of libpcap, compiled for each link type that comes.
public struct PacketFilter {
  private let text: String
  private var programs: [(link: LinkType, program: PcapProgram?)] = []

  /// Makes a filter.
  ///
  /// The expression is checked against Ethernet at once, so that a mistake is told before anything is read.
  public init(_ text: String) throws(CaptureFailure) {
    self.text = text
    _ = try PcapProgram(text, dataLink: 1)
  }

  /// Whether the expression takes a packet; one whose link type it cannot be compiled for is not taken.
  public mutating func accepts(_ frame: Span<UInt8>, _ originalCount: Int, _ link: LinkType) -> Bool {
    if let found = programs.first(where: { $0.link == link }) {
      return found.program?.accepts(frame, originalCount) ?? false
    }
    let program = try? PcapProgram(text, dataLink: link.compilerNumber)
    programs.append((link, program))
    return program?.accepts(frame, originalCount) ?? false
  }
}

extension LinkType {
  /// The number that libpcap's compiler knows the link type by.
  fileprivate var compilerNumber: Int32 {
    switch self {
    case .raw, .raw14: PcapHandle.rawLink
    default: Int32(truncatingIfNeeded: rawValue)
    }
  }
}
