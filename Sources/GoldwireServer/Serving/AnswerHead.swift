internal import GoldwireProtocols
internal import GoldwireTrace

/// The head of an answer, and what a trace has of it.
struct AnswerHead {
  private(set) var head: HTTPHead
  /// What a trace has of its fields.
  private(set) var retry = RetryFields()
  /// How long the client was asked to wait, in µs.
  private(set) var wait = 0

  /// Makes the head that a behaviour asks for, all but what frames the body.
  init(_ behaviour: AnswerBehaviour, _ core: ServerCore) {
    head = HTTPHead(behaviour.status)
    let now = core.seconds
    let midnight = core.log.midnight
    if behaviour.hasDate {
      head.add("Date", HTTPHead.date(now))
      retry.date = now - midnight
    }
    if let age = behaviour.age {
      head.add("Age", String(age))
      retry.age = min(age, 2_147_483_647)
    }
    if let location = behaviour.location { head.add("Location", location) }
    if behaviour.status == 401 { head.add("WWW-Authenticate", "Basic realm=\"goldwire\"") }
    let text: String
    switch behaviour.retryAfter {
    case nil: return
    case .text(let given): text = given
    case .date(let seconds, let form): text = HTTPHead.date(now.addingClamped(seconds), form)
    }
    head.add("Retry-After", text)
    read(RetryAfter.read(text, now: now), now: now, midnight: midnight)
  }

  /// Adds a field.
  mutating func add(_ name: String, _ value: String) { head.add(name, value) }

  private mutating func read(_ value: RetryAfter, now: Int, midnight: Int) {
    switch value {
    case .absent: break
    case .seconds(let seconds):
      retry.value = seconds > 2_147_483_647 ? .bad(.over) : .after(Int(seconds))
      wait = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000).partialValue
      if seconds > 2_147_483_647 { wait = 0 }
    case .date(let date, let form):
      let year = 366 * 86_400
      retry.value = .at(min(max(date, now - year), now + year) - midnight)
      retry.form = form == .rfc850 ? .rfc850 : form == .asctime ? .asctime : nil
      wait = max(0, min(date - now, year)) * 1_000_000
    case .invalid(let reason): retry.value = .bad(RetryFault(rawValue: reason.rawValue) ?? .other)
    }
  }
}
