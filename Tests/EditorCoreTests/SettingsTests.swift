import EditorProtocol
import Foundation
import JSON
import Testing

@testable import EditorCore

@Suite struct SettingsFileTests {
  private func read(_ text: String) throws -> SettingsFile { try SettingsFile.read(text, at: "s.toml").get() }

  @Test func everyTableIsRead() throws {
    let file = try read(
      """
      tab_size = 8
      word_wrap = true
      surrounding_pairs = [["(", ")"]]
      theme = "dark"

      [languages.Markdown]
      tab_size = 2

      [files."*.py"]
      tab_size = 3

      [themes.dark]
      background = "#102030"
      gutter_foreground = "#abc"
      """)
    #expect(file.problems == [])
    #expect(file.settings.general["tab_size"] == 8)
    #expect(file.settings.general["word_wrap"] == true)
    #expect(file.settings.general["surrounding_pairs"] == [["(", ")"]])
    #expect(file.settings.languages == ["Markdown": ["tab_size": 2]])
    #expect(file.settings.files == ["*.py": ["tab_size": 3]])
    #expect(file.settings.theme == "dark")
    #expect(
      file.settings.themes["dark"] == [
        "background": ["r": 16, "g": 32, "b": 48, "a": 255],
        "gutter_foreground": ["r": 170, "g": 187, "b": 204, "a": 255],
      ])
  }

  @Test func whatIsWrongIsNamedAndTheRestHolds() throws {
    let file = try read(
      """
      # comment = 1
      tab_size = "wide"
      tabsize = 4
      line_numbers = 1
      word_wrap = true
      theme = "missing"
      files = 3
      [languages]
      Markdown = 1
      [files . "*.c"]
      wrap_width = -1
      [themes.dark]
      background = "red"
      caret = "#000"
      foreground = "#fff"
      """.replacing("files = 3\n", with: ""))
    #expect(
      file.problems.map(\.description) == [
        "s.toml, line 2: the setting tab_size cannot be \"wide\"", "s.toml, line 3: there is no setting tabsize",
        "s.toml, line 4: the setting line_numbers cannot be 1, only \"absolute\", \"relative\" or \"off\"",
        "s.toml, line 6: there is no theme missing; there are terminal, dark, light, contrast, and those with a table [themes.…]",
        "s.toml, line 8: languages.Markdown is to be a table", "s.toml, line 10: the setting wrap_width cannot be -1",
        "s.toml, line 12: background is to be a colour like \"#ff8000\"", "s.toml, line 13: there is no colour caret",
      ])
    #expect(file.settings.general["word_wrap"] == true)
    #expect(file.settings.general["tab_size"] == nil)
    #expect(file.settings.general["tabsize"] == 4, "a front end may know it")
    #expect(file.settings.themes["dark"]?.keys == ["foreground"])
    #expect(file.settings.theme == nil)
  }

  /// It would be put into texts.
  @Test func aLineEndThatIsNoneIsNamed() throws {
    let file = try read(
      "line_ending = \"xx\"\n[languages.C]\nline_ending = \"\\r\"\n[languages.Go]\nline_ending = \"\\r\\n\"\n")
    #expect(
      file.problems.map(\.description) == [
        #"s.toml, line 1: the setting line_ending cannot be "xx", only "\n" or "\r\n""#,
        #"s.toml, line 3: the setting line_ending cannot be "\r", only "\n" or "\r\n""#,
      ])
    #expect(file.settings.general["line_ending"] == nil)
    #expect(file.settings.languages["Go"]?["line_ending"] == "\r\n")
  }

  @Test func settingsOfWordsNameThem() throws {
    let file = try read("line_numbers = \"sideways\"\nchange_marks = \"all\"\nshow_whitespace = \"some\"\n")
    #expect(
      file.problems.map(\.description) == [
        "s.toml, line 1: the setting line_numbers cannot be \"sideways\", only \"absolute\", \"relative\" or \"off\"",
        "s.toml, line 2: the setting change_marks cannot be \"all\", only \"head\", \"saved\" or \"none\"",
        "s.toml, line 3: the setting show_whitespace cannot be \"some\", only \"none\", \"selection\", \"trailing\" or \"all\"",
      ])
    for value in ["\"relative\"", "\"off\"", "true", "false"] {
      #expect(try read("line_numbers = \(value)\n").problems.isEmpty)
    }
  }

  @Test(arguments: ["80", "[0]", "[80, -1]", "[\"80\"]", "[80.5]"]) func rulersAreColumns(value: String) throws {
    let problems = try read("rulers = \(value)\n").problems.map(\.description)
    #expect(problems == ["s.toml, line 1: the setting rulers is to be columns from 1, like [80, 120]"])
    #expect(try read("rulers = [80, 120]\n").problems.isEmpty)
    #expect(try read("rulers = []\n").problems.isEmpty)
  }

  @Test func guidesAreThereOrNot() throws {
    let problems = try read("indent_guides = \"yes\"\n").problems.map(\.description)
    #expect(problems == ["s.toml, line 1: the setting indent_guides cannot be \"yes\""])
    #expect(try read("indent_guides = true\n").problems.isEmpty)
  }

  @Test func aMarginHasLimits() throws {
    for value in ["-1", "1001"] {
      let problems = try read("scroll_margin = \(value)\n").problems.map(\.description)
      #expect(problems == ["s.toml, line 1: the setting scroll_margin cannot be \(value), only 0 to 1000"])
    }
    let problems = try read("scroll_margin = true\n").problems.map(\.description)
    #expect(problems == ["s.toml, line 1: the setting scroll_margin cannot be true"])
    #expect(try read("scroll_margin = 3\n").problems.isEmpty)
  }

  @Test func anEncodingThatIsNoneIsNamed() throws {
    let file = try read("charset = \"KOI8-R\"\n")
    #expect(
      file.problems.map(\.description) == [
        "s.toml, line 1: the setting charset cannot be \"KOI8-R\", only one of UTF-8, UTF-8 BOM, UTF-16LE, UTF-16LE BOM, UTF-16BE, UTF-16BE BOM, ISO-8859-1, Windows-1252, Shift_JIS, GB18030"
      ])
    #expect(file.settings.general["charset"] == nil)
  }

  @Test func keysAreTakenInTheOrderOfTheirLines() throws {
    let file = try read(
      """
      key_set = "nano"
      [keys]
      "^K ^D" = "duplicate_line"
      "Alt-J" = ""
      F5 = 3
      '^\\' = "replace"
      """)
    #expect(
      file.settings.keys
        == KeySettings(
          path: "s.toml", set: "nano", setLine: 1,
          entries: [
            .init(keys: "^K ^D", command: "duplicate_line", line: 3), .init(keys: "Alt-J", command: "", line: 4),
            .init(keys: "^\\", command: "replace", line: 6),
          ]))
    #expect(file.problems.map(\.description) == ["s.toml, line 5: F5 is to be the name of a command, like \"save\""])
    #expect(file.settings.general["key_set"] == nil, "it is no setting of a text")
    #expect(try read("keys = 3").problems.map(\.description) == ["s.toml, line 1: keys is to be a table, like [keys]"])
  }

  @Test(arguments: ["tab_size = ", "[files", "a = 1\na = 2", "\u{0}", "x = \"\\q\""])
  func whatIsNoTOMLIsRefused(_ text: String) {
    guard case .failure(let error) = SettingsFile.read("# first\n" + text, at: "s.toml") else {
      Issue.record("taken")
      return
    }
    #expect((error.line ?? 0) >= 2)
    #expect(!error.text.isEmpty)
  }

  /// The parser's own assertions end no process.
  @Test(arguments: ["[[[keys]]]", "[[[", "a = 1\n[[[a", "[[ ["])
  func whatTheParserDoesNotExpectIsRefused(_ text: String) {
    let line = text.hasPrefix("a") ? 3 : 2
    #expect(throws: TOML.Malformed(line: line, text: "this is not understood")) {
      try TOML.read("# first\n" + text + "\n# last\n[b]\n")
    }
  }

  /// Texts of its own marks end in a table or an error.
  @Test func noTextEndsTheProcess() {
    var random = SystemRandomNumberGenerator()
    let marks = [
      "[", "]", "{", "}", "\"", "'", "\"\"\"", "'''", "=", ".", ",", "#", "\n", "\r\n", " ", "\t", "a", "b.c", "-", "+",
      "_", "0x", "1e", "inf", "nan", "true", "1979-05-27", "T07:32:00", "Z", "\\", "\\u00e9", "\u{0}", "\u{FEFF}", "é",
      "\u{85}", "\u{2028}", "5",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0..<14, using: &random)).map { _ in marks.randomElement(using: &random) ?? "" }
      do throws(TOML.Malformed) { _ = try TOML.read(text.joined()) } catch { #expect(!error.text.isEmpty, "\(text)") }
    }
  }

  @Test func datesAreTextAndNumbersKeepTheirKind() throws {
    let table = try TOML.read("a = 1979-05-27\nb = 1.0\nc = 9223372036854775807\nd = -inf\ne = \"\\u0001é😀\\n\"\n")
    #expect(table == ["a": "1979-05-27", "b": 1.0, "c": 9_223_372_036_854_775_807, "d": "-Infinity", "e": "\u{1}é😀\n"])
  }

  /// The parser and what it makes are recursive.
  @Test(arguments: ["a" + String(repeating: ".a", count: 100_000), "a" + String(repeating: ".a", count: 4000)])
  func aKeyThatIsTooDeepIsRefused(_ key: String) {
    #expect(throws: TOML.Malformed.self) { try TOML.read(key + " = 1") }
    #expect(throws: TOML.Malformed.self) { try TOML.read("[" + key + "]\nb = 1") }
  }

  @Test func theLongerPatternWins() throws {
    let settings = try read(
      """
      [files."*"]
      tab_size = 1
      wrap_width = 1
      [files."*.swift"]
      tab_size = 2
      [files."/a/*"]
      tab_size = 9
      """
    ).settings
    #expect(settings.settings(ofFile: "/b/x.swift") == ["tab_size": 2, "wrap_width": 1])
    #expect(settings.settings(ofFile: "/b/x") == ["tab_size": 1, "wrap_width": 1])
    #expect(settings.settings(ofFile: "/a/x")["tab_size"] == 9)
    #expect(settings.settings(ofFile: nil).isEmpty)
  }
}

