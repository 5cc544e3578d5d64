public import GoldwireMachines

extension Invariant where Subject.Event == Heartbeat.Event, Subject.Action == Heartbeat.Action {
  /// What must hold of a heartbeat with these parameters, whoever wrote it.
  public static func heartbeat(_ parameters: Heartbeat.Parameters) -> Invariant {
    HeartbeatOracle<Subject>.invariant(parameters)
  }
}

extension Invariant where Subject.Event == Retry.Event, Subject.Action == Retry.Action {
  /// What must hold of the retries of a logical request with these parameters, whoever wrote them.
  public static func retry(_ parameters: Retry.Parameters) -> Invariant {
    RetryOracle<Subject>.invariant(parameters)
  }
}

extension Invariant where Subject.Event == EventStream.Event, Subject.Action == EventStream.Action {
  /// What must hold of an event stream with these parameters, whoever wrote it.
  ///
  /// Nothing is said of what comes after a hole in the recording.
  public static func stream(_ parameters: EventStream.Parameters) -> Invariant {
    StreamOracle<Subject>.invariant(parameters, keepsEffects: false)
  }
}
