/// A rule of an RFC that bytes on the wire broke, named by document and section.
///
/// The raw value is what a trace's `rule` holds.
public enum ProtocolRule: String, CaseIterable, Sendable {
  /// Message parsing: a bare CR or a NUL in a head, white space before the first field line.
  case httpMessage = "rfc9112-2.2"
  /// The version: a minor version that is not one digit.
  case httpVersion = "rfc9112-2.3"
  /// The request line: bytes where a request must start that are no request line.
  case httpRequestLine = "rfc9112-3"
  /// The request target: white space in it, or a missing or repeated Host.
  case httpTarget = "rfc9112-3.2"
  /// The status line: bytes where a response must start that are none, or a status that is not three digits.
  case httpStatusLine = "rfc9112-4"
  /// A field line without a name or a colon.
  case httpField = "rfc9112-5"
  /// White space between a field's name and its colon.
  case httpFieldName = "rfc9112-5.1"
  /// A folded field line.
  case httpFold = "rfc9112-5.2"
  /// A Transfer-Encoding where it must not be: in HTTP/1.0, a 1xx or 204 response; chunked more than once.
  case httpTransferCoding = "rfc9112-6.1"
  /// The length of a message: two framings, differing lengths, a request whose last coding is not chunked.
  case httpLength = "rfc9112-6.3"
  /// The chunked coding: a size that is no number or too large, data that is not ended by a line end.
  case httpChunk = "rfc9112-7.1"
  /// A Content-Length that is not a list of one and the same whole number.
  case httpContentLength = "rfc9110-8.6"
  /// A switch of protocols that was not asked for.
  case httpUpgrade = "rfc9110-7.8"

  /// The opening handshake: an answer with an extension that was not offered, frames before the answer.
  case wsHandshake = "rfc6455-4.1"
  /// Masking: a client's frame without a mask, a server's with one.
  case wsMasking = "rfc6455-5.1"
  /// Framing: reserved bits or opcodes, a length that is too large or not in its shortest form.
  case wsFraming = "rfc6455-5.2"
  /// Fragmentation: a continuation of nothing, a new message inside another.
  case wsFragmentation = "rfc6455-5.4"
  /// Control frames: fragmented, or more than 125 bytes.
  case wsControl = "rfc6455-5.5"
  /// The close frame: a body of one byte, data after it.
  case wsClose = "rfc6455-5.5.1"
  /// Close codes that must not be sent: 1004, 1005, 1006, 1015.
  case wsCloseCode = "rfc6455-7.4.1"
  /// Close codes that nobody may use: below 1000, unassigned ones below 3000, 5000 and above.
  case wsCloseRange = "rfc6455-7.4.2"
  /// Text, or a close reason, that is not UTF-8.
  case wsUTF8 = "rfc6455-8.1"
  /// Compression: the bit on a frame that does not start a message.
  case wsCompressedBit = "rfc7692-6"
  /// The parameters of permessage-deflate: unknown, repeated, or out of range.
  case wsDeflateParameters = "rfc7692-7.1"
  /// A compressed message that cannot be inflated.
  case wsInflate = "rfc7692-7.2.2"
}
