/// Many texts, ready to be searched at every key.
///
/// A search passes over most texts by the set of their letters, finds the others roughly, and looks closely at the best of these.
package struct FuzzyIndex: Sendable {
  /// So many of the best are looked at closely, and told; of all, where nothing was asked, more.
  package static let mostHits = 100
  private static let mostTexts = 10_000

  package struct Hit: Equatable, Sendable {
    /// Of the text, in the order in which they were added.
    package var index: Int
    package var score: Int
  }

  package private(set) var texts: [String] = []
  /// All of them, folded, one behind the other.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The letters of each: see ``FuzzyLetters``.
  private var letters: [UInt64] = []
  /// The last query and all that it found among so many texts: what is typed on is looked for among these, and what was added since.
  private var last: (query: FuzzyQuery, found: [Rough], count: Int)?
  private typealias Rough = (index: Int, score: UInt8)

  package init() {}

  package init(_ texts: some Sequence<String>) {
    for text in texts { append(text) }
  }

  package mutating func append(_ text: String) {
    let folded = FuzzyFolding.folded(text)
    texts.append(text)
    bytes += folded
    ends.append(bytes.count)
    letters.append(FuzzyLetters.set(of: folded))
  }

  package var count: Int { texts.count }

  /// - Returns: The best, best first; those that are equally good in the order of ``texts``. And how many there are in all.
  package mutating func search(_ query: FuzzyQuery) -> (hits: [Hit], count: Int) {
    guard !query.isEmpty else {
      last = nil
      return (texts.indices.prefix(Self.mostTexts).map { Hit(index: $0, score: 0) }, texts.count)
    }
    var rough: [Rough] = []
    var start = 0
    if let last, query.narrows(last.query) {
      start = last.count
      if query == last.query {
        rough = last.found
      } else {
        find(query, among: last.found.lazy.map(\.index), into: &rough)
      }
    }
    find(query, among: start..<texts.count, into: &rough)
    last = (query, rough, texts.count)
    var hits: [Hit] = []
    for index in Self.best(of: rough) {
      if let match = query.match(texts[index]) { hits.append(Hit(index: index, score: match.score)) }
    }
    hits.sort { ($1.score, texts[$0.index].utf8.count, $0.index) < ($0.score, texts[$1.index].utf8.count, $1.index) }
    return (hits, rough.count)
  }

  private func find(
    _ query: FuzzyQuery, among indices: some Sequence<Int>, into found: inout [Rough]
  ) {
    let wanted = query.words.reduce(0) { $0 | FuzzyLetters.set(of: $1) }
    bytes.withUnsafeBufferPointer { bytes in
      ends.withUnsafeBufferPointer { ends in
        letters.withUnsafeBufferPointer { letters in
          for index in indices where letters[index] & wanted == wanted {
            let start = index == 0 ? 0 : ends[index - 1]
            let text = UnsafeBufferPointer(rebasing: bytes[start..<ends[index]])
            if let score = query.roughScore(of: text) { found.append((index, score)) }
          }
        }
      }
    }
  }

  /// The indices of those with the highest scores, in their order.
  private static func best(of found: [Rough]) -> [Int] {
    guard found.count > mostHits else { return found.map(\.index) }
    var counts = [Int](repeating: 0, count: 256)
    for hit in found { counts[Int(hit.score)] += 1 }
    var (least, sum) = (256, 0)
    while least > 0, sum + counts[least - 1] <= mostHits {
      least -= 1
      sum += counts[least]
    }
    // The first of those that are one worse fill it up.
    var rest = mostHits - sum
    return found.compactMap { hit in
      if Int(hit.score) >= least { return hit.index }
      guard Int(hit.score) == least - 1, rest > 0 else { return nil }
      rest -= 1
      return hit.index
    }
  }
}

/// Which letters a text has, as bits: a text without one of a query's has not the query.
enum FuzzyLetters {
  static func set(of folded: [UInt8]) -> UInt64 { folded.reduce(0) { $0 | 1 << UInt64($1 & 63) } }
}

extension FuzzyQuery {
  /// Whether all that this finds the other one has found.
  fileprivate func narrows(_ other: FuzzyQuery) -> Bool {
    words.count >= other.words.count && zip(words, other.words).allSatisfy { $0.starts(with: $1) }
  }

  /// How near the letters of each word stand to each other, at one of two places where they are; nil where one has no place.
  fileprivate func roughScore(of text: UnsafeBufferPointer<UInt8>) -> UInt8? {
    // Of those that are equally near the shorter ones.
    var score = 255 - min(text.count / 16, 8)
    for word in words {
      guard let spread = word.withUnsafeBufferPointer({ Self.leastSpread(of: $0, in: text) }) else { return nil }
      score -= min(spread, 255)
    }
    return UInt8(max(score, 0))
  }

  private static func leastSpread(
    of word: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let last = word.lastPlace(in: text) else { return nil }
    let spread = spread(of: last, word.count, text)
    guard last.count > word.count, let first = word.firstPlace(in: text), first != last else { return spread }
    return min(spread, Self.spread(of: first, word.count, text))
  }

  /// How much longer than the word the place is; and a little more inside of a word.
  private static func spread(of place: Range<Int>, _ count: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
    let isStart = place.lowerBound == 0 || !text[place.lowerBound - 1].isWordByte
    return (place.count - count) * 2 + (isStart ? 0 : 3)
  }
}

/// Where a word's bytes come in their order. Texts are short as a rule, so that plain loops beat calls of the C library.
extension UnsafeBufferPointer<UInt8> {
  /// The place that ends first, and begins as late as that allows.
  fileprivate func firstPlace(in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard let end = end(in: text, from: 0) else { return nil }
    return start(in: text, before: end).map { $0..<end }
  }

  /// The place that begins last.
  fileprivate func lastPlace(in text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard let start = start(in: text, before: text.count) else { return nil }
    return end(in: text, from: start).map { start..<$0 }
  }

  private func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let word = baseAddress, let bytes = text.baseAddress else { return nil }
    var (next, index) = (0, start)
    while index < text.count {
      if bytes[index] == word[next] {
        next &+= 1
        if next == count { return index + 1 }
      }
      index &+= 1
    }
    return nil
  }

  private func start(in text: UnsafeBufferPointer<UInt8>, before end: Int) -> Int? {
    guard let word = baseAddress, let text = text.baseAddress else { return nil }
    var (next, index) = (count - 1, end - 1)
    while index >= 0 {
      if text[index] == word[next] {
        if next == 0 { return index }
        next &-= 1
      }
      index &-= 1
    }
    return nil
  }
}
