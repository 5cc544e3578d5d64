extension ParameterTable {
  /// Reads the parameters of some machines: `{"heartbeat":{"interval":"30s"}}`.
  ///
  /// Throws for machines, names and values that are not of the format, naming key and expectation.
  public init(_ json: JSONValue) throws(TraceError) {
    self.init()
  }

  /// Reads the parameters of one machine: `{"interval":"30s"}`.
  public init(_ json: JSONValue, of machine: MachineName) throws(TraceError) {
    self.init()
  }

  /// Adds an option's `machine.key=value`, as `heartbeat.interval=30s`; several may stand with commas between.
  ///
  /// Throws for what is not of the format, naming the key and the expectation.
  public mutating func set(option text: String) throws(TraceError) {
  }
}

extension [UInt8] {
  /// Appends the parameters of all machines as a JSON object, in the order of the vocabulary.
  public mutating func append(_ table: ParameterTable) {
  }

  /// Appends the parameters of one machine as a JSON object, in the order of the vocabulary.
  public mutating func append(_ table: ParameterTable, of machine: MachineName) {
  }
}
