public import GoldwireTrace

/// The points at which a sweep asks: every combination of the values that each parameter is given.
public struct SweepGrid: Equatable, Sendable {
  /// The limits of grids.
  public enum Limits {
    /// The most points.
    public static let points = 10_000
  }

  /// The values of one parameter.
  public struct Axis: Equatable, Sendable {
    /// The parameter.
    public var name: ParameterName
    /// Its values, in the order in which they were given.
    public var values: [ParameterValue]
  }

  /// The machine that is asked.
  public private(set) var machine: MachineName?
  /// The parameters that vary; the last one varies fastest.
  public private(set) var axes: [Axis] = []

  /// Makes a grid of no point.
  public init() {}

  /// Takes an option's text: `heartbeat.interval=10s,20s,30s`.
  ///
  /// Throws a ``ReplayError`` that says what was expected.
  public mutating func add(option text: String) throws(ReplayError) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { throw ReplayError("expected MACHINE.KEY=VALUE,VALUE…") }
    var axis: Axis?
    for value in halves[1].split(separator: ",", omittingEmptySubsequences: false) {
      var table = ParameterTable()
      do throws(TraceError) { try table.set(option: "\(halves[0])=\(value)") } catch {
        throw ReplayError(error.message)
      }
      guard let (machine, named) = table.values.first, let (name, one) = named.first else { continue }
      guard self.machine ?? machine == machine else {
        throw ReplayError("a grid is of one machine; ask for \(machine.rawValue) in a run of its own")
      }
      self.machine = machine
      if axis == nil { axis = Axis(name: name, values: []) }
      guard axis?.values.contains(one) != true else {
        throw ReplayError("\(halves[0]) has \(one.words) twice; name each value once")
      }
      axis?.values.append(one)
    }
    guard let axis else { throw ReplayError("expected MACHINE.KEY=VALUE,VALUE…") }
    guard !axes.contains(where: { $0.name == axis.name }) else {
      throw ReplayError("\(axis.name.rawValue) is given twice; name all its values at once")
    }
    axes.append(axis)
    guard count <= Limits.points else { throw ReplayError("the grid has more than \(Limits.points) points") }
  }

  /// How many points there are.
  public var count: Int {
    axes.reduce(1) { count, axis in
      let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
      return overflow ? Int.max : product
    }
  }

  /// The values at a point, in the order of the axes.
  public func values(at point: Int) -> [ParameterValue] {
    var (rest, values) = (point, [ParameterValue]())
    for axis in axes.reversed() {
      values.append(axis.values[rest % axis.values.count])
      rest /= axis.values.count
    }
    return values.reversed()
  }

  /// The parameters at a point, laid over those that a trace was recorded with.
  func parameters(at point: Int, over inForce: MachineParameters) throws(ReplayError) -> MachineParameters {
    var named = inForce.values
    for (axis, value) in zip(axes, values(at: point)) { named[axis.name] = value }
    return try MachineParameters(inForce.machine, named)
  }
}
