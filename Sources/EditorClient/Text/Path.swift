import EditorProtocol
import Glibc

/// Parts of a path.
extension String {
  var lastPathPart: String { pathName }

  /// The part before the last `/`; empty for a bare name.
  var folder: String { pathFolder ?? "" }

  /// Two buffers of one file would take each other's text for another program's.
  func leadsToSameFile(as other: String) -> Bool {
    if isSamePath(as: other) { return true }
    var (own, others) = (stat(), stat())
    return stat(self, &own) == 0 && stat(other, &others) == 0 && own.st_ino == others.st_ino
      && own.st_dev == others.st_dev
  }
}
