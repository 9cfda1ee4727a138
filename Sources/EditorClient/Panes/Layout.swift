/// A part of the screen, in rows and cells.
struct ScreenArea: Equatable {
  var rows: Range<Int>
  var columns: Range<Int>

  func contains(row: Int, column: Int) -> Bool { rows.contains(row) && columns.contains(column) }
}

/// How the text area is divided: one pane, or parts side by side or one above the other.
indirect enum Layout {
  case pane(Pane)
  case split(Axis, [Part])

  /// In which direction the parts of a split follow each other.
  enum Axis {
    case across, down
  }

  struct Part {
    var layout: Layout
    /// Compared with those of the other parts.
    var share: Int
  }

  /// A pane that is smaller is of no use: one row of text and the status line, a few letters of a line.
  private static let fewestRows = 2
  private static let fewestColumns = 12

  /// From left to right, and from top to bottom.
  var panes: [Pane] {
    switch self {
    case .pane(let pane): [pane]
    case .split(_, let parts): parts.flatMap(\.layout.panes)
    }
  }

  /// Where each pane is; nil where there is no room for all. Parts side by side have one column between them.
  func areas(in area: ScreenArea) -> [(pane: Pane, area: ScreenArea)]? {
    switch self {
    case .pane(let pane):
      guard area.rows.count >= Self.fewestRows, area.columns.count >= Self.fewestColumns else { return nil }
      return [(pane, area)]
    case .split(let axis, let parts):
      guard let areas = areas(of: parts, along: axis, in: area) else { return nil }
      var all: [(pane: Pane, area: ScreenArea)] = []
      for (part, area) in zip(parts, areas) {
        guard let inner = part.layout.areas(in: area) else { return nil }
        all += inner
      }
      return all
    }
  }

  private func areas(of parts: [Part], along axis: Axis, in area: ScreenArea) -> [ScreenArea]? {
    guard let lengths = lengths(of: parts, along: axis, in: area) else { return nil }
    var start = axis == .across ? area.columns.lowerBound : area.rows.lowerBound
    return lengths.map { length in
      defer { start += length + axis.gap }
      var part = area
      if axis == .across { part.columns = start..<start + length } else { part.rows = start..<start + length }
      return part
    }
  }

  /// By their shares, but none less than it needs; nil where there is too little for all.
  private func lengths(of parts: [Part], along axis: Axis, in area: ScreenArea) -> [Int]? {
    let whole = (axis == .across ? area.columns.count : area.rows.count) - axis.gap * (parts.count - 1)
    let needed = parts.map { $0.layout.neededLength(along: axis) }
    guard whole >= needed.reduce(0, +) else { return nil }
    let shares = max(parts.reduce(0) { $0 + $1.share }, 1)
    var (given, seen) = (0, 0)
    var lengths = parts.map { part in
      seen += part.share
      let end = whole * seen / shares
      defer { given = end }
      return end - given
    }
    for index in lengths.indices {
      while lengths[index] < needed[index], let giver = lengths.indices.max(by: { spare($0) < spare($1) }) {
        lengths[giver] -= 1
        lengths[index] += 1
      }
    }
    func spare(_ index: Int) -> Int { lengths[index] - needed[index] }
    return lengths
  }

  private func neededLength(along axis: Axis) -> Int {
    switch self {
    case .pane: return axis == .across ? Self.fewestColumns : Self.fewestRows
    case .split(axis, let parts):
      return parts.reduce(axis.gap * (parts.count - 1)) { $0 + $1.layout.neededLength(along: axis) }
    case .split(_, let parts): return parts.map { $0.layout.neededLength(along: axis) }.max() ?? 0
    }
  }
}

extension Layout.Axis {
  /// Cells between two parts.
  fileprivate var gap: Int { self == .across ? 1 : 0 }
}

// MARK: Changes

extension Layout {
  /// Puts a pane behind another one, which gives it half of its room.
  mutating func insert(_ new: Pane, behind old: Pane, along axis: Axis) {
    switch self {
    case .pane(let pane):
      guard pane === old else { return }
      self = .split(axis, [Part(layout: .pane(old), share: 1), Part(layout: .pane(new), share: 1)])
    case .split(let ownAxis, var parts):
      guard let index = parts.firstIndex(where: { $0.layout.holds(old) }) else { return }
      if case .pane = parts[index].layout, ownAxis == axis {
        // Halves of an odd share are equal, too.
        for each in parts.indices where each != index { parts[each].share *= 2 }
        parts.insert(Part(layout: .pane(new), share: parts[index].share), at: index + 1)
      } else {
        parts[index].layout.insert(new, behind: old, along: axis)
      }
      self = .split(ownAxis, Self.reduced(parts))
    }
  }

