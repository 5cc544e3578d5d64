import GoldwireFuzzing

/// What libFuzzer calls with each input; a property that does not hold ends the process, as a trap does.
@c(LLVMFuzzerTestOneInput) public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
  do throws(FuzzFinding) { try FuzzChoice.target.check(bytes) } catch {
    fatalError("\(FuzzChoice.target.rawValue): \(error)")
  }
  return 0
}
