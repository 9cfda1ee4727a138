import EditorProtocol
import Glibc

/// Parts of a path.
extension String {
  var lastPathPart: String { pathName }

  /// The part before the last `/`; empty for a bare name.
  var folder: String { pathFolder ?? "" }

  /// From the root, where the front end knows the folder that it was started in.
  var absolutePath: String {
    if hasPrefix("/") { return self }
    guard let folder = getcwd(nil, 0) else { return self }
    defer { free(folder) }
    let start = String(cString: folder)
    return (start.hasSuffix("/") ? start : start + "/") + self
  }

  /// Two buffers of one file would take each other's text for another program's.
  func leadsToSameFile(as other: String) -> Bool {
    if isSamePath(as: other) { return true }
    var (own, others) = (stat(), stat())
    return stat(self, &own) == 0 && stat(other, &others) == 0 && own.st_ino == others.st_ino
      && own.st_dev == others.st_dev
  }
}
