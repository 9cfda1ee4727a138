import EditorProtocol

/// Keys at which a core that edits code may do more than the plain thing: an indentation changes, or a pair comes, or goes.
extension CaretLine {
  func mayDoMore(_ key: PlainKey) -> Bool {
    switch key {
    case .insert(let text): text.unicodeScalars.first.map(mayDoMore(typing:)) ?? true
    case .deleteBackward: before.first.map { CodePair.closing($0) == behind.first && behind.first != nil } ?? false
    case .left, .right, .up, .down: false
    }
  }

  private func mayDoMore(typing scalar: Unicode.Scalar) -> Bool {
    // Before a letter no pair is made, and nothing is typed over.
    if CodePair.closing(scalar) != nil { return behind.first.map { !$0.isWord } ?? true }
    if CodePair.isClosing(scalar) { return behind.first == scalar || before.allSatisfy(\.isBlank) }
    guard scalar.isWord else { return false }
    let word = before.prefix(while: \.isWord)
    guard word.count < 20, before.count > word.count, before.dropFirst(word.count).allSatisfy(\.isBlank) else {
      return false
    }
    var text = String(String.UnicodeScalarView(word.reversed())).lowercased()
    if DedentingWords.all.contains(text) { return true }
    text.unicodeScalars.append(scalar)
    return DedentingWords.all.contains(text.lowercased())
  }
}

/// What a core may close of itself.
private enum CodePair {
  static func closing(_ opening: Unicode.Scalar) -> Unicode.Scalar? {
    switch opening {
    case "(": ")"
    case "[": "]"
    case "{": "}"
    case "\"", "'", "`": opening
    default: nil
    }
  }

  static func isClosing(_ scalar: Unicode.Scalar) -> Bool { scalar == ")" || scalar == "]" || scalar == "}" }
}

extension Unicode.Scalar {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
  fileprivate var isWord: Bool {
    self == "_" || value >= 0x80 || properties.isAlphabetic || (0x30...0x39).contains(value)
  }
}
