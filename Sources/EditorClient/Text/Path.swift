import Glibc

import EditorProtocol

/// Parts of a path.
extension String {
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

  /// Of a whole path what is below the working folder, if it is.
  var fromHere: String {
    let here = "".absolutePath
    return utf8.starts(with: here.utf8) ? String(Substring(utf8.dropFirst(here.utf8.count))) : self
  }
}

extension String {
  /// To be told of: a name may hold what begins a new line.
  var inOneLine: String { utf8.contains(0x0A) ? replacing("\n", with: "\u{2424}") : self }
}
