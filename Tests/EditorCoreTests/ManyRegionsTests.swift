import EditorProtocol
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// What a command does at many regions at once is what it does at each of them alone: it walks through the text once for all of them.
@Suite struct ManyRegionsTests {
  private static let pieces = [
    "a", "word", "Two words", " ", " ", "  ", "\t", "é", "İ", "e\u{301}", "\u{301}", "日本語", "👩‍🚀", "- ", "1. ", "// ",
    "//", "> ", "(", ")", "{", "}", "()", "\"", "'", ",", ";", ".", "x = foo(bar)", "if (a) {", "else", "\r", "-12",
    "a long line of many words that is broken",
  ]

  /// Lines with an empty one behind them, which a region stands in.
  private struct Block {
    let text: Rope
    let region: Range<Int>

    init(_ random: inout SplitMix64) {
      let lines = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 1..<7, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      }
      let lineEnding = Int.random(in: 0..<5, using: &random) == 0 ? "\r\n" : "\n"
      let content = Rope(lines.joined(separator: lineEnding))
      text = Rope([content, Rope(lineEnding), Rope(lineEnding)].flatMap { $0.bytes(in: $0.fullRange) })
      let places = (0...content.byteCount).filter { content.isBetweenClusters(ByteOffset($0)) }
      let first = places.randomElement(using: &random) ?? 0
      let last = Bool.random(using: &random) ? first : places.randomElement(using: &random) ?? 0
      region = min(first, last)..<max(first, last)
    }
  }

  @Test(
    arguments: [
      ("capitalize", ""), ("xiedit_reflow", ""), ("xiedit_join_lines", ""), ("xiedit_toggle_comment", ""),
      ("xiedit_expand_selection", ""), ("insert_newline", ""), ("insert", "("), ("insert", "\""),
      ("increase_number", ""), ("selection_into_lines", ""), ("move_down", ""), ("move_up", ""),
      ("duplicate_line", ""),
    ], ["swift", "python", "css", "markdown", "text"])
  func areAsEachAlone(_ command: (name: String, chars: String), _ language: String) throws {
    for seed in 0..<12 as Range<UInt64> {
      var random = SplitMix64(state: seed)
      let first = Block(&random)
      // A pair is put in where it may be at all of them.
      let blocks = (0..<6).map { _ in command.chars.isEmpty ? Block(&random) : first }
      let text = Rope(blocks.flatMap { $0.text.bytes(in: $0.text.fullRange) })
      var start = 0
      let starts = blocks.map { block in
        defer { start += block.text.byteCount }
        return start
      }
      let regions = zip(blocks, starts).map { ($0.region.lowerBound + $1)..<($0.region.upperBound + $1) }
      let all = try perform(command, language, text, at: regions)
      var (bytes, selection) = ([UInt8](), Selection())
      for (index, region) in regions.enumerated() {
        let alone = try perform(command, language, text, at: [region])
        // What is before its own lines, and behind them, is as it was.
        let end = alone.text.byteCount - (text.byteCount - starts[index] - blocks[index].text.byteCount)
        bytes += alone.text.bytes(in: ByteOffset(starts[index])..<ByteOffset(end))
        let shift = bytes.count - end
        for region in alone.selection.regions {
          selection.add(SelectionRegion(region.anchor + shift, region.active + shift, column: region.column))
        }
      }
      #expect(all.text == Rope(bytes), "\(seed): \(text.string(in: text.fullRange).debugDescription) \(regions)")
      #expect(all.selection == selection, "\(seed): \(text.string(in: text.fullRange).debugDescription) \(regions)")
    }
  }

  private func perform(
    _ command: (name: String, chars: String), _ language: String, _ text: Rope, at regions: [Range<Int>]
  ) throws -> (text: Rope, selection: Selection) {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.notify(.setLanguage(driver.view, languageID: language))
    driver.document?.commit(Delta(baseByteCount: 0, replacing: 0..<0, with: text), as: .other)
    let view = try #require(driver.textView)
    #expect(view.text == text)
    var selection = Selection()
    for region in regions {
      selection.add(SelectionRegion(ByteOffset(region.lowerBound), ByteOffset(region.upperBound)))
    }
    view.select(selection)
    driver.edit(command.name, command.chars.isEmpty ? [] : ["chars": .string(command.chars)])
    return (view.text, view.selection)
  }

  /// Words are found in one walk, and those of a region put in as one piece.
  @Test(arguments: 0..<30 as Range<UInt64>) func capitalizesWordByWord(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    let block = Block(&random)
    let text = block.text
    let (first, last) = (ByteOffset(block.region.lowerBound), ByteOffset(block.region.upperBound))
    var words = [text.wordRange(around: first)]
    while let word = words.last, word.upperBound <= last, let end = text.wordEnd(after: word.upperBound) {
      words.append(text.wordRange(around: end))
    }
    var (wanted, end) = (text, ByteOffset(0))
    var edits = Delta.Builder(baseByteCount: text.byteCount)
    for word in words where word.lowerBound >= end {
      let string = text.string(in: word)
      edits.replace(word, with: Rope(string.prefix(1).uppercased() + string.dropFirst().lowercased()))
      end = word.upperBound
    }
    wanted.apply(edits.build())
    #expect(try perform(("capitalize", ""), "text", text, at: [block.region]).text == wanted)
  }
}
