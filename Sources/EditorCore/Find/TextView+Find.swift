import EditorProtocol
import Rope

extension TextView {
  private static let mostMatchLines = 1000

  /// Selects the nearest match after the last region, or before it, and with it the clusters that it is a part of.
  /// - Returns: The match, if there was one.
  @discardableResult
  func findNext(_ motion: FindMotion, reverse: Bool) -> SelectionRegion? {
    guard motion.selection != .none, let current = selection.regions.last else { return nil }
    guard let match = match(from: current, reverse: reverse, wrapAround: motion.wrapAround) else { return nil }
    var selection = motion.selection == .set ? Selection() : self.selection
    if motion.selection == .addRemovingCurrent {
      selection.removeRegions(touching: current.lowerBound...current.upperBound)
    }
    selection.add(match)
    let isBehind = match.lowerBound >= current.upperBound
    search.gone = (true, reverse ? match.upperBound > current.lowerBound : !isBehind)
    select(selection)
    return match
  }

  /// Of one query none is like another; of several those that overlap are one.
  private func match(from current: SelectionRegion, reverse: Bool, wrapAround: Bool) -> SelectionRegion? {
    guard search.queries.count == 1 else {
      let matches = search.allMatches.regions
      let found = reverse ? Self.last(of: matches, before: current) : Self.first(of: matches, after: current)
      return found ?? (wrapAround ? (reverse ? matches.last : matches.first) : nil)
    }
    let matches = search.queries[0].matches
    let found =
      reverse
      ? matches.last(upTo: current.lowerBound, except: current.range)
      : matches.first(from: current.upperBound, except: current.range)
    let match = found ?? (wrapAround ? (reverse ? matches.last : matches.first) : nil)
    return match.map { SelectionRegion($0.lowerBound, $0.upperBound) }
  }

  /// A match that begins at a caret counts, one that is selected does not.
  private static func first(of matches: [SelectionRegion], after current: SelectionRegion) -> SelectionRegion? {
    matches.first { $0.lowerBound >= current.upperBound && $0.range != current.range }
  }

  private static func last(of matches: [SelectionRegion], before current: SelectionRegion) -> SelectionRegion? {
    matches.last { $0.upperBound <= current.lowerBound && $0.range != current.range }
  }

  /// Those that are parts of a character are left out: what is typed then would take the rest of it along.
  func selectAllMatches() {
    let all = search.allMatches
    let matches = all.withoutParts(ofClustersIn: text)
    let leftOut = all.regions.count - matches.regions.count
    if leftOut > 0 { remark = "\(leftOut) found within characters \(leftOut == 1 ? "is" : "are") not selected" }
    if !matches.isEmpty { select(matches) }
  }

  /// The word or the text at the caret; nil when there is none, or it goes over several lines.
  func textForFind() -> String? {
    guard let region = carets.main else { return nil }
    let range = region.isCaret ? text.wordRange(around: region.active) : region.range
    guard !range.isEmpty, range.count <= 64 << 10 else { return nil }
    let string = text.string(in: range)
    return string.utf8.contains(0x0A) ? nil : string
  }

  /// - Parameter isComplete: With the queries and lines, which go only with an update that renders.
  /// - Parameter hasPlace: With the match that is selected.
  /// - Parameter hasProblem: With why a query finds nothing.
  /// - Parameter hasLines: Whether the lines of the matches are told, of the first of them.
  func findStatus(isComplete: Bool, hasLines: Bool, hasPlace: Bool = false, hasProblem: Bool = false) -> [FindStatus] {
    search.queries.map { query in
      let problem = hasProblem ? query.problem : nil
      let current = hasPlace ? selection.regions.last.flatMap { query.matches.rank(of: $0.range) } : nil
      let hasWrapped = current != nil && search.gone.hasWrapped
      guard isComplete else {
        return FindStatus(
          id: query.query.id ?? 0, chars: nil, matches: query.matches.count, current: current.map { $0 + 1 },
          hasWrapped: hasWrapped, problem: problem)
      }
      return FindStatus(
        id: query.query.id ?? 0, chars: query.query.chars, caseSensitive: query.query.caseSensitive,
        isRegex: query.query.regex, wholeWords: query.query.wholeWords, matches: query.matches.count,
        lines: hasLines ? query.matches.prefix(Self.mostMatchLines).map { line(of: $0.range.lowerBound) + 1 } : [],
        current: current.map { $0 + 1 }, hasWrapped: hasWrapped, problem: problem)
    }
  }
}
