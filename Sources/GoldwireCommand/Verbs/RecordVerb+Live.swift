import GoldwireCapture
import GoldwireTrace

// Recording from a live interface.
extension RecordVerb {
  func listen(
    _ name: String, _ recorder: inout CaptureRecorder, _ console: Console
  ) throws(CommandError) {
    let start = LiveCapture.clock()
    var live = try openInterface(name)
    try dropPrivileges(console)
    var sink = RecordSink(target, isLive: true, wantsJSON: wantsJSON, apartFrom: nil, bounds, console)
    recorder.begin(at: start, isLoopback: name == "lo" || name == "lo0")
    try sink.take(&recorder)
    try sink.sync(at: start)
    try console.say("listening on \(name), link-type \(live.linkName)")
    let (why, failure) = try follow(&live, since: start, &recorder, &sink)
    recorder.drop(live.takeDrops())
    recorder.finish(why, at: LiveCapture.clock())
    try sink.take(&recorder)
    try sink.finish()
    if let failure { throw CommandError(failure) }
    try sink.summarise(recorder.counts, cutPieces: recorder.cutPieces)
  }

  /// Takes packets until something ends the recording; gives what did, and how the interface failed if it did.
  private func follow(
    _ live: inout LiveCapture, since start: Int, _ recorder: inout CaptureRecorder, _ sink: inout RecordSink
  ) throws(CommandError) -> (EndReason, CaptureFailure?) {
    let (end, isEndless) = start.addingReportingOverflow(duration?.microseconds ?? .max)
    let most = count ?? .max
    var stats = start
    var now = start
    while recorder.counts.packets < most, isEndless || now < end, !sink.isFull {
      if StopFlag.isSet { return (.signal, nil) }
      do throws(CaptureFailure) {
        let room = min(256, most - recorder.counts.packets)
        if try live.step(into: &recorder, wait: 200, atMost: room) == .idle {
          recorder.idle(at: LiveCapture.clock() - 500_000)
        }
      } catch {
        // The interface went away: what came before is a trace all the same.
        return (.stopped, error)
      }
      now = LiveCapture.clock()
      if now < stats || now - stats > 1_000_000 {
        recorder.drop(live.takeDrops())
        stats = now
      }
      try sink.take(&recorder)
      try sink.sync(at: now)
      try sink.show(recorder.counts, at: now)
    }
    return (.limit, nil)
  }

  private func openInterface(_ name: String) throws(CommandError) -> LiveCapture {
    do throws(CaptureFailure) {
      return try LiveCapture(
        interface: name, filter: filter, snapshot: snapshot ?? 262_144,
        buffer: min(buffer ?? 16_384, 1 << 20) << 10)
    } catch { throw CommandError(error) }
  }
}
