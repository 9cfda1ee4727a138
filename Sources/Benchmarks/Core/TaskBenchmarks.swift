import Glibc
import JSON

/// What one does with a text, besides typing: the core over its pipes, to the message that shows it done.
extension Harness {
  mutating func measureTasks(echo: Double?) throws {
    let texts = try BenchTexts()
    for size in ["1 MB", "100 MB"] {
      try measure("core: open to first update, \(size)", against: [("cat", echo)], setUp: { try Opened(nil) }) {
        opened in
        opened.view = try opened.core.openView(texts.path(size))
        try opened.core.awaitUpdate()
      }
    }
    try measureSearches(in: texts)
    try measurePaste(into: texts.path("1 MB"))
    try measureKey(in: texts.path("line of 1 MB"), "line of 1 MB, sent whole", takesWindows: false)
    try measureKey(in: texts.path("line of 50 MB"), "line of 50 MB, sent as a window", takesWindows: true)
    try measureWrapping(texts.path("10 MB"))
  }

  private mutating func measureSearches(in texts: BenchTexts) throws {
    for (name, query, isRegex) in [
      ("a word", "hippopotamus", false), ("a regular expression", "hippo[a-z]{6,7}s$", true),
    ] {
      try measure("core: find \(name) at the end of 100 MB", setUp: { try Opened(texts.path("100 MB")) }) { opened in
        opened.find(query, isRegex: isRegex)
        try opened.core.await(#""matches":1,"#)
      }
    }
    for (size, bytes) in [("10 MB", 10_000_000), ("100 MB", 100_000_000)] {
      let count = BenchTexts.matches(inBytes: bytes)
      try measure(
        "core: replace \(count) matches in \(size)",
        setUp: {
          let opened = try Opened(texts.path(size))
          opened.find("leapt", isRegex: false)
          try opened.core.await("\"matches\":\(count),")
          opened.core.edit(opened.view, "replace", ["chars": "leaps", "preserve_case": false])
          try opened.settle()
          return opened
        }
      ) { opened in
        opened.core.edit(opened.view, "replace_all")
        try opened.core.await(#""matches":0,"#)
      }
    }
  }

  private mutating func measurePaste(into path: String) throws {
    let text = String(repeating: BenchTexts.line, count: 1_000_000 / BenchTexts.line.utf8.count)
    try measure("core: paste 1 MB", setUp: { try Opened(path) }) { opened in
      opened.core.edit(opened.view, "paste", ["chars": .string(text)])
      try opened.core.awaitUpdate()
    }
    try measure(
      "core: undo a paste of 1 MB",
      setUp: {
        let opened = try Opened(path)
        opened.core.edit(opened.view, "paste", ["chars": .string(text)])
        try opened.core.awaitUpdate()
        try opened.settle()
        return opened
      }
    ) { opened in
      opened.core.edit(opened.view, "undo")
      try opened.core.awaitUpdate()
    }
  }

  private mutating func measureKey(in path: String, _ name: String, takesWindows: Bool) throws {
    let opened = try Opened(path, takesWindows: takesWindows)
    try measure("core: a key in one \(name)", units: 20, setUp: {}) { _ in
      for _ in 0..<20 {
        opened.core.edit(opened.view, "insert", ["chars": "x"])
        try opened.core.awaitUpdate()
      }
    }
  }

  private mutating func measureWrapping(_ path: String) throws {
    try measure("core: wrap 10 MB at 60 bytes, first update", setUp: { try Opened(path) }) { opened in
      opened.wrap(atBytes: 60)
      try opened.core.awaitUpdate()
    }
    // Each line becomes two, but the short one at the end and the empty one behind it.
    let lineCount = 10_000_000 / BenchTexts.line.utf8.count * 2 + 2
    try measure("core: wrap 10 MB at 60 bytes, all", setUp: { try Opened(path) }) { opened in
      opened.wrap(atBytes: 60)
      try opened.core.awaitUpdate(ofLines: lineCount)
    }
    let opened = try Opened(path)
    opened.wrap(atBytes: 60)
    try opened.core.awaitUpdate(ofLines: lineCount)
    opened.core.edit(opened.view, "goto_line", ["line": JSONValue(lineCount / 2)])
    try opened.settle()
    try measure("core: a key in 10 MB wrapped", units: 20, setUp: {}) { _ in
      for _ in 0..<20 {
        opened.core.edit(opened.view, "insert", ["chars": "x"])
        try opened.core.awaitUpdate()
      }
    }
  }
}

/// A core with a view of its own.
private final class Opened {
  let core: BenchmarkCore
  var view = ""

  /// - Parameter path: opened, and waited for until all of it is there.
  init(_ path: String?, takesWindows: Bool = false) throws {
    core = try BenchmarkCore()
    guard let path else { return }
    view = try core.openView(path, takesWindows: takesWindows)
    core.edit(view, "find", ["chars": "no such word", "case_sensitive": true, "regex": false, "whole_words": false])
    try core.await(#""matches":0,"#)
    try settle()
  }

  /// Takes what the core has sent by now.
  func settle() throws { _ = try core.request("get_config", ["view_id": .string(view)]) }

  func wrap(atBytes width: Int) {
    core.notify(
      "modify_user_config",
      ["domain": ["user_override": .string(view)], "changes": ["wrap_width": JSONValue(width), "word_wrap": false]])
  }

  func find(_ text: String, isRegex: Bool) {
    core.edit(
      view, "find", ["chars": .string(text), "case_sensitive": true, "regex": .bool(isRegex), "whole_words": false])
  }
}

/// Files of known content, gone with the last reference.
private final class BenchTexts {
  static let line = "the quick brown fox jumps over the lazy dog and goes on to the end of the line\n"
  /// Every so many lines there is one with the word that is replaced.
  private static let linesPerMatch = 12
  private static let lineWithMatch = line.replacing("jumps", with: "leapt")
  private let folder = "/tmp/xiedit-bench-\(getpid())"
  private var names: [String] = []

  static func matches(inBytes count: Int) -> Int { (count / line.utf8.count + linesPerMatch - 1) / linesPerMatch }

  init() throws {
    guard mkdir(folder, 0o700) == 0 else { throw BenchmarkCore.Failure(reason: folder) }
    for (name, count) in [("1 MB", 1_000_000), ("10 MB", 10_000_000), ("100 MB", 100_000_000)] {
      try write(name) { file in
        for number in 0..<(count / Self.line.utf8.count) {
          fputs(number % Self.linesPerMatch == 0 ? Self.lineWithMatch : Self.line, file)
        }
        fputs("hippopotamus\n", file)
      }
    }
    for (name, count) in [("line of 1 MB", 1_000_000), ("line of 50 MB", 50_000_000)] {
      try write(name) { file in
        for _ in 0..<(count / 50) { fputs("fifty characters of one line that does not end now ", file) }
      }
    }
  }

  deinit {
    for name in names { unlink(path(name)) }
    rmdir(folder)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  private func write(_ name: String, _ body: (UnsafeMutablePointer<FILE>) -> Void) throws {
    guard let file = fopen(path(name), "w") else { throw BenchmarkCore.Failure(reason: path(name)) }
    names.append(name)
    body(file)
    fclose(file)
  }
}
