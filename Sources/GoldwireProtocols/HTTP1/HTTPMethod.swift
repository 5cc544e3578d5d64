/// A request method, as far as a trace names it.
public enum HTTPMethod: String, CaseIterable, Sendable {
  /// GET.
  case get = "GET"
  /// HEAD.
  case head = "HEAD"
  /// POST.
  case post = "POST"
  /// PUT.
  case put = "PUT"
  /// DELETE.
  case delete = "DELETE"
  /// CONNECT.
  case connect = "CONNECT"
  /// OPTIONS.
  case options = "OPTIONS"
  /// TRACE.
  case trace = "TRACE"
  /// PATCH.
  case patch = "PATCH"
  /// Any other method; which one is not kept.
  case other = "OTHER"
}
