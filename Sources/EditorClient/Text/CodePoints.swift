import TextMetrics

/// What a cluster is made of, for the user.
struct CodePoints {
  private let scalars: [Unicode.Scalar]

  /// So many are told of; there are clusters of thousands.
  private static let most = 16

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// `U+0065 U+0301, decimal 101 769, UTF-8 65 CC 81`.
  var words: String {
    let told = scalars.prefix(Self.most)
    let names = told.map { "U+" + Self.hexadecimal($0.value, digits: 4) }.joined(separator: " ")
    let numbers = told.map { "\($0.value)" }.joined(separator: " ")
    let bytes = told.flatMap { Array(String($0).utf8) }.map { Self.hexadecimal(UInt32($0), digits: 2) }
    let rest = scalars.count - told.count
    return "\(names), decimal \(numbers), UTF-8 \(bytes.joined(separator: " "))"
      + (rest > 0 ? ", and \(rest) more code points" : "")
  }

  private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
  }
}

extension EditorView {
  /// What is at the caret, in words; nil where its line is not known.
  var codePointWords: String? {
    guard let line = cache[caret.line]?.line else { return nil }
    let column = caret.column - line.startColumn
    var found: String?
    metrics.forEachCluster(in: line.text.utf8Span) { cluster in
      guard cluster.byteOffset + cluster.byteCount > column else { return true }
      let start = line.text.utf8.index(line.text.startIndex, offsetBy: cluster.byteOffset)
      found = String(line.text[start..<line.text.utf8.index(start, offsetBy: cluster.byteCount)])
      return false
    }
    if let found { return CodePoints(found).words }
    let bytes = line.text.utf8.suffix(2)
    if bytes.elementsEqual([0x0D, 0x0A]) { return "Line end CRLF: \(CodePoints("\r\n").words)" }
    if bytes.last == 0x0A { return "Line end LF: \(CodePoints("\n").words)" }
    // A wrapped line goes on in the next row.
    guard caret.line + 1 < cache.count else { return "The end of the text" }
    guard let next = cache[caret.line + 1]?.line else { return nil }
    metrics.forEachCluster(in: next.text.utf8Span) { cluster in
      found = String(next.text.utf8.prefix(cluster.byteCount)) ?? ""
      return false
    }
    return found.map { CodePoints($0).words }
  }
}

extension Editor {
  func showCodePoint() {
    gate.whenCaretsAreKnown { [unowned self] in
      if let view { notices.show(view.codePointWords ?? "The core has not told yet what is there") }
    }
  }
}
