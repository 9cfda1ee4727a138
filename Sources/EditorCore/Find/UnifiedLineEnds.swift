import Glibc

/// Bytes of a text in which each line end `\r\n` is a mere `\n`, as patterns have it, and where they stand in that text.
struct UnifiedLineEnds {
  private(set) var bytes: [UInt8] = []
  /// Where those newlines are in `bytes` whose return was left out.
  private var shortened: [Int] = []

  /// O(bytes).
  init(_ text: [UInt8]) {
    text.withUnsafeBytes { text in
      guard let base = text.baseAddress else { return }
      var copied = 0
      var next = 0
      while let found = memchr(base + next, 0x0D, text.count - next) {
        next = UnsafeRawPointer(found) - base + 1
        guard next < text.count, text[next] == 0x0A else { continue }
        bytes += text[copied..<(next - 1)]
        shortened.append(bytes.count)
        copied = next
      }
      if copied > 0 { bytes += text[copied...] }
    }
    if shortened.isEmpty { bytes = text }
  }

  /// Where in the text something begins or ends that does so in `bytes`: before all of a line end, not within. O(log n).
  func offsetInText(of offset: Int) -> Int { offset + countShortened { shortened[$0] < offset } }

  /// The other way round.
  func offset(ofText offset: Int) -> Int { offset - countShortened { shortened[$0] + $0 < offset } }

  func rangeInText(of range: Range<Int>) -> Range<Int> {
    offsetInText(of: range.lowerBound)..<offsetInText(of: range.upperBound)
  }

  private func countShortened(_ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, shortened.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
