import Foundation

/// A source text put through the compiler, against the modules that were built with the running tests.
///
/// Goes as far as SIL, as only its passes refuse a value that leaves its isolation.
public struct Compilation {
  public struct Message: Hashable, CustomStringConvertible {
    /// In the source; for a message about code that a macro wrote, where the macro is used.
    public let line: Int
    public let text: String

    public var description: String { "\(line): \(text)" }
  }

  public private(set) var errors: [Message] = []
  public private(set) var fixes: [Message] = []
  /// All that the compiler said.
  public let output: String

  public init(of source: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "compilation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Source.swift")
    try Data(source.utf8).write(to: file)
    output = try Toolchain.run(
      "swiftc",
      Toolchain.arguments + ["-module-name", "Source", "-diagnostic-style", "llvm", "-emit-sil", "-o", "/dev/null"]
        + [file.path()])
    collect(file: file.path())
  }

  /// What stands in the source after `// error: `, by line; several on one line are told apart by ` | `.
  public static func expectations(in source: String) -> [Message] {
    source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      guard let marker = line.range(of: "// error: ") else { return [Message]() }
      return line[marker.upperBound...].components(separatedBy: " | ").map { Message(line: index + 1, text: $0) }
    }
  }

  private mutating func collect(file: String) {
    let place =
      "^(\(NSRegularExpression.escapedPattern(for: file))|[^ ]*@__swiftmacro_[^:]*):(\\d+):\\d+: (error|note): (.*)$"
    guard let pattern = try? NSRegularExpression(pattern: place) else { return }
    var expanded: String?
    for line in output.split(separator: "\n").map(String.init) {
      guard let match = pattern.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)) else { continue }
      let part = { (index: Int) in Range(match.range(at: index), in: line).map { String(line[$0]) } ?? "" }
      let (isSource, number, text) = (part(1) == file, Int(part(2)) ?? 0, part(4))
      switch (part(3), isSource) {
      case ("error", true): errors.append(Message(line: number, text: text))
      case ("error", false): expanded = text
      case (_, true) where text.hasPrefix("in expansion of macro"):
        if let text = expanded.take() { errors.append(Message(line: number, text: text)) }
      case (_, true): fixes.append(Message(line: number, text: text))
      default: break
      }
    }
  }
}
