/// Packets that go astray: lost, in another order, twice, or kept for later.
extension CaptureBuilder {
  /// Runs `body`; the packets that it adds are not written, as if the capture had missed them.
  public mutating func lost(_ body: (inout CaptureBuilder) -> Void) {
    _ = collected(body)
  }

  /// Runs `body`; the packets that it adds are written in the opposite order.
  public mutating func reversed(_ body: (inout CaptureBuilder) -> Void) {
    for frame in collected(body).reversed() { add(frame: frame) }
  }

  /// Runs `body` and gives the frames that it added instead of writing them; `add(frame:)` writes them later.
  public mutating func collected(_ body: (inout CaptureBuilder) -> Void) -> [[UInt8]] {
    detours.append([])
    body(&self)
    return detours.removeLast()
  }

  /// Writes the last frame of the file once more.
  public mutating func repeatLast() {
    if let frame = frames.last { add(frame: frame) }
  }
}
