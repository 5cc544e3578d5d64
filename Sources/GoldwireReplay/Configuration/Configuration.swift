public import GoldwireTrace

/// What `goldwire.json` says of the traces below it.
public struct Configuration: Equatable, Sendable {
  /// The version of the format that this library reads.
  public static let version = 1
  /// The file's name.
  public static let file = "goldwire.json"

  /// The named sets of parameters, in the order of the file.
  public var sets: [NamedSet] = []
  /// What people call the channels.
  public var labels: [Label] = []
  /// How late a recorded client's timers may be.
  public var slack: TimeSpan?
  /// The machines that goldens are required for; nil for all that a trace drives.
  public var machines: [MachineName]?
  /// Traces of one server each, whose evidence is taken together.
  public var pools: [Pool] = []

  /// A named set of parameters.
  public struct NamedSet: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Its values, by machine.
    public var parameters: ParameterTable
  }

  /// Traces of one server.
  public struct Pool: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// Traces and folders of traces, below the configuration's folder.
    public var paths: [String]
  }

  /// What people call a channel.
  public struct Label: Equatable, Sendable {
    /// The channel as traces spell it.
    public var channel: String
    /// Its name in reports.
    public var name: String
  }

  /// Makes a configuration that says nothing.
  public init() {}

  /// The values of a named set for a machine; nil if there is no such set, or it has none for the machine.
  public func values(of set: String, _ machine: MachineName) -> [ParameterName: ParameterValue]? {
    sets.first { $0.name == set }?.parameters[machine]
  }

  /// What people call the channel.
  public func label(_ channel: Channel) -> String? {
    let spelled = channel.description
    return labels.first { $0.channel == spelled }?.name
  }
}

extension Configuration {
  /// The limits of a configuration.
  public enum Limits {
    /// The most bytes of a label or a set's name.
    public static let nameBytes = 64
    /// The most bytes of a pool's path.
    public static let pathBytes = 1_024
  }

  /// Reads a configuration.
  ///
  /// Throws a ``ReplayError`` with line and column; an unknown key is an error, since it is a misspelt one.
  public init(bytes: [UInt8]) throws(ReplayError) {
    self.init()
    do {
      try read(JSONValue.parse(bytes))
    } catch {
      throw ReplayError(line: error.line, column: error.column, error.message)
    }
  }

  private mutating func read(_ value: JSONValue) throws(TraceError) {
    var hasVersion = false
    for member in try value.members() {
      let value = member.value
      switch member.key {
      case "goldwire":
        hasVersion = true
        if try value.whole() != Self.version {
          throw value.error("expected version \(Self.version); a newer goldwire wrote this configuration")
        }
      case "sets":
        for set in try value.members() {
          sets.append(
            NamedSet(name: try Self.name(set), parameters: try Self.parameters(set.value)))
        }
      case "labels":
        for label in try value.members() { labels.append(try Self.label(label)) }
      case "slack": slack = try value.timeSpan()
      case "machines":
        var names: [MachineName] = []
        if try value.elements().isEmpty {
          throw value.error("expected at least one machine; leave the key out for all that a trace drives")
        }
        for element in try value.elements() { names.append(try element.word()) }
        machines = MachineName.allCases.filter(names.contains)
      case "pools":
        for pool in try value.members() { pools.append(try Self.pool(pool)) }
      default:
        throw TraceError(
          line: member.line, column: member.column,
          "unknown key; expected goldwire, sets, labels, slack, machines or pools")
      }
    }
    guard hasVersion else { throw value.error("expected the key \"goldwire\"") }
  }

  private static func name(_ member: JSONValue.Member) throws(TraceError) -> String {
    guard isPrintable(member.key) else {
      throw TraceError(
        line: member.line, column: member.column,
        "expected a name of 1 to \(Limits.nameBytes) bytes without control characters")
    }
    return member.key
  }

  /// The parameters of a set: those of the preset that it names, and over them what stands beside it.
  private static func parameters(_ value: JSONValue) throws(TraceError) -> ParameterTable {
    var table = ParameterTable()
    var own = value
    own.content = .object(try value.members().filter { $0.key != "preset" })
    if let named = value["preset"] {
      guard let preset = Preset.named(try named.string()) else {
        throw named.error("expected a preset: " + Preset.all.map(\.name).joined(separator: ", "))
      }
      table = preset.parameters
    }
    for (machine, values) in try ParameterTable(own).values {
      table.values[machine, default: [:]].merge(values) { _, new in new }
    }
    return table
  }

  private static func pool(_ member: JSONValue.Member) throws(TraceError) -> Pool {
    var paths: [String] = []
    for element in try member.value.elements() {
      let path = try element.string()
      guard (1...Limits.pathBytes).contains(path.utf8.count), !path.hasPrefix("/"),
        !path.split(separator: "/").contains("..")
      else {
        throw element.error("expected a trace or a folder below this configuration's own")
      }
      paths.append(path)
    }
    return Pool(name: try Self.name(member), paths: paths)
  }

  private static func label(_ member: JSONValue.Member) throws(TraceError) -> Label {
    let name = try member.value.string()
    guard isPrintable(name) else {
      throw member.value.error(
        "expected a label of 1 to \(Limits.nameBytes) bytes without control characters")
    }
    return Label(channel: try Self.name(member), name: name)
  }

  private static func isPrintable(_ text: String) -> Bool {
    (1...Limits.nameBytes).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        switch $0.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
          false
        default: true
        }
      }
  }
}
