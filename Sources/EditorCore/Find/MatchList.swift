import Rope

/// The matches of a query, sorted, none overlapping.
///
/// They stand in chunks, each from a base of its own, so that a key moves the bases and the matches around it, and no others.
struct MatchList: Sendable, Equatable {
  private static let chunkSize = 1024

  private struct Chunk: Sendable {
    var base: Int
    /// From the base.
    var items: [Range<Int>]

    var start: Int { base + (items.first?.lowerBound ?? 0) }
    var end: Int { base + (items.last?.upperBound ?? 0) }

    func range(_ index: Int) -> Range<ByteOffset> {
      ByteOffset(base + items[index].lowerBound)..<ByteOffset(base + items[index].upperBound)
    }
  }

  /// None is empty.
  private var chunks: [Chunk] = []
  private(set) var count = 0

  init() {}

  init(_ matches: some Sequence<Range<ByteOffset>>) { for match in matches { append(match) } }

  var isEmpty: Bool { count == 0 }

  static func == (left: MatchList, right: MatchList) -> Bool { left.count == right.count && left.elementsEqual(right) }

  /// Behind all others.
  mutating func append(_ match: Range<ByteOffset>) {
    count += 1
    if let last = chunks.indices.last, chunks[last].items.count < Self.chunkSize {
      let base = chunks[last].base
      chunks[last].items.append(match.lowerBound.value - base..<match.upperBound.value - base)
    } else {
      chunks.append(Chunk(base: match.lowerBound.value, items: [0..<match.count]))
    }
  }

  // MARK: Looking

  /// The first match that ends behind `offset`. O(log n).
  private func place(endingBehind offset: ByteOffset) -> (chunk: Int, item: Int)? {
    let chunk = chunks.partitioningIndex { $0.end > offset.value }
    guard chunk < chunks.count else { return nil }
    let base = chunks[chunk].base
    return (chunk, chunks[chunk].items.partitioningIndex { base + $0.upperBound > offset.value })
  }

  /// Those that meet `range`. O(log n + matches in it).
  func touching(_ range: Range<ByteOffset>, atMost limit: Int = .max) -> [Range<ByteOffset>] {
    guard var (chunk, item) = place(endingBehind: range.lowerBound) else { return [] }
    var found: [Range<ByteOffset>] = []
    while chunk < chunks.count {
      while item < chunks[chunk].items.count {
        let match = chunks[chunk].range(item)
        guard match.lowerBound < range.upperBound, found.count < limit else { return found }
        found.append(match)
        item += 1
      }
      (chunk, item) = (chunk + 1, 0)
    }
    return found
  }

  /// How many matches stand before this one; nil when it is none. O(chunks).
  func rank(of match: Range<ByteOffset>) -> Int? {
    guard let place = place(endingBehind: match.lowerBound), chunks[place.chunk].range(place.item) == match else {
      return nil
    }
    return chunks[..<place.chunk].reduce(0) { $0 + $1.items.count } + place.item
  }

  var first: Range<ByteOffset>? { chunks.first?.range(0) }
  var last: Range<ByteOffset>? { chunks.last.map { $0.range($0.items.count - 1) } }

  /// The first that begins at or after `offset` and is not `other`. O(log n).
  func first(from offset: ByteOffset, except other: Range<ByteOffset>) -> Range<ByteOffset>? {
    guard let place = place(endingBehind: offset) else { return nil }
    return Walk(list: self, chunk: place.chunk, item: place.item).prefix(3)
      .first { $0.lowerBound >= offset && $0 != other }
  }

  /// The last that ends at or before `offset` and is not `other`. O(log n).
  func last(upTo offset: ByteOffset, except other: Range<ByteOffset>) -> Range<ByteOffset>? {
    var (chunk, item) = place(endingBehind: offset) ?? (chunks.count, 0)
    for _ in 0..<2 {
      if item > 0 {
        item -= 1
      } else if chunk > 0 {
        chunk -= 1
        item = chunks[chunk].items.count - 1
      } else {
        return nil
      }
      let match = chunks[chunk].range(item)
      if match != other { return match }
    }
    return nil
  }

  // MARK: Changing

  /// Follows a change of the text: what it touched goes, or grows with what was put in. O(chunks + edits · chunk size).
  mutating func follow(_ delta: Delta, growing: Bool = false) {
    guard let first = delta.edits.first else { return }
    var edits = delta.edits[...]
    var (shift, hasEmpty) = (0, false)
    var index = chunks.partitioningIndex { $0.end > first.range.lowerBound.value }
    while index < chunks.count, !edits.isEmpty {
      while let edit = edits.first, edit.range.upperBound.value <= chunks[index].start {
        shift = edit.newRange.upperBound.value - edit.range.upperBound.value
        edits = edits.dropFirst()
      }
      if let edit = edits.first, edit.range.lowerBound.value < chunks[index].end {
        let before = chunks[index].items.count
        chunks[index] = Self.moved(chunks[index], by: delta, growing: growing)
        count += chunks[index].items.count - before
        hasEmpty = hasEmpty || chunks[index].items.isEmpty
      } else {
        chunks[index].base += shift
      }
      index += 1
    }
    // Nothing but their places changes behind the last edit: not even their counts of references.
    if let last = delta.edits.last { shift = last.newRange.upperBound.value - last.range.upperBound.value }
    for index in index..<chunks.count { chunks[index].base += shift }
    if hasEmpty { chunks.removeAll { $0.items.isEmpty } }
  }

  private static func moved(_ chunk: Chunk, by delta: Delta, growing: Bool) -> Chunk {
    Chunk(
      base: 0,
      items: chunk.items.indices.compactMap { index in
        let match = chunk.range(index)
        let start = delta.transform(match.lowerBound, bias: growing ? .left : .right)
        let end = Swift.max(start, delta.transform(match.upperBound, bias: growing ? .right : .left))
        return end > start && (growing || end - start == match.count) ? start.value..<end.value : nil
      })
  }

  /// Puts `new`, which lie in `range`, in the place of what meets it. O(log n + chunks).
  mutating func replace(in range: Range<ByteOffset>, with new: MatchList) {
    let first = chunks.partitioningIndex { $0.end > range.lowerBound.value }
    let end = Swift.max(first, chunks.partitioningIndex { $0.start >= range.upperBound.value })
    var middle = MatchList()
    for chunk in chunks[first..<end] {
      for match in chunk.items.indices.lazy.map(chunk.range) where match.upperBound <= range.lowerBound {
        middle.append(match)
      }
    }
    for match in new { middle.append(match) }
    for chunk in chunks[first..<end] {
      for match in chunk.items.indices.lazy.map(chunk.range) where match.lowerBound >= range.upperBound {
        middle.append(match)
      }
    }
    count += middle.count - chunks[first..<end].reduce(0) { $0 + $1.items.count }
    chunks.replaceSubrange(first..<end, with: middle.chunks)
  }
}

extension MatchList: Sequence {
  struct Walk: Sequence, IteratorProtocol {
    fileprivate let list: MatchList
    fileprivate var chunk = 0
    fileprivate var item = 0

    mutating func next() -> Range<ByteOffset>? {
      while chunk < list.chunks.count {
        if item < list.chunks[chunk].items.count {
          defer { item += 1 }
          return list.chunks[chunk].range(item)
        }
        (chunk, item) = (chunk + 1, 0)
      }
      return nil
    }
  }

  func makeIterator() -> Walk { Walk(list: self) }
}

extension RandomAccessCollection where Index == Int {
  /// The first index for which `isBehind` holds, where it holds for all that follow it.
  fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
