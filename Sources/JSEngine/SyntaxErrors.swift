/// Where a script cannot be parsed. The engine tells the line alone: the column is found by parsing the script again, up to
/// one place in that line after the other.
extension JSContext {
  /// Longer scripts are not parsed again.
  private static let longestScript = 1 << 20

  /// The error with a stack that begins where the script could not be parsed, if it is such an error.
  func located(_ error: JSException, in script: String, _ startingLine: Int) -> JSException {
    guard error.code == .thrown, error.name == "SyntaxError", let line = error.line,
      let parsed = syntaxError(of: script), parsed.message == error.message, let index = parsed.line
    else { return error }
    var error = error
    error.isUnparsed = true
    error.column = column(of: parsed, inLine: index, of: script)
    let place = "@\(error.sourceURL ?? ""):\(line):\(error.column ?? 0)"
    error.stack = [place, error.stack ?? ""].filter { !$0.isEmpty }.joined(separator: "\n")
    return error
  }

  private func syntaxError(of script: String) -> JSException? {
    do throws(JSException) { try parse(script) } catch { return error }
    return nil
  }

  private func column(of error: JSException, inLine number: Int, of script: String) -> Int? {
    let text = Array(script.utf16)
    guard text.count <= Self.longestScript, let line = Self.range(ofLine: number, in: text) else { return nil }
    // That the end is missing is an error of many a beginning, too.
    guard !error.message.hasPrefix("Unexpected end"), !error.message.hasPrefix("Unexpected EOF") else {
      return line.count + 1
    }
    // The first place behind which the error is there.
    var (low, high) = (line.lowerBound, line.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if fails(text[...middle], like: error) { high = middle } else { low = middle + 1 }
    }
    guard low < line.upperBound else { return line.count + 1 }
    // It ends what the parser did not expect.
    var first = low
    if Self.isWord(text[low]) {
      while first > line.lowerBound, Self.isWord(text[first - 1]) { first -= 1 }
    }
    return first - line.lowerBound + 1
  }

  private func fails(_ text: ArraySlice<UInt16>, like error: JSException) -> Bool {
    syntaxError(of: String(decoding: text, as: UTF16.self))?.message == error.message
  }

  private static func range(ofLine number: Int, in text: [UInt16]) -> Range<Int>? {
    var (line, start) = (1, 0)
    for (index, unit) in text.enumerated() where isLineBreak(unit) {
      // `\r\n` is one.
      if unit == 10, index > 0, text[index - 1] == 13 {
        if line <= number { start = index + 1 }
        continue
      }
      if line == number { return start..<index }
      (line, start) = (line + 1, index + 1)
    }
    return line == number ? start..<text.count : nil
  }

  private static func isLineBreak(_ unit: UInt16) -> Bool {
    unit == 10 || unit == 13 || unit == 0x2028 || unit == 0x2029
  }

  private static func isWord(_ unit: UInt16) -> Bool {
    switch unit {
    case 48...57, 65...90, 97...122, 36, 95, 0x80...: true
    default: false
    }
  }
}
