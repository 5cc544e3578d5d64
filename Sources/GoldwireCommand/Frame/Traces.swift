package import GoldwireTrace

/// Reading and writing traces as verbs do, with errors and warnings in one line each.
package enum Traces {
  /// Opens a trace to be read line by line; `-` is standard input.
  package static func reader(_ path: String) throws(CommandError) -> TraceReader {
    do { return try TraceReader(ByteInput(path: path)) } catch { throw CommandError(error, in: path) }
  }

  /// The next line of a trace, or nil at its end.
  package static func next(_ reader: inout TraceReader, in path: String) throws(CommandError) -> TraceLine? {
    do { return try reader.next() } catch { throw CommandError(error, in: path) }
  }

  /// Reads a whole trace, and warns of what was torn or unknown.
  package static func load(_ path: String, _ console: Console) throws(CommandError) -> Trace {
    let trace: Trace
    do { trace = try Trace.load(path: path) } catch { throw CommandError(error, in: path) }
    try warn(path, isTorn: trace.isTorn, trace.skipped, console)
    return trace
  }

  /// Opens a trace to be written; `-` is the console's standard output.
  ///
  /// Throws before anything is changed where the file is `input`, by whatever name.
  package static func writer(
    _ path: String, _ console: Console, apartFrom input: FileIdentity? = nil,
    flushing: TraceWriter.Flushing = .whenFull
  ) throws(CommandError) -> TraceWriter {
    guard path != "-" else {
      try keep(input, apartFrom: path)
      let output = console.output
      return TraceWriter(flushing: flushing, send: { (bytes) throws(FileError) in try output.send(bytes) })
    }
    do throws(FileError) {
      return TraceWriter(to: try ByteOutput(path: path, apartFrom: input), flushing: flushing)
    } catch {
      throw CommandError(error)
    }
  }

  /// Refuses to write `path` where it is the file that is read.
  package static func keep(_ input: FileIdentity?, apartFrom path: String) throws(CommandError) {
    guard let input, input == FileIdentity(writing: path) else { return }
    throw CommandError(FileError(path: path, .overwrite, code: 0))
  }

  /// Puts a report of a run into a file, in the place of an older one.
  package static func put(_ text: String, to path: String) throws(CommandError) {
    do throws(FileError) { try AtomicFile.write(Array(text.utf8), to: path) } catch {
      throw CommandError(error)
    }
  }

  /// Warns of a torn end, and of lines and keys that this version does not know.
  package static func warn(
    _ path: String, isTorn: Bool, _ skipped: Trace.Skipped, _ console: Console
  ) throws(CommandError) {
    let name = path == "-" ? "standard input" : path
    if isTorn { try console.say("\(name): warning: the end is torn; it was read up to its last whole line") }
    guard let line = skipped.firstLine else { return }
    let unknown = [
      skipped.events > 0 ? "\(skipped.events) events" : nil, skipped.keys > 0 ? "\(skipped.keys) keys" : nil,
    ].compactMap(\.self).joined(separator: " and ")
    try console.say(
      "\(name):\(line): warning: \(unknown) of a newer version were passed over, the first here")
  }
}
