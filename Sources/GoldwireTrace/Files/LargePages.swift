#if canImport(Glibc)
  internal import Glibc
#endif

extension Array {
  /// Asks the system to back a large array's room by large pages, where it does so on request.
  ///
  /// Each small page costs a fault when it is first written: for the lines of a large trace that took longer
  /// than to read them. It is advice, and changes nothing but time.
  mutating func adviseLargePages() {
    #if canImport(Glibc)
      let size = capacity &* MemoryLayout<Element>.stride
      guard size >= 1 << 23 else { return }
      unsafe withUnsafeMutableBufferPointer { elements in
        guard let base = UnsafeMutableRawPointer(elements.baseAddress) else { return }
        // Whole pages within the room alone, so that nothing else is touched.
        let first = unsafe base.alignedUp(toMultipleOf: 1 << 12)
        let last = unsafe (base + size).alignedDown(toMultipleOf: 1 << 12)
        _ = unsafe madvise(first, last - first, MADV_HUGEPAGE)
      }
    #endif
  }
}
