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
    // By bytes: as a `Character`, a sign with a combining mark behind it is another.
    let text = Substring(text)
    let (bytes, colon) = (text.utf8, UInt8(ascii: ":"))
    let at = bytes.firstIndex(of: UInt8(ascii: "@"))
    let name = at.map { text[..<$0] } ?? text[..<text.startIndex]
    let place = text[(at.map(bytes.index(after:)) ?? text.startIndex)...]
    guard let second = place.utf8.lastIndex(of: colon), let first = place[..<second].utf8.lastIndex(of: colon),
      let line = Int(place[bytes.index(after: first)..<second]), let column = Int(place[bytes.index(after: second)...]),
      line >= 1, column >= 0
    else { return nil }
    function = name.hasSuffix(" code") ? "" : String(name)
    source = String(place[..<first])
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
    stack.utf8.split(separator: UInt8(ascii: "\n")).compactMap { StackFrame(Substring($0)) }
  }

  package var place: String { column == 0 ? "\(source):\(line)" : "\(source):\(line):\(column)" }

  /// Whether it lies in the JavaScript of the bridge or of a standard module, and nobody wants to see that.
  package var isInternal: Bool { source.hasPrefix("trestle:") && !Self.areInternalShown }

  /// For whoever works on the bridge.
  static let areInternalShown = getenv("TRESTLE_OWN_FRAMES") != nil
}
