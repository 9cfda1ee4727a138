import EditorProtocol
import Glibc

/// A shell pattern for files: one with a `/` is for whole paths, any other for their last part.
struct FilePattern {
  let pattern: String

  init(_ pattern: String) { self.pattern = pattern }

  func matches(_ path: String) -> Bool {
    let subject = pattern.contains("/") ? path : path.pathName
    return fnmatch(pattern, subject, 0) == 0
  }
}
