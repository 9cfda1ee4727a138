import Rope

/// Words as xi-core has them: runs of one class of characters.
enum WordClass {
  case newline, space, punctuation, other

  init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x0A: self = .newline
    case 0...0x20: self = .space
    case 0x21...0x7E where !scalar.isASCIIWordCharacter: self = .punctuation
    default: self = .other
    }
  }

  struct Boundary: OptionSet {
    let rawValue: Int
    static let start = Boundary(rawValue: 1)
    static let end = Boundary(rawValue: 2)
  }

  /// What lies between two characters.
  static func boundary(_ previous: WordClass, _ next: WordClass) -> Boundary {
    switch (previous, next) {
    case (.newline, _), (_, .newline): [.start, .end]
    case (.space, .other), (.space, .punctuation), (.punctuation, .other): .start
    case (.other, .space), (.punctuation, .space), (.other, .punctuation): .end
    default: []
    }
  }

  /// The same at the place that was pointed at: blanks and punctuation do not end each other there.
  static func boundaryPointedAt(_ previous: WordClass, _ next: WordClass) -> Boundary {
    switch (previous, next) {
    case (.newline, .other): .start
    case (.other, .newline): .end
    case (.newline, .space), (.space, .newline), (.newline, .punctuation), (.punctuation, .newline),
      (.space, .punctuation), (.punctuation, .space):
      []
    default: boundary(previous, next)
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isASCIIWordCharacter: Bool {
    switch value {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}

extension Rope.Cursor {
  /// The class of the character behind, which is passed over: of a `\r\n` as one.
  fileprivate mutating func nextWordClass() -> WordClass? {
    guard let next = nextCodePoint() else { return nil }
    guard next == "\r" else { return WordClass(next) }
    var behind = self
    guard behind.nextCodePoint() == "\n" else { return .space }
    self = behind
    return .newline
  }

  /// The same of the character before.
  fileprivate mutating func previousWordClass() -> WordClass? {
    guard let previous = previousCodePoint() else { return nil }
    guard previous == "\n" else { return WordClass(previous) }
    var before = self
    if before.previousCodePoint() == "\r" { self = before }
    return .newline
  }
}

extension Rope {
  /// The start of the word before `offset`, between clusters; nil at the start of the text.
  /// - Parameter known: A place before, and what was found for that: the walk ends there if it is in the same word.
  func wordStart(before offset: ByteOffset, knowing known: (place: ByteOffset, result: ByteOffset)? = nil)
    -> ByteOffset?
  {
    var cursor = Cursor(self, at: offset)
    guard var last = cursor.previousWordClass() else { return nil }
    var candidate = cursor.offset
    while let previous = cursor.previousWordClass() {
      if WordClass.boundary(previous, last).contains(.start) { break }
      if let known, known.place == candidate { return known.result }
      candidate = cursor.offset
      last = previous
    }
    return graphemeBoundary(atOrBefore: candidate)
  }

  /// The end of the word after `offset`, between clusters; nil at the end of the text.
  func wordEnd(after offset: ByteOffset) -> ByteOffset? {
    var cursor = Cursor(self, at: offset)
    return cursor.wordEnd(after: offset)
  }

  /// The word around `offset`, which is between clusters: what a double click selects.
  func wordRange(around offset: ByteOffset) -> Range<ByteOffset> {
    var cursor = Cursor(self, at: offset)
    return cursor.wordRange(around: offset)
  }
}

/// The same for many places near each other. All of them move the cursor.
extension Rope.Cursor {
  mutating func wordEnd(after offset: ByteOffset) -> ByteOffset? {
    move(to: offset)
    guard var last = nextWordClass() else { return nil }
    var candidate = self.offset
    while let next = nextWordClass() {
      if WordClass.boundary(last, next).contains(.end) { break }
      candidate = self.offset
      last = next
    }
    return graphemeBoundary(atOrAfter: candidate)
  }

  mutating func wordRange(around offset: ByteOffset) -> Range<ByteOffset> {
    move(to: offset)
    let next = nextWordClass()
    let behind = self.offset
    move(to: offset)
    let previous = previousWordClass()
    var (start, end) = (offset, offset)
    let boundary = previous.flatMap { previous in next.map { WordClass.boundaryPointedAt(previous, $0) } }
    if let previous, boundary?.contains(.start) != true { start = wordStart(behind: previous, pointedAt: boundary) }
    if let next, boundary?.contains(.end) != true {
      move(to: behind)
      end = wordEnd(before: next, pointedAt: boundary)
    }
    return graphemeBoundary(atOrBefore: start)..<graphemeBoundary(atOrAfter: end)
  }

  /// - Parameters:
  ///   - first: The class of the character behind the cursor, which is of the word.
  ///   - pointedAt: The boundary where one pointed; nil at an end of the text.
  private mutating func wordStart(behind first: WordClass, pointedAt: WordClass.Boundary?) -> ByteOffset {
    var last = first
    var start = offset
    while let previous = previousWordClass() {
      let boundary = WordClass.boundary(previous, last)
      if pointedAt == [] ? boundary != [] : boundary.contains(.start) { break }
      start = offset
      last = previous
    }
    return start
  }

  /// - Parameter first: The class of the character before the cursor, which is of the word.
  private mutating func wordEnd(before first: WordClass, pointedAt: WordClass.Boundary?) -> ByteOffset {
    var last = first
    var end = offset
    while let next = nextWordClass() {
      let boundary = WordClass.boundary(last, next)
      if pointedAt == [] ? boundary != [] : boundary.contains(.end) { break }
      end = offset
      last = next
    }
    return end
  }
}
