import Foundation
import GoldwireTrace

// Reads a trace and checks every line, as a program that uses the library does; prints how many lines there are.
guard CommandLine.arguments.count == 2 else {
  FileHandle.standardError.write(Data("usage: trace-reader TRACE\n".utf8))
  exit(2)
}
do {
  var reader = try TraceReader(ByteInput(path: CommandLine.arguments[1]))
  var lines = 1
  var line = TraceLine(t: 0, event: .recTick)
  while try reader.read(into: &line) { lines += 1 }
  print(lines)
} catch {
  FileHandle.standardError.write(Data("trace-reader: \(error)\n".utf8))
  exit(2)
}
