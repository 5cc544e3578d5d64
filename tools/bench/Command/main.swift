import CaptureGenerator
import Foundation

let usage = """
  usage: capture-generator -o FILE [--truth FILE] [--connections N] [--seed N] [--target-mb N]
                           [--payload N] [--shuffle-ms N] [--drop SHARE] [--pcapng]

  Writes a capture of HTTP/1, WebSocket and event streams, the same for the same flags, and beside it
  FILE.truth.json: how many events of each kind a perfect reader finds in it.

    --payload N      mean size of a message in bytes (180)
    --shuffle-ms N   packets of different connections change places within N ms
    --drop SHARE     leave out this share of the packets: 0.01
    --pcapng         two interfaces: Ethernet in microseconds, raw IP in nanoseconds

  """

/// Ends with a message, as wrong usage or a file that cannot be written.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("capture-generator: \(message)\n".utf8))
  exit(2)
}

var options = GeneratorOptions()
var output: String?
var truthFile: String?
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  if word == "--pcapng" {
    options.isPcapng = true
    continue
  }
  if word == "--help" || word == "-h" {
    print(usage, terminator: "")
    exit(0)
  }
  guard let value = words.popFirst() else { fail("\(word) needs a value; see --help") }
  let number = Double(value) ?? -1
  let isFile = word == "-o" || word == "--truth"
  guard isFile || number >= 0 && number < 1e12 else { fail("\(word) needs a number, not '\(value)'") }
  switch word {
  case "-o": output = value
  case "--truth": truthFile = value
  case "--connections": options.connections = min(max(1, Int(number)), 100_000)
  case "--seed": options.seed = UInt64(number)
  case "--target-mb": options.targetBytes = Int(number * 1_000_000)
  case "--payload": options.payload = min(Int(number), 8_000)
  case "--shuffle-ms": options.shuffle = Int(number * 1_000)
  case "--drop": options.drop = Int(min(number, 1) * 1_000_000)
  default: fail("unknown flag '\(word)'; see --help")
  }
}
guard let output else { fail("-o FILE is missing; see --help") }

do {
  guard FileManager.default.createFile(atPath: output, contents: nil) else { fail("cannot write \(output)") }
  let file = try FileHandle(forWritingTo: URL(filePath: output))
  let truth = try CaptureGenerator.generate(options) { try file.write(contentsOf: Data($0)) }
  try file.close()
  try Data(truth.json(options).utf8).write(to: URL(filePath: truthFile ?? output + ".truth.json"))
} catch {
  fail("\(error.localizedDescription)")
}
