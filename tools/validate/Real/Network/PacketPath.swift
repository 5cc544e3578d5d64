internal import Foundation
internal import GoldwireTap
internal import Synchronization
internal import ValidationSimulator

/// The path between client and server: packets are held back and lost by a script, and the system's TCP does the rest.
final class PacketPath: Sendable {
  private let device: TunnelDevice
  private let isOver = Mutex(false)

  /// Lays the path in the network namespace of the process, which should be its own, with its loopback device up.
  ///
  /// Throws where that is not permitted.
  init() throws {
    device = try TunnelDevice()
    let address = PathPacket.client.map(String.init).joined(separator: ".")
    try Self.ip("address", "add", address + "/30", "dev", TunnelDevice.name)
    try Self.ip("link", "set", TunnelDevice.name, "up")
    // What is for 127.0.0.1 may come through the tunnel.
    let setting = "/proc/sys/net/ipv4/conf/\(TunnelDevice.name)/route_localnet"
    do { try Data("1".utf8).write(to: URL(fileURLWithPath: setting)) } catch {
      throw NetworkUnavailable("\(setting) cannot be set")
    }
  }

  /// The address that the client speaks to.
  var host: String { PathPacket.far.map(String.init).joined(separator: ".") }

  /// Lets packets pass as a script says that begins at `start`.
  func begin(_ faults: FaultScript, seed: UInt64, at start: TapInstant) {
    let thread = Thread { [self] in run(PathRule(faults, seed: seed), start.microseconds) }
    thread.qualityOfService = .userInteractive
    thread.start()
  }

  /// Lets nothing pass any more.
  func end() { isOver.withLock { $0 = true } }

  private func run(_ rule: PathRule, _ start: Int) {
    var rule = rule
    var (up, down) = (ArraySlice<Held>(), ArraySlice<Held>())
    while !isOver.withLock({ $0 }) {
      let next = min(up.first?.at ?? .max, down.first?.at ?? .max)
      let left = next == .max ? 50_000 : max(0, next - (TapInstant.now.microseconds - start))
      if device.waits(min(50, (left + 999) / 1_000)), var packet = device.packet() {
        let now = TapInstant.now.microseconds - start
        if let isUp = PathPacket.turn(&packet), let at = rule.arrival(isUp: isUp, at: now) {
          let held = Held(at: at, packet: packet)
          if isUp { up.append(held) } else { down.append(held) }
        }
      }
      let now = TapInstant.now.microseconds - start
      while let first = up.first, first.at <= now { device.send(up.removeFirst().packet) }
      while let first = down.first, first.at <= now { device.send(down.removeFirst().packet) }
    }
  }

  /// A packet on its way.
  private struct Held {
    var at: Int
    var packet: [UInt8]
  }

  private static func ip(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ip"] + words
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { throw NetworkUnavailable("there is no ip(8)") }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw NetworkUnavailable("ip \(words.joined(separator: " ")) is not permitted")
    }
  }
}
