/// Changes in their order, those of one path as one.
struct ChangeList: Sendable {
  /// What has left its path, and may come to another.
  struct Leaving: Sendable {
    let path: [CChar]
    let isNew: Bool
  }

  private var changes: [FileChange?] = []
  /// The last change of a path.
  private var last: [[CChar]: Int] = [:]

  mutating func take() -> [FileChange] {
    defer { self = ChangeList() }
    return changes.compactMap { $0 }
  }

  mutating func note(_ kind: ChangeKind, _ path: [CChar], from: [CChar]? = nil) {
    if let index = last[path], let before = changes[index]?.kind {
      switch (before, kind) {
      case (.created, .created), (.created, .changed), (.changed, .changed), (.removed, .removed): return
      case (.created, .removed):
        drop(path)
        return
      case (.removed, .created):
        changes[index]?.kind = .changed
        return
      case (.changed, .removed): drop(path)
      default: break
      }
    }
    last[path] = changes.count
    changes.append(FileChange(kind, text(path), from: from.map(text)))
  }

  mutating func leave(_ path: [CChar], isFolder: Bool = false) -> Leaving {
    let isNew = last[path].flatMap { changes[$0]?.kind } == .created
    // What is in it is told where that arrives.
    if isNew, isFolder { for below in last.keys where below.starts(with: path + [47]) { drop(below) } }
    note(.removed, path)
    return Leaving(path: path, isNew: isNew)
  }

  mutating func arrive(_ path: [CChar], from leaving: Leaving) {
    // Nobody has heard of it, or something else has come to its place.
    guard !leaving.isNew, last[leaving.path].flatMap({ changes[$0]?.kind }) == .removed else {
      return note(.created, path)
    }
    drop(leaving.path)
    drop(path)
    note(.renamed, path, from: leaving.path)
  }

  private mutating func drop(_ path: [CChar]) { if let index = last.removeValue(forKey: path) { changes[index] = nil } }

  private func text(_ path: [CChar]) -> String { (path + [0]).text }
}
