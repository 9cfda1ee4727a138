import Glibc

/// What the tool is called in Swift, by the name of its folder.
struct ToolName {
  let identifier: String

  init(ofFolder path: String) throws(InitFailure) {
    let name = try Self.lastComponent(of: path)
    let words = name.split { "-_. ".contains($0) }
    let identifier = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard identifier.utf8.allSatisfy(Self.isLetterOrDigit), let first = identifier.utf8.first, first > UInt8(ascii: "9")
    else {
      throw InitFailure(
        message: """
          '\(name)' makes no name for Swift, which would be that of the tool: that has letters from A to Z and digits, and begins with a \
          letter; '-', '_', '.' and spaces part its words
          """)
    }
    guard !Self.taken.contains(identifier) else {
      throw InitFailure(message: "'\(name)' makes the name \(identifier), which something else has that the tool needs")
    }
    self.identifier = identifier
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// What the folder is called where it is: also that which is written as `.`.
  private static func lastComponent(of path: String) throws(InitFailure) -> String {
    guard !path.isEmpty else { throw InitFailure(message: "a folder has a name") }
    let name = path.split(separator: "/").last.map(String.init) ?? "/"
    guard [".", "..", "/"].contains(name) else { return name }
    guard let real = realpath(path, nil) else {
      throw InitFailure(message: "\(path): \(String(cString: strerror(errno)))")
    }
    defer { free(real) }
    return String(cString: real).split(separator: "/").last.map(String.init) ?? "/"
  }

  /// Modules that the tool has beside its own, and words that are no names; a test compares them with the package.
  private static let taken: Set<String> = [
    "Any", "Self", "Type", "Protocol",
    "Dispatch", "Foundation", "Glibc", "Swift", "Synchronization", "Testing", "XCTest",
    "ArgumentParser", "Benchmarks", "CBundledJS", "CBundledModules", "CBundledReactNative", "CBundledTest",
    "CCloseCheck", "CEngineTraps", "CGLib", "CJavaScriptCore", "CLinux", "CConformances", "CNcurses", "CPCRE2",
    "CSQLite", "CStandardDescriptors", "CTOML", "CWebPlatform", "EditorClient", "EditorCore", "EditorProtocol",
    "EventLoop", "Greeter", "HostedLoopExample", "JSEngine", "JSON", "JSONRPC", "LogQuery", "NotebookExample",
    "ReactNativeExample", "Rope", "SwiftSyntax", "TerminalInput", "TerminalUI", "TestSupport", "TextMetrics",
    "TextStatistics", "TextTable", "Trestle", "TrestleCLI", "TrestleCore", "TrestleDynamic", "TrestleEngine",
    "TrestleFoundation", "TrestleMacros", "TrestleModules", "TrestleObservables", "TrestleReactNative",
    "TrestleRunner", "TrestleTesting",
    // The module of the skeleton, and its program.
    "Program", "Texts",
  ]
}
