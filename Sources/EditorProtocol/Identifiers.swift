/// Names a view, as the core chose it: `view-id-1`.
package struct ViewID: Hashable, Sendable, RawRepresentable, CustomStringConvertible, WireValue {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(_ rawValue: String) { self.rawValue = rawValue }

  package var description: String { rawValue }

  static let blank = ViewID("")
}

/// A place in a view: a visual line from 0, and UTF-8 bytes from the start of that line.
package struct LineColumn: Hashable, Comparable, Sendable, WireObject {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  static let blank = LineColumn(line: 0, column: 0)
  func passed(over wire: inout Wire) throws(ProtocolError) -> Self {
    try passed(over: &wire, column: "column")
  }

  /// Some messages have another name for the column.
  func passed(over wire: inout Wire, column name: String) throws(ProtocolError) -> Self {
    try LineColumn(line: wire("line", line), column: wire(name, column))
  }
}
