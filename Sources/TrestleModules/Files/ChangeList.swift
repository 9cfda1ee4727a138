import Trestle

/// Changes in their order, those of one path as one where that tells the same.
///
/// The law: who does to what was there what the list says has what is there now. `created` and `renamed` may take the place of a file or an
/// empty folder; `removed` takes along all that is below.
struct ChangeList: Sendable {
  /// How something has come to its path.
  enum Arrival {
    /// Nothing was there before.
    case made
    /// Something may have been there, or may have been told already.
    case found
  }

  private struct Entry {
    var change: FileChange
    let path: [CChar]
    let from: [CChar]?
    let isFolder: Bool
    let arrival: Arrival
    /// Of what is removed: it was there before the first of these changes, and not only between them perhaps.
    var wasThere = true
  }

  private var entries: [Entry?] = []
  /// The last change of a path.
  private var last: [[CChar]: Int] = [:]
  /// Where a folder has gone from a path or come to it: what was told of paths below before is of others.
  private var turns: [[CChar]: Int] = [:]
  /// How many changes are told of paths below a folder.
  private var below: [[CChar]: Int] = [:]

  var isEmpty: Bool { last.isEmpty && entries.isEmpty }

  mutating func take() -> [FileChange] {
    defer { self = ChangeList() }
    return entries.compactMap { $0?.change }
  }

  /// More has changed than can be told.
  mutating func overflow() {
    self = ChangeList()
    append(.overflow, [])
  }

  mutating func create(_ path: [CChar], isFolder: Bool, _ arrival: Arrival) {
    guard let (index, before) = lastEntry(path) else { return append(.created, path, isFolder, arrival) }
    switch before.change.kind {
    case .created where before.isFolder == isFolder: break
    // Nothing was below it, and nothing is.
    case .removed where !before.isFolder && !isFolder:
      entries[index]?.change.kind = before.wasThere ? .changed : .created
    case .removed: append(.created, path, isFolder, .made)
    default: append(.created, path, isFolder, .found)
    }
  }

  mutating func change(_ path: [CChar], isFolder: Bool) {
    switch lastEntry(path)?.entry.change.kind {
    case .created?, .changed?, .removed?: break
    case .renamed?, .overflow?, nil: append(.changed, path, isFolder)
    }
  }

  mutating func remove(_ path: [CChar], isFolder: Bool) {
    let before = lastEntry(path)?.entry
    var wasThere = true
    switch before?.change.kind {
    case .removed? where before?.isFolder == isFolder: return
    case .created? where before?.arrival == .made && dropBelow(path):
      drop(path)
      if isFolder { turns[path] = entries.count }
      return
    case .created? where below[path, default: 0] == 0:
      drop(path)
      wasThere = false
    case .changed? where before?.isFolder == isFolder && !isFolder: drop(path)
    default: break
    }
    append(.removed, path, isFolder)
    entries[entries.count - 1]?.wasThere = wasThere
    if isFolder { turns[path] = entries.count }
  }

  /// - Returns: whether it was never told where it was: then what is below it has to be told where it is.
  mutating func rename(_ path: [CChar], to newPath: [CChar], isFolder: Bool, replacesNothing: Bool) -> Bool {
    let isNew = isNew(path) && (!isFolder || dropBelow(path))
    if isNew { drop(path) }
    if isFolder { (turns[path], turns[newPath]) = (entries.count, entries.count) }
    if isNew {
      last[path] = nil
      create(newPath, isFolder: isFolder, replacesNothing ? .made : .found)
    } else {
      // Both are gone with what comes.
      if let before = lastEntry(newPath)?.entry, !before.isFolder, before.change.kind != .renamed { drop(newPath) }
      append(.renamed, newPath, isFolder, from: path)
      last[path] = nil
    }
    return isNew
  }

  /// Whether it is told that it has come from elsewhere, with all that is below it.
  func hasMoved(to path: [CChar]) -> Bool { lastEntry(path)?.entry.change.kind == .renamed }

  private func isNew(_ path: [CChar]) -> Bool {
    guard let entry = lastEntry(path)?.entry else { return false }
    return entry.change.kind == .created && entry.arrival == .made
  }

  /// Of what has been made there.
  ///
  /// - Returns: false, and all stays, if something of before is below it.
  private mutating func dropBelow(_ path: [CChar]) -> Bool {
    guard below[path, default: 0] > 0, let first = last[path] else { return true }
    let start = path + [47]
    let indices = entries.indices[first...].filter { index in
      guard let entry = entries[index] else { return false }
      return entry.path.starts(with: start) || entry.from?.starts(with: start) == true
    }
    guard indices.allSatisfy({ entries[$0]?.change.kind == .created }) else { return false }
    for index in indices { drop(at: index) }
    return true
  }

  private func lastEntry(_ path: [CChar]) -> (index: Int, entry: Entry)? {
    guard let index = last[path], let entry = entries[index] else { return nil }
    if !turns.isEmpty {
      guard Self.folders(above: path).allSatisfy({ turns[Array($0), default: 0] <= index }) else { return nil }
    }
    return (index, entry)
  }

  private mutating func append(
    _ kind: ChangeKind, _ path: [CChar], _ isFolder: Bool = false, _ arrival: Arrival = .found, from: [CChar]? = nil
  ) {
    last[path] = entries.count
    entries.append(
      Entry(
        change: FileChange(kind, text(path), from: from.map(text)), path: path, from: from, isFolder: isFolder,
        arrival: arrival))
    count(path, from, 1)
  }

  private mutating func drop(_ path: [CChar]) {
    guard let index = last[path] else { return }
    drop(at: index)
  }

  private mutating func drop(at index: Int) {
    guard let entry = entries[index] else { return }
    entries[index] = nil
    if last[entry.path] == index { last[entry.path] = nil }
    count(entry.path, entry.from, -1)
  }

  private mutating func count(_ path: [CChar], _ from: [CChar]?, _ step: Int) {
    for path in [path, from ?? []] {
      for folder in Self.folders(above: path) { below[Array(folder), default: 0] += step }
    }
  }

  private static func folders(above path: [CChar]) -> some Sequence<ArraySlice<CChar>> {
    path.indices.lazy.filter { path[$0] == 47 }.map { path[..<$0] }
  }

  private func text(_ path: [CChar]) -> String { (path + [0]).text }
}
