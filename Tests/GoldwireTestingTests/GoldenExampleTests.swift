// An example of docs/package.md, as it stands there; PackagePaperTests holds the two together.
import GoldwireTesting
import Testing

@Test func theClientDoesWhatItsGoldensSay() {
  let check = TraceCheck.goldens("Traces")
  #expect(check.isSame, "\(check)")
}
