import EditorProtocol

extension PathCompletion {
  private static let mostNames = 1000

  /// What the typed path is here, and may become. A folder that cannot be read has no names.
  init(of typed: String, home: String?, in system: any FileSystem) {
    var path = typed
    if let home, typed == "~" || typed.hasPrefix("~/") { path = home + typed.dropFirst() }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let start = path.dropFirst(folder.count)
    let names = ((try? system.names(inDirectory: folder.isEmpty ? "." : folder)) ?? []).filter {
      $0.hasPrefix(start) && (!start.isEmpty || !$0.hasPrefix("."))
    }
    self.init(
      path: path,
      names: names.sorted().prefix(Self.mostNames).map {
        let kind = try? system.status(at: folder + $0, followingLinks: true)?.kind
        return kind == .directory ? $0 + "/" : $0
      })
  }
}
