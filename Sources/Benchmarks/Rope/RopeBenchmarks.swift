import Glibc
import Rope

extension Harness {
  /// The rope alone: traces replayed, and scans of a large text.
  mutating func measureRope(traces paths: [String]) throws {
    let traces = try paths.isEmpty ? [EditingTrace(syntheticPatches: 40_000)] : paths.map(EditingTrace.init(path:))
    for trace in traces {
      let array = measureArray(trace)
      measure("rope: \(trace.name)", against: [("array", array)], setUp: { Rope(trace.start) }) { rope in
        for patch in trace.patches { rope.replay(patch) }
        precondition(rope == Rope(trace.end), "the replayed text differs")
      }
      measure("rope: \(trace.name), last snapshot kept", against: [("array", array)], setUp: { Rope(trace.start) }) {
        var snapshot = $0
        for patch in trace.patches {
          $0.replay(patch)
          snapshot = $0
        }
        consume(snapshot)
      }
      measure(
        "rope: \(trace.name), all snapshots kept", against: [("array", array)], setUp: { (Rope(trace.start), [Rope]()) }
      ) {
        for patch in trace.patches {
          $0.0.replay(patch)
          $0.1.append($0.0)
        }
      }
    }
    measureScans()
  }

  /// The same patches on an array of bytes: only for texts whose code points are mostly bytes is the position the same.
  private mutating func measureArray(_ trace: EditingTrace) -> Double? {
    measure("array: \(trace.name)", setUp: { trace.start }) { bytes in
      for patch in trace.patches where patch.range.upperBound <= bytes.count {
        bytes.replaceSubrange(patch.range, with: patch.text)
      }
    }
  }

  private mutating func measureScans() {
    lazy var text = Array(
      String(repeating: "The quick brown fox jumps over the lazy dog, again.\n", count: 2_000_000).utf8)
    let memchrTime = measure("memchr over 100 MB", setUp: {}) { _ in
      text.withUnsafeBytes { bytes in
        precondition(bytes.baseAddress.flatMap { memchr($0, 0, bytes.count) } == nil)
      }
    }
    measure("rope: build 100 MB", against: [("memchr", memchrTime)], setUp: {}) { _ in
      text.withUnsafeBytes { consume(Rope($0)) }
    }
    lazy var rope = text.withUnsafeBytes { Rope($0) }
    measure("rope: sum 100 MB by chunks", against: [("memchr", memchrTime)], setUp: {}) { _ in
      var lines = 0
      rope.forEachChunk(in: rope.fullRange) {
        lines += TextSummary(of: $0).newlines
        return true
      }
      precondition(lines == rope.summary.newlines)
    }
    measure("rope: start of a line in 100 MB", units: 1000, setUp: {}) { _ in
      for index in 0..<1000 { consume(rope.convert(LineNumber(index * 1999), to: ByteOffset.self)) }
    }
    measure("rope: text of a line in 100 MB", units: 1000, setUp: {}) { _ in
      for index in 0..<1000 { consume(rope.string(in: rope.range(ofLine: LineNumber(index * 1999)))) }
    }
    measure("rope: 100 000 edits by one delta in 100 MB", setUp: { rope }) { rope in
      var builder = Delta.Builder(baseByteCount: rope.byteCount)
      for index in 0..<100_000 {
        builder.replace(ByteOffset(index * 1000)..<ByteOffset(index * 1000 + 3), with: "fourth")
      }
      rope.apply(builder.build())
    }
  }
}

extension Rope {
  fileprivate mutating func replay(_ patch: EditingTrace.Patch) {
    patch.text.withUnsafeBytes {
      replace(CodePointOffset(patch.range.lowerBound)..<CodePointOffset(patch.range.upperBound), with: $0)
    }
  }
}
