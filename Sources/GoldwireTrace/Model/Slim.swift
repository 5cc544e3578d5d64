/// A whole number or nothing in eight bytes, where an optional number takes sixteen with its alignment.
///
/// The least number stands for nothing; who stores it gets the next, which the format can't hold either.
@usableFromInline
struct Slim: Equatable, Sendable {
  @usableFromInline
  var raw: Int

  @inlinable @inline(__always)
  init(_ value: Int?) {
    raw = .min
    self.value = value
  }

  @inlinable
  var value: Int? {
    @inline(__always) get { raw == .min ? nil : raw }
    @inline(__always) set { raw = newValue.map { max($0, .min + 1) } ?? .min }
  }
}
