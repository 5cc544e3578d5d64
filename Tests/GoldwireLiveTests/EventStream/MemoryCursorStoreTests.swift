import GoldwireLive
import Testing

@Suite struct MemoryCursorStoreTests {
  private static func effect(_ id: String, _ content: UInt64 = 1) -> StoredEffect {
    StoredEffect(id: Array(id.utf8), content: content, cursor: Array(id.utf8))
  }

  @Test func itForgetsTheOldestEffectsAndSaysSo() async throws {
    let store = MemoryCursorStore(cursor: "0", capacity: 2)
    #expect(await store.load().cursor == Array("0".utf8))
    for id in ["1", "2"] { #expect(try await store.handle(Self.effect(id)) { _ in } == .handled) }
    #expect(await store.forgotten == 0)
    #expect(try await store.handle(Self.effect("1")) { _ in } == .known(isConflict: false))
    #expect(try await store.handle(Self.effect("3", 7)) { _ in } == .handled)
    #expect(await store.forgotten == 1)
    #expect(try await store.handle(Self.effect("3", 8)) { _ in } == .known(isConflict: true))
    #expect(try await store.handle(Self.effect("1")) { _ in } == .handled, "it was forgotten")
    #expect(await store.cursor == "1")
  }

  @Test func aHandlerThatFailsKeepsNothing() async {
    struct Refused: Error {}
    let store = MemoryCursorStore()
    await #expect(throws: Refused.self) { try await store.handle(Self.effect("1")) { _ in throw Refused() } }
    #expect(await store.cursor == "")
    await store.move(to: Array("5".utf8))
    #expect(await store.cursor == "5")
  }
}
