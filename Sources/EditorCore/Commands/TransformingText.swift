import Rope

/// Commands that change text where it stands.
extension TextView {
  /// Each region by what `transform` makes of it.
  func transformRegions(_ transform: (String) -> String) {
    let delta = replace { builder in
      for region in selection.regions where !region.isCaret {
        let (old, new) = (text.slice(region.range), Rope(transform(text.string(in: region.range))))
        if new != old { builder.replace(region.range, with: new) }
      }
    }
    if !delta.isIdentity { commit(delta, as: .other) }
  }

  /// The words from the start of each region to the first that ends behind it: first letter upper case, the rest lower case.
  /// Carets stay at the ends of the regions.
  func capitalize() {
    var carets = Selection()
    var words = FollowingWords(of: text)
    let delta = replace { builder in
      for region in selection.regions {
        carets.add(.caret(region.upperBound))
        words.find(from: region.lowerBound, over: region.upperBound)
        // One piece up to the caret, which stays before the last word if that is behind it.
        let count = words.found.count { $0.upperBound <= region.upperBound }
        for words in [words.found[..<count], words.found[count...]] {
          guard let first = words.first, let last = words.last else { continue }
          builder.replace(first.lowerBound..<last.upperBound, with: capitalized(words))
        }
      }
    }
    select(carets)
    if !delta.isIdentity { commit(delta, as: .other) }
  }

  /// Words that follow each other, with what stands between them.
  private func capitalized(_ words: ArraySlice<Range<ByteOffset>>) -> Rope {
    let start = words[words.startIndex].lowerBound
    return text.withBytes(in: start..<words[words.endIndex - 1].upperBound) { bytes in
      var letters: [UInt8] = []
      letters.reserveCapacity(bytes.count)
      var end = 0
      for word in words {
        let place = (word.lowerBound - start)..<(word.upperBound - start)
        letters += bytes[end..<place.lowerBound]
        Self.append(capitalized: UnsafeRawBufferPointer(rebasing: bytes[place]), to: &letters)
        end = place.upperBound
      }
      return letters.withUnsafeBytes { Rope($0) }
    }
  }

  private static func append(capitalized word: UnsafeRawBufferPointer, to letters: inout [UInt8]) {
    guard word.allSatisfy({ $0 < 0x80 }) else {
      let string = String(repairingEachByte: word)
      letters += (string.prefix(1).uppercased() + string.dropFirst().lowercased()).utf8
      return
    }
    // Nearly all are, and there may be many carets.
    for (index, byte) in word.enumerated() {
      let isLetter = (0x41...0x5A).contains(byte & ~0x20)
      letters.append(!isLetter ? byte : index == 0 ? byte & ~0x20 : byte | 0x20)
    }
  }

  /// The whole number at each region's end becomes `change` of it, if it is one of 128 bits.
  func changeNumbers(_ change: (Int128) -> (partialValue: Int128, overflow: Bool)) {
    let delta = replace { builder in
      var end: ByteOffset = 0
      var cursor = Rope.Cursor(text, at: 0)
      for region in selection.regions {
        var word = cursor.wordRange(around: region.active)
        if word.lowerBound > 0, cursor.byte(at: word.lowerBound - 1) == 0x2D,
          cursor.isBetweenClusters(word.lowerBound - 1)
        {
          word = (word.lowerBound - 1)..<word.upperBound
        }
        guard word.lowerBound >= end, let number = Int128(text.string(in: word)) else { continue }
        let changed = change(number)
        if changed.overflow { continue }
        builder.replace(word, with: Rope(String(changed.partialValue)))
        end = word.upperBound
      }
    }
    if !delta.isIdentity { commit(delta, as: .other) }
  }

  /// Carets swap the clusters around them, at a line end the two before; regions pass their contents round.
  func transpose() {
    let regions = selection.regions
    var passedOn = regions.last { !$0.isCaret }.map { text.slice($0.range) }
    let delta = replace { builder in
      var end: ByteOffset = 0
      var lookup = LogicalLineLookup(of: text)
      for region in regions {
        // Of a cluster that two of them share, the first has it.
        if !region.isCaret, let contents = passedOn {
          guard region.lowerBound >= end else { continue }
          passedOn = text.slice(region.range)
          builder.replace(region.range, with: contents)
          end = region.upperBound
        } else if let (first, second) = clustersToSwap(at: region.active, &lookup), first.lowerBound >= end {
          builder.replace(first.lowerBound..<second.upperBound, with: swapped(first, second))
          end = second.upperBound
        }
      }
    }
    if !delta.isIdentity { commit(delta, as: .transpose) }
  }

  /// Two that stand side by side, which are short.
  private func swapped(_ first: Range<ByteOffset>, _ second: Range<ByteOffset>) -> Rope {
    text.withBytes(in: first.lowerBound..<second.upperBound) { bytes in
      var swapped = [UInt8](bytes[first.count...])
      swapped += bytes[..<first.count]
      return swapped.withUnsafeBytes { Rope($0) }
    }
  }

  private func clustersToSwap(
    at caret: ByteOffset, _ lookup: inout LogicalLineLookup
  ) -> (Range<ByteOffset>, Range<ByteOffset>)? {
    var middle = caret
    let line = lookup.line(of: caret)
    // The line behind the last line end has nothing to swap.
    if caret == text.endOffset, line.range.isEmpty { return nil }
    if caret == line.contentEnd { middle = text.graphemeStart(before: caret) ?? caret }
    guard let start = text.graphemeStart(before: middle), let end = text.graphemeEnd(after: middle) else { return nil }
    return (start..<middle, middle..<end)
  }
}

/// The words of regions that come in the order of the text.
private struct FollowingWords {
  /// None of them was among those of the regions before.
  private(set) var found: [Range<ByteOffset>] = []
  private var cursor: Rope.Cursor
  private var end: ByteOffset = 0

  init(of text: Rope) { cursor = Rope.Cursor(text, at: 0) }

  /// From the one around `start` to the first that ends behind `last`.
  mutating func find(from start: ByteOffset, over last: ByteOffset) {
    found.removeAll(keepingCapacity: true)
    var word = cursor.wordRange(around: start)
    add(word)
    while word.upperBound <= last {
      if let next = plainWord(after: word.upperBound) {
        word = next
      } else if let end = cursor.wordEnd(after: word.upperBound) {
        word = cursor.wordRange(around: end)
      } else {
        return
      }
      add(word)
    }
  }

  /// One of ASCII with nothing but a space before it, as most are: one walk finds it. Nil for any other.
  private mutating func plainWord(after place: ByteOffset) -> Range<ByteOffset>? {
    guard cursor.byte(at: place) == 0x20 else { return nil }
    let start = cursor.offset
    var end = start
    while let byte = cursor.next() {
      guard byte < 0x80 else { return nil }
      guard byte.isWordByte else { break }
      end = end + 1
    }
    return end > start ? start..<end : nil
  }

  private mutating func add(_ word: Range<ByteOffset>) {
    guard word.lowerBound >= end else { return }
    found.append(word)
    end = word.upperBound
  }
}
