internal import GoldwireTrace

/// What `goldwire.lock` keeps: the values with which each golden was last written.
///
/// One line a golden, in the order of their paths, so that two branches merge.
public struct Lock: Equatable, Sendable {
  /// The version of the format.
  public static let version = 1
  /// The file's name.
  public static let file = "goldwire.lock"

  /// The values by the golden's path below the lock's folder.
  public var entries: [String: MachineParameters] = [:]

  /// Makes a lock of nothing.
  public init() {}

  /// Reads a lock.
  ///
  /// Throws a ``ReplayError`` with line and column for a line that is none of a lock's: what it said of a golden
  /// would be lost without a word.
  public init(bytes: [UInt8]) throws(ReplayError) {
    self.init()
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if Self.conflicts.contains(where: line.starts(with:)) {
        throw ReplayError(
          line: number, column: 1, "has a merge conflict; keep the lines of both sides, then update")
      }
      let line = line.last == 0x0D ? line.dropLast() : line
      if line.isEmpty, number > 1 { continue }
      do throws(TraceError) {
        let value = try JSONValue.parse(Array(line), line: number)
        if number == 1 { try Self.check(value) } else { try add(value) }
      } catch {
        throw ReplayError(line: number, column: error.column, error.message + "; " + Self.remedy)
      }
    }
  }

  private static let conflicts = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].map { Array($0.utf8) }
  private static let remedy = "restore the file, or delete it and run goldwire test --update"

  private static func check(_ value: JSONValue) throws(TraceError) {
    guard let version = value["goldwire"] else { throw value.error("expected the key \"goldwire\"") }
    guard try version.whole() == Self.version else {
      throw version.error("expected version \(Self.version) of a lock; a newer goldwire wrote this one")
    }
  }

  private mutating func add(_ value: JSONValue) throws(TraceError) {
    guard let path = try value["golden"]?.string(), let word = value["machine"],
      let json = value["parameters"]
    else {
      throw value.error("expected the keys \"golden\", \"machine\" and \"parameters\"")
    }
    let machine: MachineName = try word.word()
    let table = try ParameterTable(json, of: machine)
    let parameters: MachineParameters
    do throws(ReplayError) { parameters = try MachineParameters(machine, table[machine] ?? [:]) } catch {
      throw json.error(error.message)
    }
    if let known = entries[path], known != parameters {
      throw value.error("has a golden twice, with different values")
    }
    entries[path] = parameters
  }

  /// The canonical bytes.
  public func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.put("{\"goldwire\":\(Self.version)}\n")
    for path in entries.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      guard let parameters = entries[path] else { continue }
      bytes.put("{\"golden\":")
      bytes.append(json: path)
      bytes.put(",\"machine\":\"\(parameters.machine.rawValue)\",\"parameters\":")
      bytes.append(ParameterTable([parameters.machine: parameters.values]), of: parameters.machine)
      bytes.put("}\n")
    }
    return bytes
  }
}
