public import GoldwireTrace

/// A file that is held against another: a trace, or the actions of a golden file.
public enum DiffFile: Sendable {
  /// What happened.
  case trace(Trace)
  /// What a machine does.
  case actions(Golden)

  /// Reads a file; what ends in `.golden.jsonl`, or begins as a golden does, holds actions, `-` is a trace on standard
  /// input.
  ///
  /// Throws where it cannot be read, or is neither.
  public init(path: String) throws(ReplayError) {
    do {
      if path.hasSuffix(GoldenName.suffix) {
        self = .actions(try Golden(bytes: AtomicFile.read(path)))
        return
      }
      self = .trace(try Trace.load(path: path))
    } catch {
      guard path != "-", error is TraceError, let bytes = try? AtomicFile.read(path),
        bytes.starts(with: #"{"golden":"#.utf8)
      else { throw ReplayError(error, path: path) }
      do throws(ReplayError) { self = .actions(try Golden(bytes: bytes)) } catch {
        throw ReplayError(error, path: path)
      }
    }
  }

  /// The unit of its instants.
  var unit: Unit {
    switch self {
    case .trace(let trace): trace.header.unit
    case .actions(let golden): golden.header.unit
    }
  }

  /// What it is, in words.
  var kind: String {
    switch self {
    case .trace: "a trace"
    case .actions: "a file of actions"
    }
  }

  /// Its channels.
  public var channels: Set<Channel> {
    switch self {
    case .trace(let trace): Set(trace.lines.compactMap(\.channel))
    case .actions(let golden): Set(golden.lines.compactMap(\.channel))
    }
  }
}
