import Glibc
import JSON

/// Recorded typing: patches at positions in code points, and the text that they end in.
struct EditingTrace {
  struct Patch {
    let range: Range<Int>
    let text: [UInt8]
  }

  struct UnreadableTrace: Error {
    let path: String
  }

  let name: String
  let start: [UInt8]
  let end: [UInt8]
  let patches: [Patch]

  /// Reads a trace in the format of josephg/editing-traces, gzipped if its name ends in `.gz`.
  init(path: String) throws {
    let json = try JSONValue(parsing: EditingTrace.contents(path: path))
    guard let start = json["startContent"]?.string, let end = json["endContent"]?.string,
      let transactions = json["txns"]?.array
    else { throw UnreadableTrace(path: path) }
    name = String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "trace")
    self.start = Array(start.utf8)
    self.end = Array(end.utf8)
    patches = try transactions.flatMap { $0["patches"]?.array ?? [] }.map { patch in
      guard let position = patch[0]?.int, let count = patch[1]?.int, let text = patch[2]?.string else {
        throw UnreadableTrace(path: path)
      }
      return Patch(range: position..<(position + count), text: Array(text.utf8))
    }
  }

  /// Typing in bursts, with jumps and deletions, that ends in about 60 kB of ASCII.
  init(syntheticPatches count: Int) {
    var patches: [Patch] = []
    var model: [UInt8] = []
    var caret = 0
    var state: UInt64 = 1
    for step in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let random = Int(state >> 33)
      if random % 12 == 0, !model.isEmpty { caret = random / 12 % model.count }
      let removed = random % 7 == 0 ? min(caret, 1 + random / 7 % 4) : 0
      let text =
        removed > 0 ? [] : Array(repeating: step % 40 == 0 ? 10 : UInt8(97 + random % 26), count: 1 + random % 3)
      patches.append(Patch(range: (caret - removed)..<caret, text: text))
      model.replaceSubrange((caret - removed)..<caret, with: text)
      caret += text.count - removed
    }
    name = "synthetic"
    start = []
    end = model
    self.patches = patches
  }

  private static func contents(path: String) throws -> [UInt8] {
    let quoted = "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    guard let pipe = popen((path.hasSuffix(".gz") ? "gzip -dc " : "cat ") + quoted, "r") else {
      throw UnreadableTrace(path: path)
    }
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { contents += buffer[..<count] }
    guard pclose(pipe) == 0 else { throw UnreadableTrace(path: path) }
    return contents
  }
}
