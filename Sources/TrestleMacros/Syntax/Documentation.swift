import SwiftSyntax

extension SyntaxProtocol {
  /// The text of the doc comment before the declaration, without its markers; nil if there is none.
  var documentation: String? {
    var lines: [String] = []
    for piece in leadingTrivia {
      switch piece {
      case .docLineComment(let comment): lines.append(comment.dropFirst(3).droppingOneSpace)
      case .docBlockComment(let comment): lines += blockCommentLines(comment)
      case .lineComment, .blockComment: lines = []
      default: break
      }
    }
    let text = lines.joined(separator: "\n").trimmingWhitespace
    return text.isEmpty ? nil : text
  }

  /// `, documentation: "…"`, or nothing.
  var documentationArgument: String {
    documentation.map { ", documentation: \($0.swiftLiteral)" } ?? ""
  }
}

private func blockCommentLines(_ comment: String) -> [String] {
  let lines = comment.dropFirst(3).dropLast(2).split(separator: "\n", omittingEmptySubsequences: false)
  return lines.map { line in
    let content = line.drop { $0 == " " || $0 == "\t" }
    return content.hasPrefix("*") ? content.dropFirst().droppingOneSpace : String(content)
  }
}

extension StringProtocol {
  fileprivate var droppingOneSpace: String { String(hasPrefix(" ") ? dropFirst() : self[...]) }

  fileprivate var trimmingWhitespace: String {
    let start = drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }

  /// A string literal of Swift, on one line.
  var swiftLiteral: String {
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case _ where scalar.value < 0x20: literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
