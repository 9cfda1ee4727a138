import EditorProtocol
import Foundation
import JSON
import Testing

@testable import EditorCore

@Suite struct GlobTests {
  @Test(arguments: [
    ("*", "/a.c", true), ("*.c", "/x/y/a.c", true), ("*.c", "/a.h", false), ("/*.c", "/x/a.c", false),
    ("/*.c", "/a.c", true),
    ("x/*.c", "/x/a.c", true), ("x/*.c", "/x/y/a.c", false), ("x/**.c", "/x/y/a.c", true),
    ("x/**/a.c", "/x/y/z/a.c", true),
    ("?.c", "/é.c", true), ("?.c", "/ab.c", false), ("[ab].c", "/b.c", true), ("[!ab].c", "/b.c", false),
    ("[a-c].c", "/b.c", true),
    ("[.c", "/[.c", true), ("*.{c,h}", "/a.h", true), ("*.{c,h}", "/a.m", false), ("{a,{b,c}}.x", "/c.x", true),
    ("{a}.x", "/{a}.x", true),
    ("a{,b}.x", "/a.x", true), ("a{1..12}", "/a7", true), ("a{1..12}", "/a13", false), ("a{-3..3}", "/a-2", true),
    ("\\*.c", "/*.c", true),
    ("\\*.c", "/a.c", false), ("{a,b", "/{a,b", true), ("", "/a", false), ("Makefile", "/x/Makefile", true),
    ("*", "/x/.hidden", true),
  ])
  func fits(_ pattern: String, _ path: String, _ expected: Bool) {
    var budget = Budget(10_000)
    #expect(Glob(pattern).matches(path, &budget) == expected)
  }

  /// They multiply for who tries each with each: these would take longer than the world is old.
  @Test(arguments: [String(repeating: "**a", count: 30) + "b", String(repeating: "{*,*}", count: 60) + "b"])
  func aPatternTakesNoMoreStepsThanItHasPlaces(pattern: String) {
    var budget = Budget(1_000_000)
    #expect(!Glob(pattern).matches("/" + String(repeating: "a", count: 500), &budget))
    #expect(budget.steps > 800_000)
  }

  /// It comes to an end, whatever it says.
  @Test func nestedPatternsAreRead() {
    var budget = Budget(1_000_000)
    for pattern in ["{a,", "{", "[", "[/", "{[", "{a,b}", "\\{", "{1..2}"] {
      _ = Glob(String(repeating: pattern, count: 4000)).matches("/a", &budget)
    }
    _ = Glob(String(repeating: "{", count: 2000) + "a,b" + String(repeating: "}", count: 2000)).matches("/a", &budget)
  }

  /// Beside who tries each part with each rest of the path.
  @Test func patternsFitWhatTheyMean() {
    indirect enum Part { case text(String), any, all, one, either([Part], [Part]) }
    func fits(_ parts: ArraySlice<Part>, _ text: Substring) -> Bool {
      guard let part = parts.first else { return text.isEmpty }
      let behind = parts.dropFirst()
      return switch part {
      case .text(let part): text.hasPrefix(part) && fits(behind, text.dropFirst(part.count))
      case .any: fits(behind, text) || text.first.map { $0 != "/" } ?? false && fits(parts, text.dropFirst())
      case .all: fits(behind, text) || !text.isEmpty && fits(parts, text.dropFirst())
      case .one: text.first.map { $0 != "/" } ?? false && fits(behind, text.dropFirst())
      case .either(let first, let second): fits(first + behind, text) || fits(second + behind, text)
      }
    }
    func text(_ parts: [Part]) -> String {
      parts.map {
        switch $0 {
        case .text(let text): text
        case .any: "*"
        case .all: "**"
        case .one: "?"
        case .either(let first, let second): "{" + text(first) + "," + text(second) + "}"
        }
      }.joined()
    }
    var random = SplitMix64(state: 9)
    func parts(_ depth: Int) -> [Part] {
      var made: [Part] = []
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let part: Part =
          switch Int.random(in: 0..<(depth > 0 ? 6 : 5), using: &random) {
          case 0, 1: .text(["a", "b", "/", "é"].randomElement(using: &random) ?? "")
          case 2: .any
          case 3: .all
          case 4: .one
          default: .either(parts(depth - 1), parts(depth - 1))
          }
        // Two of the first kind are one of the second.
        if case .any = part, case .any? = made.last { continue }
        if case .any = part, case .all? = made.last { continue }
        if case .all = part, case .any? = made.last { continue }
        made.append(part)
      }
      return made
    }
    for _ in 0..<3000 {
      let pattern = parts(2)
      let path = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        ["a", "b", "/", "é"].randomElement(using: &random) ?? ""
      }.joined()
      var budget = Budget(100_000)
      let whole = "/" + text(pattern)
      #expect(Glob(whole).matches("/" + path, &budget) == fits(pattern[...], path[...]), "\(whole) \(path)")
    }
  }
}

