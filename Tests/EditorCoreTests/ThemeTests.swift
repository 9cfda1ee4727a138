import EditorProtocol
import Foundation
import JSON
import Testing

@testable import EditorCore

/// The themes that come with the editor.
@Suite struct ThemeTests {
  private static let withColours = BuiltInThemes.names.filter { $0 != "terminal" }

  @Test(arguments: withColours)
  func allColoursAreNamed(name: String) throws {
    let theme = try #require(BuiltInThemes.theme(name))
    let missing = ThemeColour.names.subtracting(theme.keys)
    #expect(missing.isSubset(of: ["selection_foreground"]))
    #expect(Set(theme.keys).isSubset(of: ThemeColour.names))
  }

  @Test func theTerminalsOwnNamesNone() {
    #expect(BuiltInThemes.theme("terminal") == [:])
    #expect(BuiltInThemes.theme("nonsense") == nil)
  }

  /// What is written can be read: WCAG 2.1 asks for a contrast of 4.5, and of 7 where it is to be high.
  @Test(arguments: withColours)
  func lettersStandOut(name: String) throws {
    let theme = try #require(BuiltInThemes.theme(name))
    let least = name == "contrast" ? 7.0 : 4.5
    func expect(_ letters: String, on ground: String) throws {
      let ratio = try contrast(#require(theme[letters]), #require(theme[ground]))
      #expect(ratio >= least, "\(letters) on \(ground): \(ratio)")
    }
    for letters in ScopeStyles.names + ["foreground", "brackets_foreground"] {
      for ground in ["background", "ruler"] { try expect(letters, on: ground) }
    }
    try expect(theme["selection_foreground"] == nil ? "foreground" : "selection_foreground", on: "selection")
    try expect("find_highlight_foreground", on: "find_highlight")
    try expect("status_foreground", on: "status")
    for sign in ["added", "modified", "removed"] { try expect(sign, on: "gutter") }
    // Signs for blanks stand back the most.
    let blanks = try contrast(#require(theme["whitespace"]), #require(theme["background"]))
    #expect(blanks >= (name == "contrast" ? 4.5 : 2.3))
    // Numbers of lines are to stand back.
    let gutter = try contrast(#require(theme["gutter_foreground"]), #require(theme["gutter"]))
    #expect(gutter >= (name == "contrast" ? 7 : 4.5))
  }

  private func contrast(_ first: JSONValue, _ second: JSONValue) -> Double {
    let lights = [luminance(first), luminance(second)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  private func luminance(_ colour: JSONValue) -> Double {
    func linear(_ name: String) -> Double {
      let part = Double(colour[name]?.int ?? 0) / 255
      return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear("r") + 0.7152 * linear("g") + 0.0722 * linear("b")
  }

  /// The number of a style stays, as lines have been sent with it.
  @Test func whatIsHighlightedTakesTheColoursOfATheme() throws {
    var styles = ScopeStyles()
    let comment = styles.style(for: "source.swift comment.line")
    let plain = styles.takeNew()
    #expect(plain.map(\.id) == [comment])
    styles.use(try #require(BuiltInThemes.theme("dark")))
    _ = styles.style(for: "string.quoted")
    let dark = styles.takeNew()
    #expect(dark.first?.id == comment)
    #expect(dark.map(\.foreground) == [0xFF8F_98A6, 0xFF98_C379])
    styles.use([:])
    #expect(styles.takeNew().first == plain.first)
  }

  @Test func theSettingsNameOne() throws {
    let file = try SettingsFile.read("theme = \"light\"\n[themes.mine]\ncomment = \"#123456\"\n", at: "s.toml").get()
    #expect(file.problems.isEmpty)
    #expect(file.settings.theme == "light")
    #expect(file.settings.themes["mine"]?["comment"] == ["r": 18, "g": 52, "b": 86, "a": 255])
  }
}
