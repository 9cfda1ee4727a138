/// The difference of two texts, line by line.
enum LineDifference {
  enum Kind: Sendable { case same, expected, actual, gap }

  /// Beyond that they are shown one behind the other: to compare takes time that grows with the square of what differs.
  private static let (mostLines, context) = (2000, 3)
  /// More than that nobody reads.
  private static let mostShown = 200
  /// Of a line that many bytes are shown at most, some of them before the first that differs.
  private static let (longestLine, lead) = (500, 100)

  /// - Returns: the lines that differ, with some around them.
  static func lines(_ expected: String, _ actual: String) -> [(kind: Kind, text: String)] {
    let all = differing(expected, actual)
    return withCutLines(Array(all.prefix(mostShown))) + (all.count > mostShown ? [(.gap, "")] : [])
  }

  /// A line that was removed stands with the one that came in its place, and is cut where that is.
  private static func withCutLines(_ lines: [(kind: Kind, text: String)]) -> [(kind: Kind, text: String)] {
    var result = lines
    var index = 0
    while index < lines.count {
      let removed = lines[index...].prefix { $0.kind == .expected }
      let inserted = lines[removed.endIndex...].prefix { $0.kind == .actual }
      for (old, new) in zip(removed.indices, inserted.indices)
      where max(lines[old].text.utf8.count, lines[new].text.utf8.count) > longestLine {
        let place = zip(lines[old].text.utf8, lines[new].text.utf8).prefix { $0 == $1 }.count
        for line in [old, new] { result[line].text = cut(lines[line].text, around: place) }
      }
      let paired = min(removed.count, inserted.count)
      let rest = Array(removed.indices.dropFirst(paired)) + Array(inserted.indices.dropFirst(paired))
      index = max(inserted.endIndex, index + 1)
      for line in rest { result[line].text = cut(lines[line].text, around: 0) }
      if removed.isEmpty, inserted.isEmpty { result[index - 1].text = cut(lines[index - 1].text, around: 0) }
    }
    return result
  }

  private static func cut(_ text: String, around place: Int) -> String {
    let bytes = text.utf8, scalars = text.unicodeScalars
    guard bytes.count > longestLine else { return text }
    let start = max(0, min(place - lead, bytes.count - longestLine))
    let end = min(start + longestLine, bytes.count)
    let shown = scalars[bytes.index(bytes.startIndex, offsetBy: start)..<bytes.index(bytes.startIndex, offsetBy: end)]
    return (start > 0 ? "…" : "") + String(shown) + (end < bytes.count ? "…" : "")
  }

  private static func differing(_ expected: String, _ actual: String) -> [(kind: Kind, text: String)] {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let new = actual.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard old.count <= mostLines, new.count <= mostLines else {
      return (old.prefix(20).map { (.expected, $0) }) + [(.gap, "")] + (new.prefix(20).map { (.actual, $0) }) + [
        (.gap, "")
      ]
    }
    return shortened(merged(old, new))
  }

  private static func merged(_ old: [String], _ new: [String]) -> [(kind: Kind, text: String)] {
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(\.offset)), inserted = Set(difference.insertions.map(\.offset))
    var lines: [(kind: Kind, text: String)] = []
    var (i, k) = (0, 0)
    while i < old.count || k < new.count {
      if i < old.count, removed.contains(i) {
        lines.append((.expected, old[i]))
        i += 1
      } else if k < new.count, inserted.contains(k) {
        lines.append((.actual, new[k]))
        k += 1
      } else {
        lines.append((.same, i < old.count ? old[i] : new[k]))
        i += 1
        k += 1
      }
    }
    return lines
  }

  /// Without what is far from any difference.
  private static func shortened(_ lines: [(kind: Kind, text: String)]) -> [(kind: Kind, text: String)] {
    let differing = lines.indices.filter { lines[$0].kind != .same }
    var shown: [(kind: Kind, text: String)] = []
    var near = differing[...]
    var isLeftOut = false
    for index in lines.indices {
      while let first = near.first, first < index - context { near = near.dropFirst() }
      guard let first = near.first, first - context <= index else {
        isLeftOut = true
        continue
      }
      if isLeftOut { shown.append((.gap, "")) }
      isLeftOut = false
      shown.append(lines[index])
    }
    return isLeftOut ? shown + [(.gap, "")] : shown
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .remove(let offset, _, _), .insert(let offset, _, _): offset
    }
  }
}
