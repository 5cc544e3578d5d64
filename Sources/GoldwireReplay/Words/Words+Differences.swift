extension Words {
  /// What became of an action, and by how much it was moved.
  func group(_ want: GoldenLine?, _ got: GoldenLine?) -> (String, Int) {
    if let want, let got {
      if want.isSameAction(as: got) {
        if want.t == got.t, let old = want.wait, let new = got.wait {
          return ("\(kind(got)) of \(span(old)) is now of \(span(new))", 0)
        }
        let (shift, overflow) = got.t.subtractingReportingOverflow(want.t)
        return ("\(kind(got)) shifted", overflow ? 0 : shift)
      }
      if kind(want) == kind(got) { return ("\(kind(want)) has another \(difference(want, got))", 0) }
      return ("\(kind(want)) is now \(kind(got))", 0)
    }
    if let want { return ("\(kind(want)) no longer there", 0) }
    return ("\(got.map(kind) ?? "") new", 0)
  }

  /// What two actions of one kind differ in.
  private func difference(_ want: GoldenLine, _ got: GoldenLine) -> String {
    let parts: [(String, Bool)] = [
      ("channel", want.channel != got.channel), ("connection", want.generation != got.generation),
      ("request", want.req != got.req), ("try", want.attempt != got.attempt), ("count", want.n != got.n),
      ("id", want.id != got.id), ("cursor", want.cursor != got.cursor), ("code", want.code != got.code),
      ("grade", want.grade != got.grade),
    ]
    return parts.filter(\.1).map(\.0).joined(separator: " and ")
  }

  private func kind(_ line: GoldenLine) -> String {
    line.action.description + (line.why.map { " (\($0))" } ?? "")
  }
}
