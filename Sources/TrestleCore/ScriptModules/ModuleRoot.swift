/// The folder that the files of modules lie in.
struct ModuleRoot: Sendable {
  /// As the host has named it, and without links: each ends with a slash.
  private let named: String
  private let real: String

  init(_ folder: String) {
    let folder = FileModuleLoader.normalized(folder)
    named = Self.folder(folder)
    real = FileModuleLoader.withoutLinks(folder).map(Self.folder) ?? named
  }

  private static func folder(_ path: String) -> String { FileModuleLoader.join(path, "") }

  /// Whether a path without links lies in it.
  func holds(_ path: String) -> Bool { lies(path, in: real) }

  /// Whether an absolute path without `..` lies in it, by its text alone: links may still lead out.
  func covers(_ path: String) -> Bool { lies(path, in: named) || lies(path, in: real) }

  private func lies(_ path: String, in folder: String) -> Bool {
    path.utf8.starts(with: folder.utf8) || path.utf8.elementsEqual(folder.utf8.dropLast())
  }

  /// What is said of a file elsewhere.
  var refusal: String { "it lies outside of \(named == "/" ? named : String(named.dropLast()))" }
}