  /// Takes a pane out; the one before it, or behind it, gets its room. The last one stays.
  mutating func remove(_ pane: Pane) {
    guard case .split(let axis, var parts) = self, let index = parts.firstIndex(where: { $0.layout.holds(pane) }) else {
      return
    }
    if case .pane = parts[index].layout {
      let share = parts.remove(at: index).share
      parts[max(index - 1, 0)].share += share
    } else {
      parts[index].layout.remove(pane)
    }
    self = parts.count == 1 ? parts[0].layout : .split(axis, Self.reduced(Self.joined(parts, along: axis)))
  }

  /// The parts of a split that has come to stand in one of its own direction are parts of that.
  private static func joined(_ parts: [Part], along axis: Axis) -> [Part] {
    guard let index = parts.firstIndex(where: { $0.isSplit(along: axis) }),
      case .split(_, let inner) = parts[index].layout
    else { return parts }
    let shares = inner.reduce(0) { $0 + $1.share }
    var all = parts.map { Part(layout: $0.layout, share: $0.share * shares) }
    all.replaceSubrange(
      index...index, with: inner.map { Part(layout: $0.layout, share: parts[index].share * $0.share) })
    return joined(reduced(all), along: axis)
  }

  /// The same in smaller numbers: each change makes them larger.
  private static func reduced(_ parts: [Part]) -> [Part] {
    var parts = parts
    let divisor = parts.reduce(0) { greatestCommonDivisor($0, $1.share) }
    for index in parts.indices { parts[index].share = max(parts[index].share / max(divisor, 1), 1) }
    while parts.contains(where: { $0.share > largestShare }) {
      for index in parts.indices { parts[index].share = max(parts[index].share / 2, 1) }
    }
    return parts
  }

  /// Finer than any screen.
  static let largestShare = 1 << 20

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : greatestCommonDivisor(second, first % second)
  }

  mutating func swap(_ first: Pane, _ second: Pane) {
    switch self {
    case .pane(let pane): self = .pane(pane === first ? second : pane === second ? first : pane)
    case .split(let axis, var parts):
      for index in parts.indices { parts[index].layout.swap(first, second) }
      self = .split(axis, parts)
    }
  }

  mutating func makeEven() {
    guard case .split(let axis, var parts) = self else { return }
    for index in parts.indices {
      parts[index].share = 1
      parts[index].layout.makeEven()
    }
    self = .split(axis, parts)
  }

  /// Moves the edge of a pane to the right or down, by so many cells as its neighbours can spare.
  /// - Parameter atEnd: Its right or lower edge, else the left or upper one.
  /// - Returns: Whether there is such an edge between panes.
  mutating func moveEdge(of pane: Pane, atEnd: Bool, along axis: Axis, by distance: Int, in area: ScreenArea) -> Bool {
    guard case .split(let ownAxis, var parts) = self, let index = parts.firstIndex(where: { $0.layout.holds(pane) }),
      let areas = areas(of: parts, along: ownAxis, in: area)
    else { return false }
    defer { self = .split(ownAxis, parts) }
    if parts[index].layout.moveEdge(of: pane, atEnd: atEnd, along: axis, by: distance, in: areas[index]) { return true }
    let first = atEnd ? index : index - 1
    guard ownAxis == axis, parts.indices.contains(first), parts.indices.contains(first + 1) else { return false }
    var lengths = areas.map { axis == .across ? $0.columns.count : $0.rows.count }
    let spare = (first...first + 1).map { lengths[$0] - parts[$0].layout.neededLength(along: axis) }
    let moved = min(max(distance, -spare[0]), spare[1])
    lengths[first] += moved
    lengths[first + 1] -= moved
    for index in parts.indices { parts[index].share = lengths[index] }
    return true
  }

  private func holds(_ pane: Pane) -> Bool {
    switch self {
    case .pane(let own): own === pane
    case .split(_, let parts): parts.contains { $0.layout.holds(pane) }
    }
  }
}

extension Layout.Part {
  fileprivate func isSplit(along axis: Layout.Axis) -> Bool { if case .split(axis, _) = layout { true } else { false } }
}
