import GoldwireProtocols
import Testing

/// The negotiation of extensions.
@Suite struct WebSocketExtensionsTests {
  private func read(_ lines: String...) -> WebSocketExtensions {
    var extensions = WebSocketExtensions()
    for line in lines { extensions.add(Array(line.utf8).span) }
    return extensions
  }

  @Test("All parameters") func all() {
    let found = read(
      "permessage-deflate; server_no_context_takeover;client_no_context_takeover ;"
        + " server_max_window_bits = 10; client_max_window_bits=\"15\"")
    #expect(found.broken == nil)
    #expect(found.deflate?.serverNoContextTakeover == true && found.deflate?.clientNoContextTakeover == true)
    #expect(found.deflate?.serverWindowBits == 10 && found.deflate?.clientWindowBits == 15)
    #expect(found.deflate?.startsAfresh(.server) == true && found.deflate?.startsAfresh(.client) == true)
  }

  @Test("Who starts afresh is told apart") func afresh() {
    let found = read("permessage-deflate; server_no_context_takeover")
    #expect(found.deflate?.startsAfresh(.server) == true && found.deflate?.startsAfresh(.client) == false)
  }

  @Test("The first offer of several, over several lines") func several() {
    let found = read("x-a; y=1, Permessage-Deflate; client_max_window_bits", "permessage-deflate", "")
    #expect(found.deflate?.clientWindowBits == 0)
    #expect(found.deflateCount == 2 && found.others == 1 && found.broken == nil)
  }

  @Test(
    "Parameters that are unknown, repeated, without need of a value or out of range",
    arguments: [
      "x", "server_no_context_takeover=1", "server_max_window_bits", "server_max_window_bits=7",
      "server_max_window_bits=16", "server_max_window_bits=08", "client_max_window_bits=x",
      "client_max_window_bits=\"\"",
      "server_no_context_takeover; server_no_context_takeover", "server_max_window_bits=99999999999999999999",
    ])
  func broken(_ parameter: String) {
    let found = read("permessage-deflate; " + parameter)
    #expect(found.deflate == nil && found.broken == .wsDeflateParameters)
  }

  @Test("An answer must fit its offer") func answers() {
    let offer = read("permessage-deflate")
    #expect(read().broken(asAnswerTo: offer) == nil)
    #expect(read("permessage-deflate; server_max_window_bits=9").broken(asAnswerTo: offer) == nil)
    #expect(read("permessage-deflate").broken(asAnswerTo: read()) == .wsHandshake)
    #expect(read("x-new").broken(asAnswerTo: offer) == .wsHandshake)
    #expect(read("permessage-deflate, permessage-deflate").broken(asAnswerTo: offer) == .wsDeflateParameters)
    #expect(
      read("permessage-deflate; client_max_window_bits=9").broken(asAnswerTo: offer) == .wsDeflateParameters)
    #expect(read("permessage-deflate; q").broken(asAnswerTo: offer) == .wsDeflateParameters)
  }
}
