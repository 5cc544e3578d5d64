internal import Foundation
public import GoldwireReplay
public import GoldwireTrace

/// What came of holding traces against their goldens, or a driver against its machine; made for the tests of an app.
///
///     // Swift Testing
///     let check = TraceCheck.goldens("Traces")
///     #expect(check.isSame, "\(check)")
///
///     // XCTest
///     let check = TraceCheck.goldens("Traces")
///     XCTAssert(check.isSame, "\(check)")
///
/// Nothing is ever written: the words of a failure say how to accept what is new. The library imports no test framework,
/// so that it links into any target.
public struct TraceCheck: Sendable, CustomStringConvertible {
  /// Everything is as expected.
  public let isSame: Bool
  /// How it came out, as the command's exit status.
  public let status: TestStatus
  /// What differs, each difference with the line of the trace that caused it, in words.
  public let description: String

  /// Holds a folder of traces, or one trace or golden, against the goldens beside them: what `goldwire test` does.
  ///
  /// A relative path begins in the folder of the test's own file. `allowsInconclusive` lets pass what cannot be told,
  /// and says so.
  public static func goldens(
    _ path: String, beside file: String = #filePath, allowsInconclusive: Bool = false
  ) -> TraceCheck {
    let options = TestOptions(paths: [resolved(path, file)], allowsInconclusive: allowsInconclusive)
    do throws(ReplayError) {
      let run = try TestRun(options)
      let warnings = run.warnings.map { $0 + "\n" }.joined()
      return TraceCheck(run.status, run.text(isVerbose: true) + warnings)
    } catch {
      return TraceCheck(.failed, error.description)
    }
  }

  /// Holds a recorded client against its machine: what `goldwire conform` does.
  ///
  /// The parameters are those that the trace's header says were in force. A relative path begins in the folder of the
  /// test's own file.
  public static func conformance(
    _ path: String, _ machine: MachineName, beside file: String = #filePath
  ) -> TraceCheck {
    do {
      return conformance(of: try Trace.load(path: resolved(path, file)), machine)
    } catch {
      return TraceCheck(.failed, "\(path): \(error)")
    }
  }

  /// Holds the client of a trace in memory against its machine.
  public static func conformance(of trace: Trace, _ machine: MachineName) -> TraceCheck {
    do throws(ReplayError) {
      let parameters = try MachineParameters(machine, trace.header.inForce?[machine] ?? [:])
      let conformance = try Conformance(trace, parameters)
      return TraceCheck(conformance.status, conformance.text())
    } catch {
      return TraceCheck(.failed, error.description)
    }
  }

  private init(_ status: TestStatus, _ description: String) {
    isSame = status == .expected
    self.status = status
    self.description = description
  }

  private static func resolved(_ path: String, _ file: String) -> String {
    if path.hasPrefix("/") { return path }
    return URL(filePath: file).deletingLastPathComponent().appending(path: path).path
  }
}
