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
  func fits(_ pattern: String, _ path: String, _ expected: Bool) { #expect(Glob(pattern).matches(path) == expected) }

  /// It comes to an end, whatever it says.
  @Test func aCostlyPatternFitsNothing() {
    let pattern = String(repeating: "**a", count: 30) + "b"
    #expect(!Glob(pattern).matches("/" + String(repeating: "a", count: 500)))
    _ = Glob(String(repeating: "{a,", count: 4000)).matches("/a")
    _ = Glob(String(repeating: "{", count: 2000) + "a,b" + String(repeating: "}", count: 2000)).matches("/a")
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

  // MARK: In the editor

  private func table(_ path: String, settings: String = "") throws -> JSONObject {
    try write(settings, to: "in/settings.toml")
    let driver = CoreDriver(handshake: true, settings: folder + "/in")
    driver.open(folder + "/" + path)
    return driver.document?.configTable ?? [:]
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
    #expect(driver.document?.language == "Plain Text")
    #expect(driver.document?.configTable["tab_size"] == 4)
  }

  @Test func languagesAreToldAndFollowTheName() throws {
    let driver = CoreDriver(handshake: true)
    let languages = driver.notifications.compactMap {
      if case .availableLanguages(let names) = $0 { names } else { nil }
    }.first
    #expect(languages?.first == "Plain Text" && languages?.contains("Python") == true)
    driver.open()
    #expect(driver.document?.language == "Plain Text")
    driver.edit("insert", ["chars": "x"])
    driver.save(to: folder + "/a.go")
    driver.settle()
    #expect(driver.notifications.contains(.languageChanged(driver.view, languageID: "Go")))
    #expect(driver.document?.config.translatesTabsToSpaces == false)
  }
}
