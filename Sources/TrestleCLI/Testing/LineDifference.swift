/// The difference of two texts, line by line.
enum LineDifference {
  enum Kind: Sendable { case same, expected, actual, gap }

  /// Beyond that they are shown one behind the other: to compare takes time that grows with the square of what differs.
  private static let (mostLines, context) = (2000, 3)

  /// - Returns: the lines that differ, with some around them.
  static func lines(_ expected: String, _ actual: String) -> [(kind: Kind, text: String)] {
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
