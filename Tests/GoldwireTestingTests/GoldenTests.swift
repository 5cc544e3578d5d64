// An example of docs/package.md, as it stands there; PackagePaperTests holds the two together.
import GoldwireTesting
import XCTest

final class GoldenTests: XCTestCase {
  func testTheClientDoesWhatItsGoldensSay() {
    let check = TraceCheck.goldens("Traces")
    XCTAssert(check.isSame, "\(check)")
  }
}
