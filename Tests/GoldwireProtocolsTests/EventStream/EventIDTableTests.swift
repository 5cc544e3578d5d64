import GoldwireProtocols
import Testing

@Suite struct EventIDTableTests {
  private func id(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `Ids are numbered by first appearance, and the empty one is 0`() {
    var table = EventIDTable()
    #expect(table.number(of: id("x")) == 1)
    #expect(table.number(of: id("y")) == 2)
    #expect(table.number(of: id("x")) == 1)
    #expect(table.number(of: []) == 0)
    #expect(table.id(of: 2) == id("y"))
    #expect(table.id(of: 0) == [])
    #expect(table.id(of: 3) == nil)
  }

  @Test func `Ids are equal by their bytes, not by how they look`() {
    var table = EventIDTable()
    #expect(table.number(of: id("\u{E9}")) != table.number(of: id("e\u{301}")))
  }

  @Test func `The oldest are forgotten first, and come back as new`() {
    var limits = EventIDTable.Limits()
    limits.ids = 2
    var table = EventIDTable(limits: limits)
    for name in ["a", "b", "c"] { _ = table.number(of: id(name)) }
    #expect(table.forgotten == 1)
    #expect(table.count == 2)
    #expect(table.id(of: 1) == nil)
    #expect(table.number(of: id("b")) == 2)
    #expect(table.number(of: id("a")) == 4)
    #expect(table.id(of: 4) == id("a"))
    #expect(table.id(of: 3) == id("c"))
  }

  @Test func `The bytes of all ids are bounded`() {
    var limits = EventIDTable.Limits()
    limits.bytes = 10
    var table = EventIDTable(limits: limits)
    for name in ["aaaa", "bbbb", "cccc"] { _ = table.number(of: id(name)) }
    #expect(table.count == 2)
    #expect(table.forgotten == 1)
    _ = table.number(of: id("0123456789ab"))
    #expect(table.count == 1)
  }

  @Test func `Contents are numbered under their id, up to a limit`() {
    var limits = EventIDTable.Limits()
    limits.revisions = 3
    var table = EventIDTable(limits: limits)
    let x = table.number(of: id("x"))
    let y = table.number(of: id("y"))
    #expect([11, 22, 11, 33, 44, 55, 22].map { table.revision(of: x, digest: $0) } == [1, 2, 1, 3, 4, 4, 2])
    #expect(table.revision(of: y, digest: 22) == 1)
    #expect(table.revision(of: 0, digest: 5) == 1)
    #expect(table.revision(of: 99, digest: 5) == 1)
  }
}
