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
    let delta = replace { builder in
      var end: ByteOffset = 0
      for region in selection.regions {
        carets.add(.caret(region.upperBound))
        for word in words(from: region.lowerBound, over: region.upperBound) where word.lowerBound >= end {
          builder.replace(word, with: capitalized(word))
          end = word.upperBound
        }
      }
    }
    select(carets)
    if !delta.isIdentity { commit(delta, as: .other) }
  }

  private func capitalized(_ word: Range<ByteOffset>) -> Rope {
    // Nearly all are, and there may be many carets.
    let ascii: Rope? = text.withBytes(in: word) { bytes in
      var letters = [UInt8](bytes)
      for index in letters.indices {
        guard letters[index] < 0x80 else { return nil }
        let isLetter = (0x41...0x5A).contains(letters[index] & ~0x20)
        if isLetter { letters[index] = index == 0 ? letters[index] & ~0x20 : letters[index] | 0x20 }
      }
      return letters.withUnsafeBytes { Rope($0) }
    }
    if let ascii { return ascii }
    let string = text.string(in: word)
    return Rope(string.prefix(1).uppercased() + string.dropFirst().lowercased())
  }

  private func words(from start: ByteOffset, over end: ByteOffset) -> [Range<ByteOffset>] {
    var words = [text.wordRange(around: start)]
    while let last = words.last, last.upperBound <= end, let next = text.wordEnd(after: last.upperBound) {
      words.append(text.wordRange(around: next))
    }
    return words
  }

  /// The whole number at each region's end becomes `change` of it, if it is one of 128 bits.
  func changeNumbers(_ change: (Int128) -> (partialValue: Int128, overflow: Bool)) {
    let delta = replace { builder in
      var end: ByteOffset = 0
      for region in selection.regions {
        var word = text.wordRange(around: region.active)
        if word.lowerBound > 0, text[word.lowerBound - 1] == 0x2D, text.isBetweenClusters(word.lowerBound - 1) {
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
