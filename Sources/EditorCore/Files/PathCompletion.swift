import EditorProtocol

extension PathCompletion {
  private static let mostNames = 1000

  /// What the typed path is here, and may become. A folder that cannot be read has no names.
  init(of typed: String, home: String?, in system: any FileSystem) {
    var path = typed
    if let home, typed == "~" || typed.utf8.starts(with: "~/".utf8) { path = home + typed.dropFirst() }
    let folder = String(path.pathStart)
    let start = path.utf8.dropFirst(folder.utf8.count)
    let names = ((try? system.names(inDirectory: folder.isEmpty ? "." : folder)) ?? []).filter {
      $0.utf8.starts(with: start) && (!start.isEmpty || $0.utf8.first != UInt8(ascii: "."))
    }
    self.init(
      path: path,
      names: names.sorted().prefix(Self.mostNames).map {
        let kind = try? system.status(at: folder + $0, followingLinks: true)?.kind
        return kind == .directory ? $0 + "/" : $0
      })
  }
}
