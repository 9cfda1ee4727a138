import Rope

/// Regions in the order of the text, none of which merge. A view's selection has at least one.
struct Selection: Equatable, Sendable {
  private(set) var regions: [SelectionRegion] = []

  init() {}
  init(_ region: SelectionRegion) { regions = [region] }
  static func caret(_ offset: ByteOffset) -> Self { Self(.caret(offset)) }

  var isEmpty: Bool { regions.isEmpty }

  /// Adds a region, merged with those that it meets. Amortized O(1) at the end, else O(n).
  mutating func add(_ region: SelectionRegion) {
    var region = region
    var start = firstIndex(endingAtOrAfter: region.lowerBound)
    guard start < regions.count else { return regions.append(region) }
    var end = start
    if regions[start].lowerBound <= region.lowerBound {
      if regions[start].merges(with: region) { region = regions[start].merged(with: region) } else { start += 1 }
      end += 1
    }
    while end < regions.count, region.merges(with: regions[end]) {
      region = region.merged(with: regions[end])
      end += 1
    }
    regions.replaceSubrange(start..<end, with: CollectionOfOne(region))
  }

  /// Removes all regions that meet `range`, or touch it.
  mutating func removeRegions(touching range: ClosedRange<ByteOffset>) {
    regions.removeSubrange(indices(touching: range))
  }

  mutating func removeRegions(equalTo region: SelectionRegion) {
    guard let index = indices(touching: region.lowerBound...region.upperBound).first(where: { regions[$0] == region })
    else { return }
    regions.remove(at: index)
  }

  /// The regions that meet or touch `range`. O(log n).
  func regions(touching range: ClosedRange<ByteOffset>) -> ArraySlice<SelectionRegion> {
    regions[indices(touching: range)]
  }

  private func indices(touching range: ClosedRange<ByteOffset>) -> Range<Int> {
    let first = firstIndex(endingAtOrAfter: range.lowerBound)
    var last = firstIndex(endingAtOrAfter: range.upperBound)
    while last < regions.count, regions[last].lowerBound <= range.upperBound { last += 1 }
    return first..<max(first, last)
  }

  private func firstIndex(endingAtOrAfter offset: ByteOffset) -> Int {
    if let last = regions.last, last.upperBound < offset { return regions.count }
    return regions.partitioningIndex { $0.upperBound >= offset }
  }

  /// With regions that stand inside clusters grown to the whole of them.
  func wholeClusters(in text: Rope) -> Selection {
    if areWholeClusters(in: text) { return self }
    var selection = Selection()
    for region in regions { selection.add(text.wholeClusters(region)) }
    return selection
  }

  /// Those of its regions that end between clusters on both sides.
  func withoutParts(ofClustersIn text: Rope) -> Selection {
    if areWholeClusters(in: text) { return self }
    var selection = Selection()
    for region in regions where text.wholeClusters(region) == region { selection.add(region) }
    return selection
  }

  private func areWholeClusters(in text: Rope) -> Bool {
    // Neighbours among many stand in the same chunk of the text.
    var cursor = Rope.Cursor(text, at: 0)
    for region in regions {
      if cursor.isBetweenPlainCharacters(region.anchor),
        region.isCaret || cursor.isBetweenPlainCharacters(region.active)
      {
        continue
      }
      if text.wholeClusters(region) != region { return false }
    }
    return true
  }

  /// The first region's active end alone.
  var collapsed: Selection { regions.first.map { .caret($0.active) } ?? self }

  /// The selection in the text that `delta` makes.
  func transformed(by delta: Delta, _ drift: InsertionDrift) -> Selection {
    var result = Selection()
    var hint = 0
    for region in regions {
      let (anchorBias, activeBias) = drift.biases(for: region)
      result.add(
        SelectionRegion(
          delta.transform(region.anchor, bias: anchorBias, hint: &hint),
          delta.transform(region.active, bias: activeBias, hint: &hint)))
    }
    return result
  }
}

/// On which side of text inserted at its ends a region lands.
enum InsertionDrift: Sendable {
  /// Behind it, at both ends.
  case behind
  /// What is inserted at the ends becomes part of the region: transpose.
  case inside
  /// It does not: surrounding with pairs.
  case outside

  func biases(for region: SelectionRegion) -> (anchor: Bias, active: Bias) {
    if region.isCaret || self == .behind { return (.right, .right) }
    let isForward = region.anchor < region.active
    return (self == .inside) == isForward ? (.left, .right) : (.right, .left)
  }
}
