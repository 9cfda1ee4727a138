/// What was typed to choose among texts: each of its words is to be found, letter by letter in their order, in any case.
package struct FuzzyQuery: Equatable, Sendable {
  /// More than this is not looked at.
  private static let (mostWords, longestWord) = (8, 64)

  /// The UTF-8 of each, folded.
  let words: [[UInt8]]

  package init(_ typed: String) {
    words = typed.split(separator: " ").prefix(Self.mostWords).map {
      Array(FuzzyFolding.folded(String($0)).prefix(Self.longestWord))
    }
  }

  package var isEmpty: Bool { words.isEmpty }

  /// How well a text fits, and which of its bytes are those of the query.
  package struct Match: Equatable, Sendable {
    package var score: Int
    /// Byte offsets into the text's UTF-8, in order, each once.
    package var offsets: [Int]
  }

  /// nil when one of the words is not in the text.
  package func match(_ text: String) -> Match? {
    let folded = FuzzyFolding.folded(text)
    let bonuses = FuzzyFolding.bonuses(of: Array(text.utf8))
    var (score, offsets) = (0, Set<Int>())
    for word in words {
      guard let match = FuzzyAlignment.best(of: word, in: folded, bonuses: bonuses) else { return nil }
      score += match.score
      offsets.formUnion(match.offsets)
    }
    return Match(score: score, offsets: offsets.sorted())
  }
}

/// How letters are compared: without regard to their case, where that does not change how many bytes they have.
enum FuzzyFolding {
  static func folded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes.map(folded) }
    return text.flatMap { character in
      let small = character.lowercased()
      return Array((small.utf8.count == character.utf8.count ? small : String(character)).utf8)
    }
  }

  static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// What a match at each byte is worth beyond its letter: at the start of words, of names in a path, of humps; most at the start of a
  /// file's own name.
  static func bonuses(of text: [UInt8]) -> [Int] {
    let lastSlash = text.lastIndex(of: 0x2F)
    return text.indices.map { index in
      guard index > 0 else { return 10 }
      let before = text[index - 1]
      if before == 0x2F { return index - 1 == lastSlash ? 14 : 10 }
      if !before.isWordByte { return text[index].isWordByte ? 8 : 0 }
      return before.isSmall && text[index].isCapital || !before.isDigit && text[index].isDigit ? 7 : 0
    }
  }
}

extension UInt8 {
  var isSmall: Bool { (0x61...0x7A).contains(self) }
  var isCapital: Bool { (0x41...0x5A).contains(self) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
  /// Letters and digits; what is not ASCII counts as a letter.
  var isWordByte: Bool { isSmall || isCapital || isDigit || self >= 0x80 }
}
