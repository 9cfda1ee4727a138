import Rope

extension Delta {
  /// The same change of a text that goes on behind its end.
  func extended(by byteCount: Int) -> Delta {
    guard byteCount > 0 else { return self }
    let end = ByteOffset(baseByteCount)
    let extended = Delta(
      baseByteCount: baseByteCount + byteCount, elements: elements + [.copy(end..<(end + byteCount))])
    // Copies that were in order still are.
    return extended ?? self
  }
}
