import GoldwireProtocols

/// Undoes the content codings of a body, the one applied last first, with one limit for what comes out.
///
/// What any of them gives is held against the bytes from the wire, so that a bomb within a bomb is none.
final class BodyInflater: Inflating {
  /// How much it takes of the limit to all decompressors.
  let weight: Int

  /// What lies between two codings.
  private struct Between {
    var bytes: [UInt8] = []
    var used = 0
  }

  private static let pieceBytes = 16_384

  private let stages: [any Inflating]
  private let ratio: Int
  private let allowance: Int
  private var between: [Between]
  private var given: [Int]
  private var taken = 0

  /// Makes one of decompressors, the first for the coding that was applied last.
  ///
  /// Each may give `ratio` bytes for each byte from the wire, and `allowance` bytes whatever came.
  init(_ stages: [any Inflating], weight: Int, ratio: Int, allowance: Int) {
    self.stages = stages
    self.weight = weight
    self.ratio = ratio
    self.allowance = allowance
    between = Array(repeating: Between(), count: max(stages.count - 1, 0))
    given = Array(repeating: 0, count: stages.count)
  }

  func inflate(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) -> InflateStep {
    var offset = 0
    let status = run(stages.count - 1, input, &offset, into: &output)
    return InflateStep(consumed: offset, status: status)
  }

  func reset() {
    for stage in stages { stage.reset() }
    for index in between.indices { between[index] = Between() }
    for index in given.indices { given[index] = 0 }
    taken = 0
  }

  /// Lets a coding give what it can, and those before it what it needs for that.
  private func run(
    _ stage: Int, _ input: Span<UInt8>, _ offset: inout Int, into output: inout OutputSpan<UInt8>
  ) -> InflateStep.Status {
    guard stage >= 0 else { return .failed }
    guard stage > 0 else {
      let step = step(0, input.extracting(offset..<input.count), into: &output)
      offset += step.consumed
      return step.status
    }
    while true {
      var bytes: [UInt8] = []
      swap(&bytes, &between[stage - 1].bytes)
      let used = between[stage - 1].used
      let step = step(stage, bytes.span.extracting(droppingFirst: used), into: &output)
      between[stage - 1].used = used + step.consumed
      swap(&bytes, &between[stage - 1].bytes)
      if step.status != .more || output.freeCapacity == 0 { return step.status }
      let status = refill(stage - 1, input, &offset)
      if status == .failed || status == .limit { return status }
      if between[stage - 1].used == between[stage - 1].bytes.count { return .more }
    }
  }

  /// Fills what lies behind a coding, which is used up but for what the next one could not use yet.
  private func refill(_ stage: Int, _ input: Span<UInt8>, _ offset: inout Int) -> InflateStep.Status {
    guard between[stage].used == between[stage].bytes.count else { return .failed }
    var bytes: [UInt8] = []
    swap(&bytes, &between[stage].bytes)
    bytes.removeAll(keepingCapacity: true)
    var status = InflateStep.Status.more
    bytes.append(addingCapacity: Self.pieceBytes) { out in
      status = run(stage, input, &offset, into: &out)
    }
    swap(&bytes, &between[stage].bytes)
    between[stage].used = 0
    return status
  }

  private func step(
    _ stage: Int, _ input: Span<UInt8>, into output: inout OutputSpan<UInt8>
  ) -> InflateStep {
    let room = output.freeCapacity
    let step = stages[stage].inflate(input, into: &output)
    let consumed = min(max(step.consumed, 0), input.count)
    if stage == 0 { taken = taken.addingReportingOverflow(consumed).partialValue }
    given[stage] = given[stage].addingReportingOverflow(room - output.freeCapacity).partialValue
    let (most, overflow) = taken.multipliedReportingOverflow(by: ratio)
    guard overflow || given[stage] <= max(allowance, most) else {
      return InflateStep(consumed: consumed, status: .limit)
    }
    return InflateStep(consumed: consumed, status: step.status)
  }
}
