import Rope

/// What commands change the text with.
extension TextView {
  /// With many carets a text may be put in so often that no memory holds it.
  static let largestGrowth = 1 << 30

  /// Makes one change of the document. A view that is closed makes none.
  func commit(_ delta: Delta, as kind: EditKind) {
    if mayCommit(delta) { document.commit(delta, as: kind, from: self) }
  }

  func commit(_ outcome: Replacement.Outcome) { if mayCommit(outcome.delta) { document.commit(outcome, from: self) } }

  private func mayCommit(_ delta: Delta) -> Bool {
    let growth = delta.newByteCount - delta.baseByteCount
    if delta.edits.count > 1, growth > Self.largestGrowth {
      refusedGrowth = growth
      return false
    }
    return document.views.all.contains { $0 === self }
  }

  func replace(_ edits: (inout Delta.Builder) -> Void) -> Delta {
    var builder = Delta.Builder(baseByteCount: text.byteCount)
    edits(&builder)
    return builder.build()
  }

  /// Every region replaced by `replacement`.
  func replaceRegions(_ regions: [SelectionRegion], with replacement: Rope) -> Delta {
    replace { builder in
      for region in regions { builder.replace(region.range, with: replacement) }
    }
  }
}
