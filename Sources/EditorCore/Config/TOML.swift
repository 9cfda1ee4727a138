import CTOML
import Glibc
import JSON

/// TOML 1.0 as the JSON that says the same: its tables are objects; dates and times are strings.
enum TOML {
  /// Why a text is no TOML.
  struct Malformed: Error, Equatable, CustomStringConvertible {
    /// From 1; nil when it cannot be told.
    var line: Int?
    var text: String

    var description: String { (line.map { "line \($0): " } ?? "") + text }
  }

  /// The parser recurses over tables within tables, which dotted keys make as deep as they are long.
  private static let dotLimit = 4096

  static func read(_ text: String) throws(Malformed) -> JSONObject {
    guard text.utf8.count(where: { $0 == UInt8(ascii: ".") }) <= dotLimit else {
      throw Malformed(text: "more than \(dotLimit) dots")
    }
    var text = text
    let result = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { ctoml_read($0.baseAddress, $0.count) }
    }
    guard let written = result.text else { throw Malformed(text: "no memory") }
    defer { free(written) }
    let answer = String(cString: written)
    guard result.line == 0 else { throw Malformed(line: Int(result.line), text: answer) }
    do throws(JSONError) {
      return try JSONValue(parsing: answer).object ?? JSONObject()
    } catch {
      throw Malformed(text: "tables nested too deep")
    }
  }
}
