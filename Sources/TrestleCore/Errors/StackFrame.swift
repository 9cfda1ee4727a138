import Glibc

/// One line of a JavaScript stack: `function@source:line:column`, as JavaScriptCore writes it.
package struct StackFrame: Equatable {
  /// Empty for code outside of any function.
  package var function: String
  package var source: String
  /// From 1.
  package var line: Int
  /// From 1, in UTF-16 units; 0 if it is not known, as of syntax errors.
  package var column: Int

  /// Nil for frames without a place in a source, such as those of built-in functions.
  package init?(_ text: some StringProtocol) {
    let at = text.firstIndex(of: "@")
    let name = at.map { text[..<$0] } ?? text[..<text.startIndex]
    let parts = text[(at.map(text.index(after:)) ?? text.startIndex)...].split(
      separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 3, let line = Int(parts[parts.count - 2]), let column = Int(parts[parts.count - 1]),
      line >= 1, column >= 0
    else { return nil }
    function = name.hasSuffix(" code") ? "" : String(name)
    source = parts.dropLast(2).joined(separator: ":")
    self.line = line
    self.column = column
  }

  package init(source: String, line: Int, column: Int) {
    function = ""
    self.source = source
    self.line = line
    self.column = column
  }

  package static func all(in stack: String) -> [StackFrame] {
    stack.split(separator: "\n").compactMap { StackFrame($0) }
  }

  package var place: String { column == 0 ? "\(source):\(line)" : "\(source):\(line):\(column)" }

  /// Whether it lies in the JavaScript of the bridge or of a standard module, and nobody wants to see that.
  package var isInternal: Bool { source.hasPrefix("trestle:") && !Self.areInternalShown }

  /// For whoever works on the bridge.
  static let areInternalShown = getenv("TRESTLE_OWN_FRAMES") != nil
}
