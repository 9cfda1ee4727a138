import EventLoop
import JSON

extension Bridge {
  /// What `trestle run` writes of an error that a script does not handle, and `BridgeConfiguration.onError` by default: what
  /// happened and where, the line itself, the stack, the error's own members, its causes. Ends with a line break. Of control
  /// characters there are but line breaks and tabs: others are shown, as they would reach a terminal, or the reader of a log.
  ///
  /// - Parameter text: the text of a source by its name, where it can be had: for the line. The name is a script's to choose.
  public static func report(
    of error: any Error, hasColor: Bool = false, text: @escaping (String) -> String? = { _ in nil }
  ) -> String {
    ErrorReport(hasColor: hasColor, text: text).lines(of: error, after: "Uncaught ").joined(separator: "\n") + "\n"
  }

  /// The same as lines, behind another word than "Uncaught".
  package static func reportLines(
    of error: any Error, after prefix: String, hasColor: Bool, text: @escaping (String) -> String?
  ) -> [String] {
    ErrorReport(hasColor: hasColor, text: text).lines(of: error, after: prefix)
  }

  /// Writes it to standard error, at once.
  static let writeReport: @Sendable (any Error) -> Void = { error in StandardStream.error.write(report(of: error)) }
}

/// An error that stands for another, of which it tells more.
package protocol WrappingError: Error {
  var wrapped: JavaScriptError { get }
}

private struct ErrorReport {
  let hasColor: Bool
  let text: (String) -> String?

  private static let deepestCause = 8

  func lines(of error: any Error, after prefix: String, depth: Int = 0) -> [String] {
    let error = (error as? any WrappingError)?.wrapped ?? error
    guard let error = error as? JavaScriptError else { return lines(ofNative: error, after: prefix, depth: depth) }
    var lines = [Style.title.applied(to: prefix + error.title.withVisibleControls, hasColor: hasColor)]
    let all = StackFrame.all(in: error.stack ?? "").filter { !$0.isInternal }
    if depth == 0, let frame = all.first { lines += excerpt(of: frame) }
    lines += Self.folded(all.map(line))
    if let code = error.code { lines.append("    code: \(code.withVisibleControls)") }
    for member in error.properties where member.key != "errors" {
      lines.append("    \(member.key): \(member.value)".withVisibleControls)
    }
    let others = error.properties["errors"]?.array ?? []
    guard depth < Self.deepestCause else {
      return error.cause == nil && others.isEmpty ? lines : lines + ["    … with causes of its own"]
    }
    for one in others {
      // What `Promise.any` or a script has put there need not be errors.
      let inner =
        one.object == nil ? JavaScriptError(name: "", message: one.string ?? "\(one)") : JavaScriptError(told: one)
      lines += self.lines(of: inner, after: "one of them: ", depth: depth + 1).map { "  " + $0 }
    }
    if let cause = error.cause {
      lines += self.lines(of: cause, after: "caused by: ", depth: depth + 1).map { "  " + $0 }
    }
    return lines
  }

  private func lines(ofNative error: any Error, after prefix: String, depth: Int) -> [String] {
    var title = "\(error)"
    var cause: (any Error)?
    if var error = error as? BridgeError {
      // A Swift error is told of by the words of its method's; of a script there is more to tell.
      if error.cause is JavaScriptError { (cause, error.cause) = (error.cause, nil) }
      title = "\(error)"
    }
    let lines = [Style.title.applied(to: prefix + title.withVisibleControls, hasColor: hasColor)]
    guard let cause, depth < Self.deepestCause else { return lines }
    return lines + self.lines(of: cause, after: "caused by: ", depth: depth + 1).map { "  " + $0 }
  }

  private func line(_ frame: StackFrame) -> String {
    let place = Style.place.applied(to: frame.place.withVisibleControls, hasColor: hasColor)
    return frame.function.isEmpty ? "    at \(place)" : "    at \(frame.function.withVisibleControls) (\(place))"
  }

  /// So many frames that come again together are found; so many times in a row they are shown.
  private static let (longestCycle, mostShown) = (8, 2)

  /// Of functions that call each other without end.
  private static func folded(_ lines: [String]) -> [String] {
    var shown: [String] = []
    var rest = lines[...]
    search: while let first = rest.first {
      for length in 1...longestCycle where length * 2 <= rest.count {
        let repeated = zip(rest, rest.dropFirst(length)).prefix { $0 == $1 }.count
        let more = repeated / length + 1 - mostShown
        guard more >= mostShown else { continue }
        shown += rest.prefix(mostShown * length) + ["    … \(more * length) more of the same"]
        rest = rest.dropFirst((mostShown + more) * length)
        continue search
      }
      shown.append(first)
      rest = rest.dropFirst()
    }
    return shown
  }

  /// The line with a caret below the column.
  private func excerpt(of frame: StackFrame) -> [String] {
    guard let text = text(frame.source), let line = Self.line(frame.line, of: text) else { return [] }
    let number = String(frame.line)
    let margin = String(repeating: " ", count: number.count)
    let excerpt = [Style.faint.applied(to: "  \(number) | ", hasColor: hasColor) + line.withVisibleControls]
    if frame.column == 0 { return excerpt }
    // Tabs stay tabs, so that the caret stands where the terminal puts the column.
    let before = String(decoding: line.utf16.prefix(frame.column - 1), as: UTF16.self).withVisibleControls
    let padding = before.utf16.map { $0 == 9 ? "\t" : " " }.joined()
    return excerpt + [
      Style.faint.applied(to: "  \(margin) | ", hasColor: hasColor) + padding
        + Style.title.applied(to: "^", hasColor: hasColor)
    ]
  }

  private static let longestLine = 400

  /// By the line ends of JavaScript, of which the engine's numbers are.
  private static func line(_ number: Int, of text: String) -> String? {
    guard number >= 1 else { return nil }
    var text = text
    return text.withUTF8 { bytes in
      var start = 0
      for _ in 1..<number {
        guard let end = lineEnd(from: start, in: bytes) else { return nil }
        start = end.upperBound
      }
      let end = lineEnd(from: start, in: bytes)?.lowerBound ?? bytes.count
      let line = String(decoding: bytes[start..<end], as: UTF8.self)
      return line.utf16.count <= longestLine ? line : nil
    }
  }

  /// `\n`, `\r`, `\r\n`, U+2028 or U+2029.
  private static func lineEnd(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    for index in start..<bytes.count {
      switch bytes[index] {
      case 10: return index..<index + 1
      case 13: return index..<index + (bytes[(index + 1)...].first == 10 ? 2 : 1)
      case 0xE2
      where bytes[index...].starts(with: [0xE2, 0x80, 0xA8]) || bytes[index...].starts(with: [0xE2, 0x80, 0xA9]):
        return index..<index + 3
      default: continue
      }
    }
    return nil
  }
}

/// The styles of a report.
private enum Style: String {
  case title = "1;31"
  case place = "36"
  case faint = "2"

  func applied(to text: String, hasColor: Bool) -> String {
    hasColor ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}
