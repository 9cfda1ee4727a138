import JSON

/// What is told of the lines beside them.
enum LineNumbers: String {
  case absolute
  /// How far each is from the caret's; that has its own number.
  case relative
  case off

  /// From the setting `line_numbers`, of which `true` and `false` are older names.
  init(_ setting: JSONValue) {
    switch setting {
    case .bool(let isShown): self = isShown ? .absolute : .off
    default: self = setting.string.flatMap(Self.init) ?? .absolute
    }
  }
}

extension Screen {
  /// Shows the numbers in the way that was shown last, or none.
  func toggleLineNumbers() { use(lineNumbers == .off ? numbersBefore : .off) }

  func toggleRelativeNumbers() { use(lineNumbers == .relative ? .absolute : .relative) }

  func use(_ numbers: LineNumbers) {
    if lineNumbers != .off { numbersBefore = lineNumbers }
    lineNumbers = numbers
    needsDisplay = true
  }
}

extension EditorView {
  /// From which number others are counted; nil where they are told as they are, or the caret's own is not known.
  func origin(of numbers: LineNumbers) -> Int? {
    guard numbers == .relative else { return nil }
    return wraps ? logicalNumber(ofLine: caret.line) : caret.line + 1
  }
}

extension Int {
  /// The number of a line as it is shown.
  func counted(from origin: Int?) -> Int {
    guard let origin, origin != self else { return self }
    return abs(self - origin)
  }
}
