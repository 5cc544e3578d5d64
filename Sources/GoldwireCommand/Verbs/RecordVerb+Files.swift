import GoldwireCapture
import GoldwireTrace

// Recording from a capture file or from standard input.
extension RecordVerb {
  func read(
    _ path: String, _ recorder: inout CaptureRecorder, _ console: Console
  ) throws(CommandError) {
    var file = try open(path)
    try dropPrivileges(console)
    // The output is made once there is something to write, so that a mistaken name costs nothing.
    var sink = RecordSink(
      target, isLive: false, isPiped: path == "-", wantsJSON: wantsJSON, apartFrom: file.identity, bounds,
      console)
    var failure: CaptureFailure?
    var why = EndReason.eof
    while true {
      do throws(CaptureFailure) {
        guard try file.step(into: &recorder) else { break }
      } catch {
        failure = error
        break
      }
      try sink.take(&recorder)
      try sink.show(recorder.counts, at: LiveCapture.clock())
      if path == "-" { try sink.flush() }
      // Only while nothing comes, so that equal input at full speed gives equal bytes.
      if file.isWaiting { try sink.sync(at: LiveCapture.clock()) }
      if StopFlag.isSet { why = .signal }
      if StopFlag.isSet || sink.isFull { break }
    }
    if let failure, recorder.counts.packets == 0 { throw CommandError(failure) }
    if why == .eof, let count, file.packets >= count { why = .limit }
    recorder.finish(why)
    try sink.take(&recorder)
    try sink.finish()
    if let failure { throw CommandError(failure) }
    if let damage = file.damage {
      try console.say(
        "\(path == "-" ? "standard input" : path): warning: \(damage); recorded up to there")
    }
    if file.packets == 0, file.passedOver > 0 {
      try hint(path, file.passedOver, file.passedOverTagged, console)
    }
    try sink.summarise(recorder.counts, cutPieces: recorder.cutPieces)
  }

  private func open(_ path: String) throws(CommandError) -> CaptureFile {
    do throws(CaptureFailure) {
      return try CaptureFile(path: path, filter: filter, count: count)
    } catch { throw CommandError(error) }
  }

  /// Says that the filter took nothing, and what most often is the reason.
  private func hint(
    _ path: String, _ packets: Int, _ tagged: Int, _ console: Console
  ) throws(CommandError) {
    let name = path == "-" ? "standard input" : path
    let advice = tagged > 0 ? "; \(tagged) carry a VLAN tag: try 'vlan and (\(filter ?? ""))'" : ""
    try console.say("\(name): the filter took 0 of \(packets) packets\(advice)")
  }
}
