internal import Foundation
internal import ValidationScoring

/// What else a machine had to do: it decides how late timers are.
enum MachineLoad {
  /// The runnable processes in the mean of the last minute, beside the cores.
  static var text: String {
    var loads = [0.0]
    guard unsafe getloadavg(&loads, 1) == 1 else { return "unknown" }
    return Text.fixed(loads[0], 1) + " on \(ProcessInfo.processInfo.activeProcessorCount) cores"
  }
}
