/// Names a view, as the core chose it: `view-id-1`.
package struct ViewID: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(_ rawValue: String) { self.rawValue = rawValue }

  package var description: String { rawValue }
}

/// A place in a view: a visual line from 0, and UTF-8 bytes from the start of that line.
package struct LineColumn: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
