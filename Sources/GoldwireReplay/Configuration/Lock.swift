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
  /// Lines that this version does not understand are left out: they cost an explanation, never a verdict. A
  /// merge conflict is an error.
  public init(bytes: [UInt8]) throws(ReplayError) {
    self.init()
    var number = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if line.starts(with: Array("<<<<<<<".utf8)) || line.starts(with: Array(">>>>>>>".utf8)) {
        throw ReplayError(
          line: number, column: 1, "has a merge conflict; delete this file's conflict and update")
      }
      guard number > 1, !line.isEmpty, let value = try? JSONValue.parse(Array(line), line: number) else {
        continue
      }
      guard let path = try? value["golden"]?.string(),
        let machine: MachineName = try? value["machine"]?.word(),
        let json = value["parameters"], let table = try? ParameterTable(json, of: machine),
        let parameters = try? MachineParameters(machine, table[machine] ?? [:])
      else { continue }
      entries[path] = parameters
    }
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
