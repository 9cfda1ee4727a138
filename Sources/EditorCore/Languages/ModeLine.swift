import EditorProtocol
import Rope

/// What a text says of its language: `-*- mode: python -*-`, `vim: set ft=python :`, `#!/usr/bin/env python3`.
enum ModeLine {
  /// So many lines at each end may say it, as in vim.
  private static let lineCount = 5
  private static let longestByteCount = 4096

  /// The first lines, and the last ones, that may have it.
  static func lines(of text: Rope) -> (first: [String], last: [String]) {
    let count = min(ByteOffset(longestByteCount), text.endOffset)
    let (start, end) = (
      text.string(in: 0..<count), text.string(in: ByteOffset(text.byteCount - count.value)..<text.endOffset)
    )
    return (Array(lines(of: start).prefix(lineCount)), Array(lines(of: end).suffix(lineCount)))
  }

  private static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  static func mode(in lines: [String]) -> String? {
    for line in lines { if let mode = emacsMode(of: line) ?? vimMode(of: line) { return mode } }
    return nil
  }

  private static func emacsMode(of line: String) -> String? {
    let parts = line.split(separator: "-*-", omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return nil }
    let settings = parts[1].split(separator: ";")
    guard parts[1].contains(":") else { return settings.first.map { trimmed($0) } }
    for setting in settings {
      let pair = setting.split(separator: ":", maxSplits: 1)
      if pair.count == 2, trimmed(pair[0]).lowercased() == "mode" { return trimmed(pair[1]) }
    }
    return nil
  }

  private static func vimMode(of line: String) -> String? {
    guard line.contains("vi:") || line.contains("vim:") || line.contains("ex:") else { return nil }
    for word in line.split(whereSeparator: { $0 == " " || $0 == ":" || $0 == "\t" }) {
      let pair = word.split(separator: "=", maxSplits: 1)
      if pair.count == 2, ["ft", "filetype", "syntax", "syn"].contains(pair[0]) { return String(pair[1]) }
    }
    return nil
  }

  /// The program of a `#!` line: behind `env` the one that it starts.
  static func interpreter(of line: String) -> String? {
    guard line.hasPrefix("#!") else { return nil }
    let words = line.dropFirst(2).split(separator: " ")
    guard let program = words.first.map({ String($0).pathName }) else { return nil }
    guard program == "env" else { return program }
    let started = words.dropFirst().first { !$0.hasPrefix("-") && !$0.contains("=") }
    return started.map { String($0).pathName }
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