@Suite struct EditorConfigTests {
  private let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "editorconfig-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url.appending(path: "in/side"), withIntermediateDirectories: true)
    folder = url.resolvingSymlinksInPath().path
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(toFile: folder + "/" + path, atomically: false, encoding: .utf8)
  }

  private func settings(_ path: String) -> JSONObject {
    EditorConfig.settings(ofFile: folder + "/" + path, system: LinuxFileSystem())
  }

  @Test func theNearerFileAndTheLaterSectionComeFirst() throws {
    try write("root = true\n[*]\nindent_style = tab\ntab_width=8 ; wide\n[*.c]\nINDENT_SIZE = 3\n", to: ".editorconfig")
    try write("# near\n[side/*]\nindent_style = Space\n[*.py]\nindent_style=unset\n", to: "in/.editorconfig")
    #expect(settings("a.txt") == ["translate_tabs_to_spaces": false, "tab_size": 8])
    #expect(settings("in/side/a.c") == ["translate_tabs_to_spaces": true, "tab_size": 3])
    #expect(settings("in/a.py") == ["tab_size": 8])
  }

  @Test func aRootEndsTheSearch() throws {
    try write("root=true\n[*]\nindent_size=7\n", to: ".editorconfig")
    try write("root = true\n[*]\ntrim_trailing_whitespace = true\n", to: "in/.editorconfig")
    #expect(settings("in/side/a") == ["trim_trailing_whitespace": true])
  }

  @Test(
    arguments: [
      ("indent_size=tab\ntab_width=5", ["tab_size": 5]), ("end_of_line = crlf", ["line_ending": "\r\n"]),
      ("end_of_line=cr", [:]),
      ("insert_final_newline=true", ["insert_final_newline": true]), ("charset=utf-8-bom", ["charset": "UTF-8 BOM"]),
      ("insert_final_newline=false", ["insert_final_newline": false, "save_with_newline": false]),
      ("indent_size=-1", [:]),
      ("indent_size=99999999999999999999", [:]), ("nonsense\n=\n[\n]\n", [:]),
      ("indent_style=space\nindent_size=2\ntab_width=8", ["translate_tabs_to_spaces": true, "tab_size": 2]),
    ] as [(String, JSONObject)])
  func propertiesBecomeSettings(_ text: String, _ expected: JSONObject) throws {
    try write("root=true\n[*]\n" + text + "\n", to: ".editorconfig")
    #expect(settings("a") == expected)
  }

  /// All its sections together, and those of the files above, take no more than one would.
  @Test func aHostileFileIsReadThrough() throws {
    let section = "[" + String(repeating: "{*,*}", count: 700) + "x]\nindent_size=7\n"
    try write("root = true\n[*]\nindent_size=3\n" + String(repeating: section, count: 250), to: ".editorconfig")
    try write(String(repeating: section, count: 250), to: "in/.editorconfig")
    #expect(settings("in/side/" + String(repeating: "a", count: 200)) == [:])
  }

  // MARK: In the editor

  private func table(_ path: String, settings: String = "") throws -> JSONObject {
    try write(settings, to: "in/settings.toml")
    let driver = CoreDriver(handshake: true, settings: folder + "/in")
    driver.open(folder + "/" + path)
    return driver.document?.settings.table ?? [:]
  }

  @Test func aFileThatIsTooLargeIsToldOnce() throws {
    try write("root=true\n[*]\nindent_size=3\n" + String(repeating: "# comment\n", count: 110_000), to: ".editorconfig")
    try write("", to: "in/settings.toml")
    let driver = CoreDriver(handshake: true, settings: folder + "/in")
    for name in ["a", "b"] {
      driver.open(folder + "/" + name)
      #expect(driver.document?.settings.table["tab_size"] == 4)
    }
    #expect(driver.alerts == ["\(folder)/.editorconfig is too large to be read: what it says does not hold"])
  }

  @Test func whatIsNearerToTheFileWins() throws {
    try write("root=true\n[*.{py,go}]\nindent_size=3\n", to: ".editorconfig")
    try write("if x:\n  y\n  z\n", to: "a.py")
    try write("if x:\n  y\n  z\n", to: "a.rb")
    #expect(try table("a.py")["tab_size"] == 3, "rather than what the text looks like")
    #expect(try table("a.py", settings: "[languages.Python]\ntab_size = 5")["tab_size"] == 3)
    #expect(try table("a.py", settings: "[files.\"*.py\"]\ntab_size = 6")["tab_size"] == 6)
    #expect(try table("a.rb")["tab_size"] == 2)
    #expect(try table("new.go", settings: "translate_tabs_to_spaces = true")["translate_tabs_to_spaces"] == false)
    #expect(try table("new.yaml", settings: "tab_size = 8")["tab_size"] == 2, "as its community does")
    #expect(try table("new.yaml", settings: "tab_size = 8\n[languages.YAML]\ntab_size = 4")["tab_size"] == 4)
    #expect(try table("new.txt", settings: "tab_size = 8")["tab_size"] == 8)
  }

  @Test func aNewFileIsInItsEncoding() throws {
    try write("root=true\n[*]\ncharset = utf-16le\nend_of_line = crlf\n", to: ".editorconfig")
    let driver = CoreDriver(handshake: true)
    driver.open(folder + "/new.txt")
    driver.edit("insert", ["chars": "é"])
    driver.edit("insert_newline")
    driver.save(to: folder + "/new.txt")
    driver.settle()
    #expect(try Data(contentsOf: URL(filePath: folder + "/new.txt")) == Data([0xFF, 0xFE, 0xE9, 0, 13, 0, 10, 0]))
  }

  @Test func aFrontEndOfXiIsToldOfNoneOfIt() throws {
    try write("root=true\n[*]\nindent_size=3\n", to: ".editorconfig")
    let driver = CoreDriver()
    driver.open(folder + "/a.py")
    #expect(driver.notifications.contains(.availableLanguages(["Plain Text"])))
    #expect(driver.document?.settings.language == "Plain Text")
    #expect(driver.document?.settings.table["tab_size"] == 4)
  }

  @Test func languagesAreToldAndFollowTheName() throws {
    let driver = CoreDriver(handshake: true)
    let languages = driver.notifications.compactMap {
      if case .availableLanguages(let names) = $0 { names } else { nil }
    }.first
    #expect(languages?.first == "Plain Text" && languages?.contains("Python") == true)
    driver.open()
    #expect(driver.document?.settings.language == "Plain Text")
    driver.edit("insert", ["chars": "x"])
    driver.save(to: folder + "/a.go")
    driver.settle()
    #expect(driver.notifications.contains(.languageChanged(driver.view, languageID: "Go")))
    #expect(driver.document?.settings.config.translatesTabsToSpaces == false)
  }
}
