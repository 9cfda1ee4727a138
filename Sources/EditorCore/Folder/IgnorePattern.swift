/// A line of a `.gitignore`.
struct IgnorePattern: Sendable {
  private enum Kind {
    /// A name without signs.
    case name
    /// `*` and a name's end without signs.
    case ending
    case glob(PathPattern)
  }

  /// A pattern that takes more steps fits nothing.
  private static let mostSteps = 100_000

  /// The line begins with `!`: what it matches is not ignored, whatever lines above it say.
  let isNegated: Bool
  private let isForFolders: Bool
  /// It is matched with the path from the folder of its file; else with the name alone, in any folder below.
  private let isForPath: Bool
  private let kind: Kind
  private let text: [UInt8]

  /// nil for a line that says nothing: empty, or a comment.
  init?(_ line: some Sequence<UInt8>) {
    var text = Array(line)
    if text.last == 0x0D { text.removeLast() }
    while text.last == 0x20, text.dropLast().last != UInt8(ascii: "\\") { text.removeLast() }
    guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
    isNegated = first == UInt8(ascii: "!")
    if isNegated { text.removeFirst() }
    isForFolders = text.last == PathPattern.slash
    if isForFolders { text.removeLast() }
    isForPath = text.contains(PathPattern.slash)
    if text.first == PathPattern.slash { text.removeFirst() }
    guard !text.isEmpty else { return nil }
    let isSign: (UInt8) -> Bool = { [0x2A, 0x3F, 0x5B, 0x5C].contains($0) }
    if !text.contains(where: isSign) {
      kind = .name
    } else if text[0] == UInt8(ascii: "*"), !isForPath, !text.dropFirst().contains(where: isSign) {
      kind = .ending
      text.removeFirst()
    } else {
      guard let pattern = Self.glob(text) else { return nil }
      kind = .glob(pattern)
    }
    self.text = text
  }

  /// - Parameters:
  ///   - path: From the folder of the file that has the line.
  ///   - name: The last part of it.
  func matches(_ path: ArraySlice<UInt8>, name: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
    if isForFolders, !isFolder { return false }
    let subject = isForPath ? path : name
    switch kind {
    case .name: return subject.elementsEqual(text)
    case .ending: return subject.count >= text.count && subject.suffix(text.count).elementsEqual(text)
    case .glob(let pattern):
      var budget = Budget(Self.mostSteps)
      return pattern.matches(subject, &budget)
    }
  }

  /// Nil for one that fits nothing.
  private static func glob(_ text: [UInt8]) -> PathPattern? {
    guard text.count <= PathPattern.longest else { return nil }
    var pattern = PathPattern()
    var (rest, isAfterSlash) = (text[...], true)
    while let sign = rest.popFirst() {
      let wasAfterSlash = isAfterSlash
      isAfterSlash = false
      switch sign {
      case UInt8(ascii: "*"):
        let count = rest.prefix { $0 == sign }.count + 1
        rest = rest.dropFirst(count - 1)
        isAfterSlash = addAny(to: &pattern, rest.first, isAlone: count == 2 && wasAfterSlash)
        if isAfterSlash { rest.removeFirst() }
      case UInt8(ascii: "?"): pattern.steps.append(.character)
      case UInt8(ascii: "["): pattern.steps.append(set(&rest) ?? .byte(sign))
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        pattern.steps.append(.byte(escaped))
      default:
        isAfterSlash = sign == PathPattern.slash
        pattern.steps.append(.byte(sign))
      }
    }
    return pattern
  }

  /// Adds what stars match: `*` a part of a name; `**/` any number of folders, also none; `**` at the end all that is in a folder.
  ///
  /// - Parameters:
  ///   - next: The byte behind the stars; nil at the end.
  ///   - isAlone: They are two, behind a slash or at the start.
  /// - Returns: Whether the slash behind them belongs to what was added.
  private static func addAny(to pattern: inout PathPattern, _ next: UInt8?, isAlone: Bool) -> Bool {
    guard isAlone, next == nil || next == PathPattern.slash else {
      pattern.steps.append(.any(acrossFolders: false))
      return false
    }
    if next == nil {
      pattern.steps += [.character, .any(acrossFolders: true)]
      return false
    }
    let start = pattern.steps.count
    // No folder, or one and what is below.
    pattern.steps += [
      .either([start + 4, start + 1]), .any(acrossFolders: false), .byte(PathPattern.slash), .either([start]),
    ]
    return true
  }

  /// One of `[…]`; nil without the closing bracket.
  private static func set(_ rest: inout ArraySlice<UInt8>) -> PathPattern.Step? {
    let isNegated = isNegation(rest.first)
    guard let end = rest.dropFirst(isNegated ? 2 : 1).firstIndex(of: UInt8(ascii: "]")) else { return nil }
    let members = ByteSet(rest[..<end].dropFirst(isNegated ? 1 : 0), without: PathPattern.slash)
    rest = rest[(end + 1)...]
    return .oneOf(isNegated ? members.inverted(without: PathPattern.slash) : members, ofCharacter: false)
  }

  private static func isNegation(_ sign: UInt8?) -> Bool { sign == UInt8(ascii: "!") || sign == UInt8(ascii: "^") }
}
