import EditorProtocol

/// The bracket beside the caret and its partner. They are looked for in what is on the screen, so that they are there at once, also under
/// a key that the core has not answered.
extension EditorView {
  /// None where there are several carets, or something is selected.
  func bracketsAtCaret() -> [LineColumn] {
    guard regionCounts == nil, selections.count <= 1, selections.allSatisfy(\.isEmpty),
      viewport.lines.contains(caret.line),
      let line = cache[caret.line]?.line
    else { return [] }
    for column in [caret.column, caret.column - 1] {
      guard let byte = line.byte(at: column), let (partner, step) = Self.partner(of: byte) else { continue }
      let place = LineColumn(line: caret.line, column: column)
      if let other = find(partner, pairedWith: byte, from: place, step) { return [place, other] }
    }
    return []
  }

  private static func partner(of byte: UInt8) -> (UInt8, step: Int)? {
    switch byte {
    case UInt8(ascii: "("): (UInt8(ascii: ")"), 1)
    case UInt8(ascii: "["): (UInt8(ascii: "]"), 1)
    case UInt8(ascii: "{"): (UInt8(ascii: "}"), 1)
    case UInt8(ascii: ")"): (UInt8(ascii: "("), -1)
    case UInt8(ascii: "]"): (UInt8(ascii: "["), -1)
    case UInt8(ascii: "}"): (UInt8(ascii: "{"), -1)
    default: nil
    }
  }

  /// Goes over the text from the bracket at `place` on, or back; ends at a line that is not known as a whole.
  private func find(_ wanted: UInt8, pairedWith byte: UInt8, from place: LineColumn, _ step: Int) -> LineColumn? {
    var depth = 0
    var line = place.line
    while viewport.lines.contains(line), let shown = cache[line]?.line, shown.window == nil {
      let bytes = Array(shown.text.utf8)
      var column = line == place.line ? place.column : step > 0 ? 0 : bytes.count - 1
      while bytes.indices.contains(column) {
        if bytes[column] == byte { depth += 1 }
        if bytes[column] == wanted { depth -= 1 }
        // At the bracket itself it is 1.
        if depth == 0, bytes[column] == wanted { return LineColumn(line: line, column: column) }
        column += step
      }
      line += step
    }
    return nil
  }
}

extension CachedLine {
  fileprivate func byte(at column: Int) -> UInt8? {
    let utf8 = text.utf8
    guard window == nil, (0..<utf8.count).contains(column) else { return nil }
    return utf8[utf8.index(utf8.startIndex, offsetBy: column)]
  }
}
