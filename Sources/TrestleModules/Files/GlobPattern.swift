import Trestle

/// Patterns for paths: `*`, `**`, `?`, `[a-z]`, `[!a-z]`, `{one,two}`, `\` before a sign.
///
/// All places in them that a path may have come to are followed at once: a path takes time that grows with its length and with theirs, whatever
/// is in them, and what is below a folder is known to fit nothing as soon as no place is left.
struct GlobPattern: Sendable {
  private enum Step: Sendable {
    /// A sign. The dot of a hidden name has to stand where a name starts in the pattern, too.
    case scalar(Unicode.Scalar, startsName: Bool)
    /// A sign that is in one of the ranges, or in none; never a slash.
    case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    /// Any number of signs.
    case any(acrossFolders: Bool)
    /// Any number of folders, each with its slash. The step behind it goes through the name of one.
    case folders
    case folderName
    case fork([Int])
    case end
  }

  private var steps: [(step: Step, next: Int)] = []
  /// When a step was come to last.
  private var marks: [Int] = []
  private var time = 0
  private let findsHidden: Bool
  /// Before the first sign of a path.
  private(set) var start: [Int] = []

  /// In bytes, of all together.
  private static let longest = 1 << 16

  /// - Parameter findsHidden: the dot at the start of a name is a sign like others; else it is fit by a dot alone.
  init(_ patterns: [String], findsHidden: Bool) throws(BridgeError) {
    self.findsHidden = findsHidden
    guard patterns.reduce(0, { $0 + $1.utf8.count }) <= Self.longest else {
      throw BridgeError(.limit, "Files.glob: the patterns are longer than \(Self.longest >> 10) KB")
    }
    var starts: [Int] = []
    for pattern in patterns {
      var reader = GlobReader(pattern)
      let (parts, end) = (try reader.readAll(), add(.end))
      starts.append(add(parts, next: end))
    }
    marks = Array(repeating: 0, count: steps.count)
    time = 1
    var start: [Int] = []
    for place in starts { come(to: place, &start) }
    self.start = start
  }

  private mutating func add(_ step: Step, next: Int = 0) -> Int {
    steps.append((step, next))
    return steps.count - 1
  }

  /// - Returns: the place before them.
  private mutating func add(_ parts: [GlobReader.Part], next: Int) -> Int {
    parts.reversed().reduce(next) { next, part in
      switch part {
      case .scalar(let scalar, let startsName): return add(.scalar(scalar, startsName: startsName), next: next)
      case .oneOf(let ranges, let isNegated): return add(.oneOf(ranges, isNegated: isNegated), next: next)
      case .any(let acrossFolders): return add(.any(acrossFolders: acrossFolders), next: next)
      case .folders:
        let folders = add(.folders, next: next)
        _ = add(.folderName, next: folders)
        return folders
      case .either(let choices):
        let starts = choices.map { add($0, next: next) }
        return add(.fork(starts))
      }
    }
  }

  // MARK: Following a path

  func isEnd(_ places: [Int]) -> Bool {
    places.contains { if case .end = steps[$0].step { true } else { false } }
  }

  /// From places before a name, or a part of the path from its first name on, to those behind it.
  mutating func places(behind text: String, from places: [Int]) -> [Int] {
    var (places, startsName) = (places, text != "/")
    for scalar in text.unicodeScalars where !places.isEmpty {
      time += 1
      var behind: [Int] = []
      for place in places {
        if let next = next(behind: scalar, startsName, at: place) { come(to: next, &behind) }
      }
      (places, startsName) = (behind, scalar == "/")
    }
    return places
  }

  private func next(behind scalar: Unicode.Scalar, _ isAtName: Bool, at place: Int) -> Int? {
    let (step, next) = steps[place]
    let isHidden = isAtName && scalar == "." && !findsHidden
    switch step {
    case .scalar(let own, let startsName): return scalar == own && (startsName || !isHidden) ? next : nil
    case .oneOf(let ranges, let isNegated):
      guard scalar != "/", !isHidden else { return nil }
      return ranges.contains { $0.contains(scalar) } != isNegated ? next : nil
    case .any(let acrossFolders): return !isHidden && (acrossFolders || scalar != "/") ? place : nil
    case .folders: return isAtName && !isHidden ? place + 1 : nil
    case .folderName: return scalar == "/" ? next : place
    case .fork, .end: return nil
    }
  }

