import EditorProtocol
import Rope
import Testing

@testable import EditorCore

/// To a pattern and to what is put in, a line end is `\n`; a file with returns keeps them.
@Suite struct LineEndTests {
  private func driver(_ text: String, lineEnding: String = "\r\n") -> CoreDriver {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.document?.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: Rope(text)), as: .other)
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["line_ending": .string(lineEnding)]))
    driver.edit("move_to_beginning_of_document")
    return driver
  }

  private func find(_ chars: String, regex: Bool, _ driver: CoreDriver) -> [Range<ByteOffset>] {
    driver.edit("find", ["chars": .string(chars), "case_sensitive": true, "regex": .bool(regex)])
    return driver.textView?.search.queries.first.map { $0.matches.map(\.range) } ?? []
  }

  private static let patterns: [(String, regex: Bool)] = [
    ("\n", false), ("a\nb", false), ("\n\n", false), ("b\n", false), ("\\n", true), ("a\\n", true), ("\\nb", true),
    ("[\\n]", true), ("[^\\n]+", true), ("a.*\\n", true), ("a$\\n^b", true), ("(?:a|b)?\\n+", true), ("\\n.", true),
    ("b[[:space:]]+a", true), ("(?<=\\n)a", true), ("a(?=\\n)", true),
  ]

  /// The same matches as where lines end in `\n` alone, each of the same characters.
  @Test(arguments: 0..<40 as Range<UInt64>)
  func patternsFindLineEnds(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let pieces = ["a", "b", "\r\n", "\r\n", "\n", "é", "\ra", " "]
    let text = (0..<30).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    let bytes = Array(text.utf8)
    // Where each byte of the plain text, and its end, stands in the other.
    var (plain, places): ([UInt8], [Int]) = ([], [])
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
      places.append(byte == 0x0A && index > 0 && bytes[index - 1] == 0x0D ? index - 1 : index)
      plain.append(byte)
    }
    places.append(bytes.count)
    let (with, without) = (driver(text), driver(String(decoding: plain, as: UTF8.self), lineEnding: "\n"))
    for (chars, regex) in Self.patterns {
      let expected = find(chars, regex: regex, without).map {
        ByteOffset(places[$0.lowerBound.value])..<ByteOffset(places[$0.upperBound.value])
      }
      #expect(find(chars, regex: regex, with) == expected, "\(chars) in \(bytes)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func replacementsPutInTheLineEndsOfTheText(seed: UInt64) {
    var random = SplitMix64(state: seed)
    let text = (0..<30).map { _ in ["a", "b", "\n", "c "].randomElement(using: &random) ?? "" }.joined()
    for (chars, regex) in Self.patterns + [("(a|b)(\\n+)", true)] {
      for replacement in ["x", "\n", "x\ny", regex ? "<$1$0$2>\\n" : "\n\n", ""] {
        let texts = ["\n", "\r\n"].map { end in
          let driver = driver(text.withLineEnds(end), lineEnding: end)
          _ = find(chars, regex: regex, driver)
          driver.edit("replace", ["chars": .string(replacement)])
          driver.edit("replace_all")
          return driver.document?.buffer.text
        }
        #expect(texts[0]?.withLineEnds("\r\n") == texts[1], "\(chars) by \(replacement) in \(text)")
      }
    }
  }

  /// As a table of control characters is looked for.
  @Test func aPatternThatNamesReturnsSeesThem() {
    let driver = driver("a\r\nb\n")
    #expect(find("\\r\\n", regex: true, driver) == [1..<3])
    #expect(find("\r\n", regex: false, driver) == [1..<3])
    #expect(find("\\r", regex: true, driver) == [1..<2])
  }

  @Test(arguments: ["insert", "paste"])
  func whatIsPutInEndsItsLinesAsTheTextDoes(method: String) {
    let driver = driver("a\r\n")
    driver.edit(method, ["chars": "x\ny\r\nz\n"])
    #expect(driver.document?.buffer.text == "x\r\ny\r\nz\r\na\r\n")
    let other = self.driver("a\n", lineEnding: "\n")
    other.edit(method, ["chars": "x\ny\r\n"])
    #expect(other.document?.buffer.text == "x\ny\r\na\n")
  }

  /// Regions are joined by newlines when they are killed.
  @Test func whatWasKilledComesBackWithReturns() {
    let driver = driver("ab\r\ncd\r\n")
    driver.edit("add_selection_below")
    driver.edit("delete_to_end_of_paragraph")
    driver.edit("collapse_selections")
    driver.edit("yank")
    #expect(driver.document?.buffer.text == "ab\r\ncd\r\n\r\n")
  }
}
