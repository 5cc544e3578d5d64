import GoldwireTestSupport
import Testing

@testable import GoldwirePackets

@Suite struct FlowTableTests {
  private static func key(_ number: Int) -> FlowKey {
    var sender = Side.first
    let high: UInt64 = number % 2 == 0 ? 0 : 0x2001_0DB8_0000_0000
    return FlowKey(
      from: Endpoint(address: IPAddress(high: high, low: UInt64(number / 64)), port: UInt16(number % 64)),
      to: Endpoint(address: IPAddress(high: high, low: 9_999), port: 80), sender: &sender)
  }

  @Test(
    "It finds what was put in and not removed, as a dictionary would", arguments: [0, 1, .max] as [UInt64])
  func dictionary(_ seed: UInt64) {
    var table = FlowTable(seed: seed)
    var reference: [Int: Int] = [:]
    var free: [Int] = []
    // The keys stand with the connections.
    var connections: [TCPConnection] = []
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let number = Int.random(in: 0..<2_000, using: &random)
      if let index = reference[number] {
        #expect(table.find(Self.key(number), in: connections) == index)
        if Bool.random(using: &random) {
          table.remove(Self.key(number), at: index)
          reference[number] = nil
          free.append(index)
        }
      } else {
        #expect(table.find(Self.key(number), in: connections) == nil)
        let connection = TCPConnection(key: Self.key(number), serial: 0, at: 0)
        let index = free.popLast() ?? connections.count
        if index < connections.count {
          connections[index] = connection
        } else {
          connections.append(connection)
        }
        table.insert(Self.key(number), at: index)
        reference[number] = index
      }
      #expect(table.count == reference.count)
    }
    for number in 0..<2_000 { #expect(table.find(Self.key(number), in: connections) == reference[number]) }
  }

  @Test("The key is the same from both ends, also between two ports of one host")
  func keys() {
    let address = IPAddress(ipv4: 0xC000_0201)
    let (one, two) = (Endpoint(address: address, port: 5), Endpoint(address: address, port: 6))
    var (there, back) = (Side.first, Side.first)
    #expect(FlowKey(from: one, to: two, sender: &there) == FlowKey(from: two, to: one, sender: &back))
    #expect(there == back.other)
    #expect(FlowKey(from: one, to: two, sender: &there).endpoint(of: there) == one)
  }
}
