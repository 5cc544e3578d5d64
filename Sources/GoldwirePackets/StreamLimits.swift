/// The limits that hold for each stream; an object, so that they are not copied for each segment.
final class StreamLimits: Sendable {
  let heldBytes: Int
  let heldSegments: Int
  let holePackets: Int
  let holeWait: Int
  let silentHoleWait: Int
  let sequenceWindow: Int
  let straySegments: Int

  init(_ limits: PacketLimits) {
    heldBytes = limits.heldBytes
    heldSegments = limits.heldSegments
    holePackets = limits.holePackets
    holeWait = limits.holeWait
    silentHoleWait = limits.silentHoleWait
    sequenceWindow = limits.sequenceWindow
    straySegments = limits.straySegments
  }
}
