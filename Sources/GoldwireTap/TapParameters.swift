public import GoldwireMachines
internal import GoldwireTrace

/// The parameters that the tapped clients run with, for the trace's header: a replay asks with them.
///
/// A trace has one set for each machine. Where an app runs several heartbeats with different parameters, give each a tap
/// of its own, or leave them out.
public struct TapParameters: Equatable, Sendable {
  /// The heartbeat's, in microseconds.
  public var heartbeat: Heartbeat.Parameters?
  /// The retries'.
  public var retry: Retry.Parameters?
  /// The event stream's.
  public var stream: EventStream.Parameters?

  /// Makes parameters; what is left out is not known.
  public init(
    heartbeat: Heartbeat.Parameters? = nil, retry: Retry.Parameters? = nil,
    stream: EventStream.Parameters? = nil
  ) {
    self.heartbeat = heartbeat
    self.retry = retry
    self.stream = stream
  }

  /// The table for a header; nil where nothing is known.
  ///
  /// Retries with a factor that is no whole number are left out, since a header cannot say it.
  var table: ParameterTable? {
    var table = ParameterTable()
    if let heartbeat { table[.heartbeat] = Self.values(heartbeat) }
    if let retry, retry.factor == retry.factor.rounded(), retry.factor <= 1_000_000 {
      table[.retry] = Self.values(retry)
    }
    if let stream { table[.stream] = Self.values(stream) }
    return table.values.isEmpty ? nil : table
  }

  private static func values(_ heartbeat: Heartbeat.Parameters) -> [ParameterName: ParameterValue] {
    [
      .interval: span(heartbeat.interval, .microseconds), .timeout: span(heartbeat.timeout, .microseconds),
      .connectTimeout: heartbeat.connectTimeout.map { span($0, .microseconds) } ?? .word(.off),
      .policy: .word(heartbeat.policy == .anyInboundIsLife ? .anyInboundIsLife : .pongOnly),
      .cadence: .word(heartbeat.cadence == .fixed ? .fixed : .afterPong),
    ]
  }

  private static func values(_ retry: Retry.Parameters) -> [ParameterName: ParameterValue] {
    var values: [ParameterName: ParameterValue] = [
      .base: span(retry.base, retry.unit), .factor: .number(Int(retry.factor)),
      .cap: span(retry.cap, retry.unit), .count: .number(retry.count),
      .statuses: .numbers(retry.statuses.sorted()),
      .transport: .flag(retry.transport), .oldDates: .flag(retry.oldDates),
    ]
    switch retry.jitter {
    case .uncapped: break
    case .afterCap: values[.jitter] = .word(.afterCap)
    case .beforeCap: values[.jitter] = .word(.beforeCap)
    }
    return values
  }

  private static func values(_ stream: EventStream.Parameters) -> [ParameterName: ParameterValue] {
    [
      .delay: span(stream.delay, stream.unit), .least: span(stream.least, stream.unit),
      .most: span(stream.most, stream.unit), .idle: stream.idle.map { span($0, stream.unit) } ?? .word(.off),
      .dedup: .word(stream.dedup == .idAndContent ? .idAndContent : .id), .window: .number(stream.window),
      .failures: .number(stream.failures), .retryStatuses: .flag(stream.retryStatuses),
    ]
  }

  private static func span(_ count: Int, _ unit: TimeUnit) -> ParameterValue {
    let (product, overflow) = count.multipliedReportingOverflow(by: 1_000_000 / unit.perSecond)
    return .span(TimeSpan(microseconds: overflow ? .max : product))
  }
}
