import JSON
import Rope

/// Guesses from a text how it is indented.
enum TextStyleDetection {
  private static let sampledByteCount = 64 << 10
  private static let sampledLineCount = 1000

  static func settings(of text: Rope) -> JSONObject {
    var settings = JSONObject()
    let sample = text.bytes(in: 0..<min(ByteOffset(sampledByteCount), text.endOffset))
    let lines = sample.split(separator: 0x0A, maxSplits: sampledLineCount, omittingEmptySubsequences: false)
    let tabbed = lines.count { $0.first == 0x09 }
    let indents = lines.map { $0.prefix { $0 == 0x20 }.count }.filter { $0 > 1 }
    if tabbed > indents.count {
      settings["translate_tabs_to_spaces"] = false
    } else if let width = commonStep(indents) {
      settings["translate_tabs_to_spaces"] = true
      settings["tab_size"] = JSONValue(width)
    }
    return settings
  }

  /// The smallest indentation of which most others are multiples.
  private static func commonStep(_ indents: [Int]) -> Int? {
    guard let smallest = indents.filter({ $0 <= 8 }).min() else { return nil }
    return indents.count { $0 % smallest == 0 } * 4 >= indents.count * 3 ? smallest : nil
  }
}
