import Glibc

/// What the title of a window tells of.
struct NamedView: Equatable {
  var path: String?
  var name: String
  var isClean: Bool

  var title: String {
    let path = path?.absolutePath
    let place = path.map { " (" + $0.folder.withHomeAsTilde + ")" } ?? ""
    return (name + (isClean ? "" : "*") + place + " - xiedit").withoutControls
  }
}

extension String {
  fileprivate var withHomeAsTilde: String {
    guard let home = getenv("HOME").map({ String(cString: $0) }), home.count > 1 else { return self }
    if self == home { return "~" }
    return utf8.starts(with: (home + "/").utf8) ? "~" + dropFirst(home.count) : self
  }

  fileprivate var withoutControls: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
