import Glibc

extension Editor {
  /// What the window is to be called, without anything that a terminal obeys.
  ///
  /// Nil when that is as it was the last time, which costs little.
  package func takeTitle() -> String? {
    guard let view else { return nil }
    let named = NamedView(path: view.path, name: view.name, isClean: isClean(view))
    guard named != titledView else { return nil }
    titledView = named
    return title(of: view)
  }

  /// Whatever the window was called, it is to be told again.
  package func forgetTitle() { titledView = nil }

  private func title(of view: EditorView) -> String {
    let path = view.path?.absolutePath
    let place = path.map { " (" + $0.folder.withHomeAsTilde + ")" } ?? ""
    return (view.name + (isClean(view) ? "" : "*") + place + " - xiedit").withoutControls
  }
}

/// What a title tells of.
struct NamedView: Equatable {
  var path: String?
  var name: String
  var isClean: Bool
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
