/// A whole number or nothing in eight bytes, where an optional number takes sixteen with its alignment.
///
/// The least number stands for nothing; who stores it gets the next, which the format can't hold either.
struct Slim: Equatable, Sendable {
  private var raw: Int

  @inline(__always)
  init(_ value: Int?) {
    raw = .min
    self.value = value
  }

  @inline(__always)
  var value: Int? {
    get { raw == .min ? nil : raw }
    set { raw = newValue.map { max($0, .min + 1) } ?? .min }
  }
}
