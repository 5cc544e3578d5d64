internal import GoldwireTrace

/// What a tap is put together from, whatever it writes to.
struct TapParts {
  let clock: TapClock
  let header: TraceHeader
  let door: TapDoor
  let watch: PauseWatch
  let beat: TapBeat?

  init(_ parameters: TapParameters, _ blind: [Blind], _ clocks: TapClocks, _ kind: TapBeat.Kind) {
    clock = TapClock(start: clocks.continuous, wall: WallClock(beginning: clocks.wall))
    let table = parameters.table
    header = TraceHeader(
      tool: "goldwire " + TraceHeader.release, source: .tap, unit: .us, clock: .continuous,
      wall: clock.wall.wall,
      at: .client, blind: blind, inForce: table, inForceBy: table == nil ? nil : .driver)
    let beat: TapBeat? = kind == .none ? nil : TapBeat()
    self.beat = beat
    door = TapDoor { beat?.wake() }
    watch = PauseWatch(beat: TapBeat.interval, clocks)
  }
}
