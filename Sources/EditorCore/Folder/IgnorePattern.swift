/// A line of a `.gitignore`.
struct IgnorePattern: Sendable {
  private enum Kind {
    /// A name without signs.
    case name
    /// `*` and a name's end without signs.
    case ending
    case glob
  }

  /// A pattern that takes more steps fits nothing.
  private static let mostSteps = 100_000
  private static let slash = UInt8(ascii: "/")

  /// What it fits is not ignored after all.
  let isNegated: Bool
  private let isForFolders: Bool
  /// It is for the path from the folder of its file; else for a name in any folder below.
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
    isForFolders = text.last == Self.slash
    if isForFolders { text.removeLast() }
    isForPath = text.contains(Self.slash)
    if text.first == Self.slash { text.removeFirst() }
    guard !text.isEmpty else { return nil }
    let isSign: (UInt8) -> Bool = { [0x2A, 0x3F, 0x5B, 0x5C].contains($0) }
    if !text.contains(where: isSign) {
      kind = .name
    } else if text[0] == UInt8(ascii: "*"), !isForPath, !text.dropFirst().contains(where: isSign) {
      kind = .ending
      text.removeFirst()
    } else {
      kind = .glob
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
    case .glob:
      var steps = Self.mostSteps
      return Self.match(text[...], subject, isAfterSlash: true, &steps)
    }
  }

  /// - Parameter isAfterSlash: What is before the rest of the pattern, or nothing is.
  private static func match(
    _ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, isAfterSlash: Bool = false, _ steps: inout Int
  ) -> Bool {
    steps -= 1
    guard steps > 0 else { return false }
    guard let sign = pattern.first else { return text.isEmpty }
    var rest = pattern.dropFirst()
    switch sign {
    case UInt8(ascii: "*"): return matchAny(pattern, text, isAlone: isAfterSlash, &steps)
    case UInt8(ascii: "?"):
      guard let byte = text.first, byte != slash else { return false }
      // All of a character.
      return match(rest, text.dropFirst().drop { $0 & 0xC0 == 0x80 }, &steps)
    case UInt8(ascii: "["):
      guard let (fits, behind) = set(rest, has: text.first) else { break }
      return fits && match(behind, text.dropFirst(), &steps)
    case UInt8(ascii: "\\"):
      guard let escaped = rest.popFirst() else { return false }
      return text.first == escaped && match(rest, text.dropFirst(), &steps)
    default: break
    }
    return text.first == sign && match(rest, text.dropFirst(), isAfterSlash: sign == slash, &steps)
  }

  /// One star stays within a name; `**` between slashes is any number of folders, at the end all that is inside.
  private static func matchAny(
    _ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, isAlone: Bool, _ steps: inout Int
  ) -> Bool {
    let behind = pattern.drop { $0 == UInt8(ascii: "*") }
    let crosses = behind.startIndex - pattern.startIndex == 2 && isAlone && (behind.isEmpty || behind.first == slash)
    if crosses, !behind.isEmpty {
      // No folder, or one and what is below.
      if match(behind.dropFirst(), text, isAfterSlash: true, &steps) { return true }
      guard let next = text.firstIndex(of: slash) else { return false }
      return match(pattern, text[(next + 1)...], isAfterSlash: true, &steps)
    }
    if crosses { return !text.isEmpty }
    var rest = text
    while true {
      if match(behind, rest, &steps) { return true }
      guard let byte = rest.popFirst(), byte != slash else { return false }
    }
  }

  /// Whether a byte is one of `[…]`, and what is behind; nil without the closing bracket.
  private static func set(_ pattern: ArraySlice<UInt8>, has byte: UInt8?) -> (Bool, ArraySlice<UInt8>)? {
    guard let end = pattern.dropFirst().dropFirst(isNegation(pattern.first) ? 1 : 0).firstIndex(of: UInt8(ascii: "]"))
    else { return nil }
    var members = pattern[..<end]
    let isNegated = isNegation(members.first)
    if isNegated { members.removeFirst() }
    guard let byte, byte != slash else { return (false, pattern[(end + 1)...]) }
    var fits = false
    while let first = members.popFirst() {
      if members.count > 1, members.first == UInt8(ascii: "-"), let last = members.dropFirst().first {
        members = members.dropFirst(2)
        if first <= byte, byte <= last { fits = true }
      } else if first == byte {
        fits = true
      }
    }
    return (fits != isNegated, pattern[(end + 1)...])
  }

  private static func isNegation(_ sign: UInt8?) -> Bool { sign == UInt8(ascii: "!") || sign == UInt8(ascii: "^") }
}