  /// Notes a place, and those that one is at as well.
  private mutating func come(to place: Int, _ places: inout [Int]) {
    var left = [place]
    while let place = left.popLast() {
      guard marks[place] != time else { continue }
      marks[place] = time
      places.append(place)
      switch steps[place].step {
      case .fork(let starts): left += starts
      case .any, .folders: left.append(steps[place].next)
      default: break
      }
    }
  }
}

/// Reads a pattern.
struct GlobReader {
  indirect enum Part {
    case scalar(Unicode.Scalar, startsName: Bool)
    case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
    case any(acrossFolders: Bool)
    case folders
    case either([[Part]])
  }

  private static let deepest = 32
  private let pattern: String
  private var rest: Substring.UnicodeScalarView
  /// A name starts here.
  private var isAtName = true

  init(_ pattern: String) {
    self.pattern = pattern
    rest = (pattern.hasPrefix("./") ? pattern.dropFirst(2) : pattern[...]).unicodeScalars
  }

  mutating func readAll() throws(BridgeError) -> [Part] {
    let names = rest.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    guard names.first != "" || names.count == 1 else {
      throw problem("the first character is a slash; the option 'folder' says where patterns start")
    }
    guard !names.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw problem("a name is empty, '.' or '..'; the option 'folder' says where patterns start")
    }
    return try parts(depth: 0)
  }

  private func problem(_ words: String) -> BridgeError {
    BridgeError(.argument, "Files.glob: in the pattern '\(pattern)' \(words)")
  }

  /// Up to the end, or that of an alternative.
  private mutating func parts(depth: Int) throws(BridgeError) -> [Part] {
    var parts: [Part] = []
    while let sign = rest.first, depth == 0 || sign != "," && sign != "}" {
      rest.removeFirst()
      let isAtName = isAtName
      self.isAtName = sign == "/"
      switch sign {
      case "\\": parts.append(.scalar(try escaped(), startsName: isAtName))
      case "?": parts.append(.oneOf([], isNegated: true))
      case "*": parts.append(star(isAtName, depth))
      case "[": parts.append(try set())
      case "{":
        self.isAtName = isAtName
        parts.append(.either(try choices(depth + 1)))
      default: parts.append(.scalar(sign, startsName: isAtName))
      }
    }
    return parts
  }

  private mutating func escaped() throws(BridgeError) -> Unicode.Scalar {
    guard let sign = rest.popFirst() else { throw problem("nothing stands behind the last '\\'") }
    return sign
  }

  private mutating func star(_ isAtName: Bool, _ depth: Int) -> Part {
    guard rest.first == "*" else { return .any(acrossFolders: false) }
    while rest.first == "*" { rest.removeFirst() }
    guard isAtName else { return .any(acrossFolders: false) }
    switch rest.first {
    case "/":
      rest.removeFirst()
      self.isAtName = true
      return .folders
    case nil: return .any(acrossFolders: true)
    case ",", "}": return .any(acrossFolders: depth > 0)
    default: return .any(acrossFolders: false)
    }
  }

  private mutating func set() throws(BridgeError) -> Part {
    let isNegated = rest.first == "!" || rest.first == "^"
    if isNegated { rest.removeFirst() }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while true {
      let first = try member()
      // As the first it is a sign like others.
      if first == "]", !ranges.isEmpty { return .oneOf(ranges, isNegated: isNegated) }
      var last = first
      if rest.first == "-", rest.dropFirst().first != "]" {
        rest.removeFirst()
        last = try member()
      }
      guard first <= last else { throw problem("the range '\(first)-\(last)' is the wrong way round") }
      ranges.append(first...last)
    }
  }

  /// Of a set.
  private mutating func member() throws(BridgeError) -> Unicode.Scalar {
    guard let sign = rest.popFirst(), sign != "/" else {
      throw problem("a '[' has no ']' ('\\[' is the character itself)")
    }
    return sign == "\\" ? try escaped() : sign
  }

  private mutating func choices(_ depth: Int) throws(BridgeError) -> [[Part]] {
    guard depth <= Self.deepest else { throw problem("more than \(Self.deepest) '{' are within each other") }
    let before = isAtName
    var choices: [[Part]] = []
    var isAtNameBehind = false
    while true {
      isAtName = before
      choices.append(try parts(depth: depth))
      isAtNameBehind = isAtNameBehind || isAtName
      guard let sign = rest.popFirst() else { throw problem("a '{' has no '}' ('\\{' is the character itself)") }
      if sign == "}" { break }
    }
    isAtName = isAtNameBehind
    return choices
  }
}
