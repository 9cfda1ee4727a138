import Trestle
import TrestleModules

/// An error that a script did not handle, as the user reads it: what, where, the line itself, and the stack.
struct ErrorReport {
  var title: String
  var frames: [StackFrame] = []
  var causes: [String] = []

  init(_ error: any Error) {
    switch error {
    case let error as JSException: self.init(exception: error)
    case let exception as ReportedException: self.init(exception.error)
    case let error as JavaScriptError:
      self.init(title: Self.title(error.name, error.message))
      frames = StackFrame.all(in: error.stack ?? "")
    default: self.init(title: "\(error)")
    }
  }

  private init(title: String) { self.title = title }

  private init(exception: JSException) {
    self.init(title: Self.title(exception.name, exception.message))
    frames = StackFrame.all(in: exception.stackWithPlace ?? "")
    causes = exception.causes.map { Self.title($0.name, $0.message) }
  }

  private static func title(_ name: String, _ message: String) -> String {
    if name.isEmpty { return message }
    return message.isEmpty ? name : "\(name): \(message)"
  }

  /// - Parameter text: the text of a source by its name, if it can be had.
  func rendered(hasColor: Bool, text: (String) -> String?) -> String {
    var lines = [Style.title.applied(to: "Uncaught \(title)", hasColor: hasColor)]
    if let frame = frames.first(where: { !$0.isInternal }) {
      lines += excerpt(of: frame, from: text(frame.source), hasColor: hasColor)
    }
    for frame in frames where !frame.isInternal {
      let place = Style.place.applied(to: frame.place, hasColor: hasColor)
      lines.append(frame.function.isEmpty ? "    at \(place)" : "    at \(frame.function) (\(place))")
    }
    lines += causes.map { "  caused by: \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The line with a caret below the column.
  private func excerpt(of frame: StackFrame, from text: String?, hasColor: Bool) -> [String] {
    guard let text, let line = Self.line(frame.line, of: text) else { return [] }
    let number = String(frame.line)
    let margin = String(repeating: " ", count: number.count)
    let excerpt = [Style.faint.applied(to: "  \(number) | ", hasColor: hasColor) + line]
    if frame.column == 0 { return excerpt }
    // Tabs stay tabs, so that the caret stands where the terminal puts the column.
    let padding = line.utf16.prefix(frame.column - 1).map { $0 == 9 ? "\t" : " " }.joined()
    return excerpt + [
      Style.faint.applied(to: "  \(margin) | ", hasColor: hasColor) + padding
        + Style.title.applied(to: "^", hasColor: hasColor)
    ]
  }

  private static let longestLine = 400

  private static func line(_ number: Int, of text: String) -> String? {
    let lines = text.split(separator: "\n", maxSplits: number, omittingEmptySubsequences: false)
    guard number >= 1, number <= lines.count, lines[number - 1].utf16.count <= longestLine else { return nil }
    let line = lines[number - 1]
    return String(line.hasSuffix("\r") ? line.dropLast() : line)
  }
}
