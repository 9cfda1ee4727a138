/// What the width of a cluster depends on, gathered in one pass over its code points.
struct ClusterSummary {
  private var first: Unicode.Scalar?
  private var second: Unicode.Scalar?
  private var hasEmojiSelector = false
  private var hasHidden = false
  private var escapedWidth = 0

  mutating func add(_ scalar: Unicode.Scalar) {
    if first == nil { first = scalar } else if second == nil { second = scalar }
    switch scalar.value {
    case 0xFE0E: break
    case 0xFE0F: hasEmojiSelector = true
    default:
      if WidthClass(scalar) == .hidden { hasHidden = true }
    }
    escapedWidth += CellMetrics.escapedWidth(of: scalar)
  }

  /// The cells of the cluster and what is drawn in them.
  ///
  /// Ignorable characters are part of emoji and of scripts that join; after an ASCII character they only hide something, and
  /// are shown.
  var cells: (width: Int, appearance: CellCluster.Appearance) {
    guard let first else { return (1, .text) }
    let firstClass = WidthClass(first)
    if firstClass == .hidden || hasHidden && first.isASCII { return (escapedWidth, .escaped) }
    if firstClass == .mark { return (1, .mark) }
    let isFlag = first.isRegionalIndicator && second?.isRegionalIndicator == true
    let isEmoji = hasEmojiSelector && first.properties.isEmoji
    return (firstClass == .wide || isFlag || isEmoji ? 2 : 1, .text)
  }
}

extension Unicode.Scalar {
  fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
