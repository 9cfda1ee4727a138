import Rope

/// What backspace deletes before a caret: one code point, so that combining marks come off one by one; but an emoji, a flag,
/// a keycap or a `\r\n` as a whole. The rules are Android's, which xi-core took over.
struct Backspace {
  private enum State {
    case start, lineFeed, oddFlag, evenFlag, keycap, selectorAndKeycap, modifier, selectorAndModifier, selector
    case emoji, joiner, selectorAndJoiner, tags, finished
  }

  private var state = State.start
  private var count = 1

  static func start(from offset: ByteOffset, in text: Rope) -> ByteOffset {
    var machine = Backspace()
    let end = Rope.Cursor(text, at: offset)
    var cursor = end
    while machine.state != .finished, let scalar = cursor.previousCodePoint() { machine.read(scalar) }
    cursor = end
    for _ in 0..<machine.count where cursor.previousCodePoint() == nil { break }
    return cursor.offset
  }

  private mutating func read(_ scalar: Unicode.Scalar) {
    switch state {
    case .start: state = Self.first(scalar)
    case .lineFeed: finish(adding: scalar == "\r" ? 1 : 0)
    case .oddFlag: scalar.isFlagLetter ? go(.evenFlag, adding: 1) : finish()
    case .evenFlag: scalar.isFlagLetter ? go(.oddFlag, adding: -1) : finish()
    case .keycap: scalar.isSelector ? go(.selectorAndKeycap) : finish(adding: scalar.isKeycapBase ? 1 : 0)
    case .selectorAndKeycap: finish(adding: scalar.isKeycapBase ? 2 : 0)
    case .modifier: readBeforeModifier(scalar)
    case .selectorAndModifier: finish(adding: scalar.properties.isEmojiModifierBase ? 2 : 0)
    case .selector: readBeforeSelector(scalar)
    case .emoji: scalar.isJoiner ? go(.joiner) : finish()
    case .joiner: readBeforeJoiner(scalar)
    case .selectorAndJoiner: scalar.properties.isEmoji ? go(.emoji, adding: 3) : finish()
    case .tags: readTag(scalar)
    case .finished: break
    }
  }

  private static func first(_ scalar: Unicode.Scalar) -> State {
    if scalar == "\n" { return .lineFeed }
    if scalar.isSelector { return .selector }
    if scalar.isFlagLetter { return .oddFlag }
    if scalar.properties.isEmojiModifier { return .modifier }
    if scalar.value == 0x20E3 { return .keycap }
    if scalar.properties.isEmoji { return .emoji }
    return scalar.value == 0xE007F ? .tags : .finished
  }

  private mutating func readBeforeModifier(_ scalar: Unicode.Scalar) {
    if scalar.isSelector { return go(.selectorAndModifier) }
    if scalar.properties.isEmojiModifierBase { go(.emoji, adding: 1) } else { finish() }
  }

  private mutating func readBeforeSelector(_ scalar: Unicode.Scalar) {
    if scalar.properties.isEmoji { return go(.emoji, adding: 1) }
    let isStarter = scalar.properties.canonicalCombiningClass == .notReordered
    finish(adding: !scalar.isSelector && isStarter ? 1 : 0)
  }

  private mutating func readBeforeJoiner(_ scalar: Unicode.Scalar) {
    if scalar.properties.isEmoji {
      go(scalar.properties.isEmojiModifier ? .modifier : .emoji, adding: 2)
    } else if scalar.isSelector {
      go(.selectorAndJoiner)
    } else {
      finish()
    }
  }

  private mutating func readTag(_ scalar: Unicode.Scalar) {
    if (0xE0020...0xE007E).contains(scalar.value) {
      count += 1
    } else if scalar.properties.isEmoji {
      finish(adding: 1)
    } else {
      count = 1
      finish()
    }
  }

  private mutating func go(_ next: State, adding more: Int = 0) {
    state = next
    count += more
  }

  private mutating func finish(adding more: Int = 0) { go(.finished, adding: more) }
}

extension Unicode.Scalar {
  fileprivate var isSelector: Bool { (0xFE00...0xFE0F).contains(value) || (0xE0100...0xE01EF).contains(value) }
  /// A regional indicator, two of which make a flag.
  var isFlagLetter: Bool { (0x1F1E6...0x1F1FF).contains(value) }
  var isJoiner: Bool { value == 0x200D }
  fileprivate var isKeycapBase: Bool { (0x30...0x39).contains(value) || self == "#" || self == "*" }
}
