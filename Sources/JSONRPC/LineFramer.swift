import Glibc

/// Cuts a stream of bytes into lines. Lines that lie whole in what is received are not copied.
struct LineFramer {
  enum Line {
    /// Without its newline; valid during the call.
    case complete(UnsafeBufferPointer<UInt8>)
    /// Longer than the limit, and dropped but for its first bytes; valid during the call.
    case oversized(start: UnsafeBufferPointer<UInt8>)
  }

  /// In bytes, without the newline.
  let lengthLimit: Int
  private var partial: [UInt8] = []
  private var isSkipping = false
  /// How much of a line that is dropped can tell what it was.
  private static let keptByteCount = 64

  init(lengthLimit: Int) { self.lengthLimit = lengthLimit }

  /// Whether the stream stands in the middle of a line.
  var hasPartialLine: Bool { isSkipping || !partial.isEmpty }

  /// - Parameter body: Called for each line that ends in `chunk`, in order, until it answers false.
  mutating func receive(_ chunk: UnsafeBufferPointer<UInt8>, _ body: (Line) -> Bool) {
    var rest = chunk
    while let length = Self.lengthOfFirstLine(in: rest) {
      let line = UnsafeBufferPointer(rebasing: rest[..<length])
      rest = UnsafeBufferPointer(rebasing: rest[(length + 1)...])
      guard finishLine(with: line, body) else { return }
    }
    keep(rest)
  }

  private static func lengthOfFirstLine(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = bytes.baseAddress, let newline = memchr(base, 0x0A, bytes.count) else { return nil }
    return UnsafeRawPointer(newline) - UnsafeRawPointer(base)
  }

  private mutating func finishLine(with end: UnsafeBufferPointer<UInt8>, _ body: (Line) -> Bool) -> Bool {
    if isSkipping || partial.count + end.count > lengthLimit {
      let start = isSkipping ? partial : firstBytes(and: end)
      partial = []
      isSkipping = false
      return start.withUnsafeBufferPointer { body(.oversized(start: $0)) }
    }
    guard !partial.isEmpty else { return body(.complete(end)) }
    partial.append(contentsOf: end)
    defer { partial = [] }
    return partial.withUnsafeBufferPointer { body(.complete($0)) }
  }

  private func firstBytes(and more: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    Array((partial.prefix(Self.keptByteCount) + more.prefix(Self.keptByteCount)).prefix(Self.keptByteCount))
  }

  private mutating func keep(_ start: UnsafeBufferPointer<UInt8>) {
    if isSkipping { return }
    if partial.count + start.count > lengthLimit {
      partial = firstBytes(and: start)
      isSkipping = true
    } else {
      partial.append(contentsOf: start)
    }
  }
}