@Suite struct SettingsTests {
  private let folder: String
  private var path: String { folder + "/settings.toml" }

  init() throws {
    folder = NSTemporaryDirectory() + "settings-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// As editors save: whole or not at all.
  private func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }

  private func alerts(_ driver: CoreDriver) -> [String] {
    driver.notifications.compactMap { if case .alert(let text) = $0 { text } else { nil } }
  }

  private func config(_ driver: CoreDriver) -> JSONValue {
    (try? driver.request("get_config", ["view_id": .string(driver.view.rawValue)]).get()) ?? .null
  }

  private func themes(_ driver: CoreDriver) -> [String] {
    driver.notifications.compactMap { if case .themeChanged(let name, _) = $0 { name } else { nil } }
  }

  @Test func theyAreInForceFromTheFirstView() throws {
    try write("tab_size = 3\nline_numbers = false\n[files.\"*.py\"]\ntab_size = 7\n")
    let driver = CoreDriver(settings: folder)
    driver.open()
    #expect(config(driver)["tab_size"] == 3)
    #expect(config(driver)["line_numbers"] == false, "told to the front end, whose it is")
    driver.edit("insert_tab")
    #expect(driver.markedText == "   ‸")
    driver.open(folder + "/new.py")
    #expect(config(driver)["tab_size"] == 7)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func changesOnDiskAreObeyed() throws {
    let driver = CoreDriver(settings: folder)
    driver.open()
    try write("tab_size = 5\n")
    driver.run { config(driver)["tab_size"] == 5 }
    #expect(config(driver)["tab_size"] == 5)
    #expect(driver.notifications.contains(.configChanged(driver.view, changes: ["tab_size": 5])))
    try FileManager.default.removeItem(atPath: path)
    driver.run { config(driver)["tab_size"] == 4 }
    #expect(config(driver)["tab_size"] == 4)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func aFolderThatIsMadeLaterIsFound() throws {
    let driver = CoreDriver(settings: folder + "/later/deep")
    driver.open()
    try FileManager.default.createDirectory(atPath: folder + "/later", withIntermediateDirectories: true)
    for _ in 0..<3 { driver.loop.iterate() }
    try FileManager.default.createDirectory(atPath: folder + "/later/deep", withIntermediateDirectories: true)
    try "tab_size = 6\n".write(toFile: folder + "/later/deep/settings.toml", atomically: true, encoding: .utf8)
    driver.run { config(driver)["tab_size"] == 6 }
    #expect(config(driver)["tab_size"] == 6)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test(arguments: ["0", "1001", "99999999999"]) func aTabSizeOutOfRangeIsToldWithTheRange(_ size: String) throws {
    let file = try SettingsFile.read("tab_size = \(size)\n", at: "s.toml").get()
    #expect(file.settings.general["tab_size"] == nil)
    #expect(
      file.problems.map(\.description) == ["s.toml, line 1: the setting tab_size cannot be \(size), only 1 to 1000"])
  }

  @Test(arguments: [
    #"[["", ""]]"#, #"[["n", "\n"]]"#, #"[["(", ")"], [" ", " "]]"#, #"[["(", ""]]"#, #"[["((", "))"]]"#, #"["("]"#,
    #"[["("]]"#,
    #"[["(", ")", "x"]]"#, #"[[1, 2]]"#, #"[["\u200b", "x"]]"#,
  ])
  func aPairIsOfTwoVisibleCharacters(_ pairs: String) throws {
    let file = try SettingsFile.read("surrounding_pairs = \(pairs)\n", at: "s.toml").get()
    #expect(file.settings.general["surrounding_pairs"] == nil)
    #expect(
      file.problems.map(\.description) == [
        "s.toml, line 1: the setting surrounding_pairs is to be pairs of one visible character each, like [[\"(\", \")\"]]"
      ])
  }

  @Test(arguments: ["[]", #"[["a", "b"], ["«", "»"], ["é", "🇩🇪"]]"#]) func otherPairsHold(_ pairs: String) throws {
    let file = try SettingsFile.read("surrounding_pairs = \(pairs)\n", at: "s.toml").get()
    #expect(file.problems.isEmpty && file.settings.general["surrounding_pairs"] != nil)
  }

  @Test func aBrokenFileIsToldAndLeavesWhatWas() throws {
    try write("tab_size = 3\n")
    let driver = CoreDriver(settings: folder)
    driver.open()
    try write("word_wrap = true\ntab_size = \n")
    driver.run { !alerts(driver).isEmpty }
    #expect(alerts(driver).first?.hasPrefix("settings.toml, line 2: ") == true)
    #expect(config(driver)["tab_size"] == 3)
    #expect(config(driver)["word_wrap"] == false)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func oneBadSettingIsToldWithItsLine() throws {
    try write("word_wrap = true\ntab_size = 0\nx = 1\n")
    let driver = CoreDriver(settings: folder)
    driver.open()
    let lines = alerts(driver).flatMap { $0.split(separator: "\n") }
    #expect(
      lines.count == 2 && lines.first == "settings.toml, line 2: the setting tab_size cannot be 0, only 1 to 1000")
    #expect(lines.last?.hasPrefix("settings.toml, line 3: ") == true)
    #expect(config(driver)["tab_size"] == 4)
    #expect(config(driver)["word_wrap"] == true)
    try FileManager.default.removeItem(atPath: folder)
  }

  /// Otherwise the mistake would stay on the screen.
  @Test(arguments: ["tab_size = 0\n", "tab_size = \n", "x = 1\n"], ["tab_size = 4\n", "", nil])
  func thatAMistakeIsMendedIsTold(mistake: String, mended: String?) throws {
    try write(mistake)
    let driver = CoreDriver(settings: folder)
    driver.open()
    #expect(alerts(driver).count == 1)
    if let mended { try write(mended) } else { try FileManager.default.removeItem(atPath: path) }
    driver.run { alerts(driver).count > 1 }
    #expect(alerts(driver).dropFirst() == ["settings.toml: no mistake is left"])
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func whatAFrontEndChangesComesLast() throws {
    try write("tab_size = 3\n")
    let driver = CoreDriver(settings: folder)
    driver.open()
    driver.notify(.modifyUserConfig(.general, changes: ["tab_size": 2]))
    #expect(config(driver)["tab_size"] == 2)
    driver.notify(.modifyUserConfig(.general, changes: ["tab_size": .null]))
    #expect(config(driver)["tab_size"] == 3)
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func keysAreToldAtTheStartAndWhenTheyChange() throws {
    func keys(_ driver: CoreDriver) -> [KeySettings] {
      driver.notifications.compactMap { if case .keySettings(let settings) = $0 { settings } else { nil } }
    }
    try write("[keys]\nF5 = \"save\"\n")
    let driver = CoreDriver(handshake: true, settings: folder)
    driver.open()
    #expect(keys(driver) == [KeySettings(path: path, entries: [.init(keys: "F5", command: "save", line: 2)])])
    try write("tab_size = 2\n")
    driver.run { keys(driver).count == 2 }
    #expect(keys(driver).last == KeySettings(path: path))
    try write("tab_size = 3\n")
    driver.run { config(driver)["tab_size"] == 3 }
    #expect(keys(driver).count == 2, "nothing is said of keys, and nothing was")
    try FileManager.default.removeItem(atPath: folder)
  }

  @Test func themesAreChosenByNameAndFollowTheFile() throws {
    try write("theme = \"night\"\n[themes.night]\nbackground = \"#000\"\n[themes.day]\nbackground = \"#fff\"\n")
    let driver = CoreDriver(settings: folder)
    driver.open()
    #expect(
      driver.notifications.contains(
        .availableThemes(["InspiredGitHub", "terminal", "dark", "light", "contrast", "day", "night"])))
    #expect(themes(driver) == ["night"])
    driver.notify(.setTheme(name: "day"))
    driver.notify(.setTheme(name: "none"))
    #expect(themes(driver) == ["night", "day"])
    try write("[themes.day]\nbackground = \"#eee\"\n")
    driver.run { themes(driver).count == 3 }
    #expect(themes(driver).last == "day", "it is there still, in other colours")
    try write("tab_size = 2\n")
    driver.run { themes(driver).count == 4 }
    #expect(themes(driver).last == "InspiredGitHub")
    try FileManager.default.removeItem(atPath: folder)
  }
}
