import Rope

/// What was indented without being asked for, in one state of the text: what the user does next tells whether it was wanted.
struct AutomaticIndentation {
  /// The line of a word that stands a step to the left since its last letter: it may be the beginning of another one.
  struct DedentedLine {
    let blanks: Range<ByteOffset>
    let before: [UInt8]
  }

  /// Of lines that hold nothing else: Enter has put them in.
  private(set) var blanks: [Range<ByteOffset>] = []
  private var blanksRevision = 0
  private var dedentedLine: (revision: Int, line: DedentedLine)?

  mutating func note(blanks: [Range<ByteOffset>], at revision: Int) {
    (self.blanks, blanksRevision) = (blanks, revision)
  }

  mutating func forgetBlanks() { blanks = [] }

  /// Forgets them if the text is another one.
  mutating func blanks(at revision: Int) -> [Range<ByteOffset>] {
    if revision != blanksRevision { blanks = [] }
    return blanks
  }

  mutating func note(_ line: DedentedLine, at revision: Int) { dedentedLine = (revision, line) }

  /// - Returns: Nil if the text is another one.
  mutating func takeDedentedLine(at revision: Int) -> DedentedLine? {
    guard let (known, line) = dedentedLine, known == revision else { return nil }
    dedentedLine = nil
    return line
  }
}
