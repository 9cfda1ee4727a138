import Glibc
import TestSupport
import Testing

@testable import EditorClient

/// The settings file, as a user writes it.
@Suite(.serialized, .offThePool) struct SettingsTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func edit(_ arguments: String...) throws -> TerminalSession {
    try TerminalSession(
      [Products.xiedit] + arguments, in: home, columns: 100, rows: 12, environment: ["COLORTERM": "truecolor"])
  }

  @Test func theyAreObeyedAndFollowed() throws {
    try home.writeSettings("tab_size = 2\nline_numbers = false\n")
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(for: "the text without numbers") { $0.line(0) == "one" }
    try session.type("\t")
    try session.wait(for: "two blanks") { $0.line(0) == "  one" }
    try home.writeSettings("tab_size = 6\nline_numbers = true\n")
    try session.wait(for: "the numbers") { $0.line(0) == "  1   one" }
    try session.type("\t")
    try session.wait(for: "a wide tab") { $0.line(0) == "  1       one" }
    try session.type("\u{11}\u{04}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func aMistakeIsNamedOnTheScreen() throws {
    try home.writeSettings("word_wrap = true\ntab_size = \"two\"\n")
    let session = try edit()
    try session.wait(for: "the mistake") {
      $0.line(11).hasPrefix("settings.toml, line 2: the setting tab_size cannot be \"two\"")
    }
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func keysOfOnesOwnAreFollowedAndShown() throws {
    try home.writeSettings("[keys]\n\"^K ^D\" = \"duplicate_line\"\n\"F9\" = \"quit\"\n")
    try home.write("one\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "F9 Quit")
    try session.type("\u{0B}")
    try session.wait(toSee: "^K …  ^D Duplicate line")
    try session.type("\u{04}")
    try session.wait(for: "a second line") { $0.line(1) == "  2 one" }
    try session.type("\u{1B}x")
    try session.wait(toSee: "Command:")
    try session.type("dupl")
    try session.wait(for: "the palette to show the chord") {
      $0.text.contains(" Duplicate line") && $0.text.contains("^K ^D")
    }
    try session.type("\r")
    try session.wait(for: "a third line") { $0.line(2) == "  3 one" }
    try home.writeSettings("key_set = \"nano\"\n[keys]\nF5 = \"nonsense\"\n")
    try session.wait(toSee: "settings.toml, line 3: there is no command nonsense")
    try home.writeSettings("key_set = \"nano\"\n")
    try session.type("\u{1B}[D")
    try session.wait(toSee: "^X Quit")
    try session.type("\u{07}")
    try session.wait(toSee: "xiedit: the keys")
    try session.type("q\u{18}\u{18}\u{18}\u{04}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func aThemeColoursTheScreen() throws {
    try home.writeSettings("theme = \"night\"\n[themes.night]\nbackground = \"#101820\"\n")
    let session = try edit()
    try session.wait(for: "colours") {
      $0.renditions.contains("0;48;2;16;24;32") && $0.text.contains("^S Save")
    }
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    #expect(!session.screen.isAlternate)
  }

  @Test func theSettingsAreAFile() throws {
    let session = try TerminalSession(
      [Products.xiedit, "--settings"], in: home,
      environment: ["XDG_CONFIG_HOME": home.path + "/new", "XDG_STATE_HOME": home.path + "/state"])
    try session.wait(toSee: "# tab_size = 4 ")
    try session.wait(toSee: "settings.toml *")
    try session.type("line_numbers = false\r\u{13}")
    try session.wait(toSee: "^B makes it")
    try session.type("\u{02}")
    try session.wait(for: "a screen without numbers") { $0.line(0).hasPrefix("line_numbers = false") }
    #expect(home.text(of: "new/xiedit/settings.toml")?.hasPrefix("line_numbers = false\n# The settings") == true)
    try session.type("\u{11}")
    #expect(try session.waitForEnd() == 0)
    // From the list of commands, the file that is there.
    let again = try TerminalSession(
      [Products.xiedit], in: home,
      environment: ["XDG_CONFIG_HOME": home.path + "/new", "XDG_STATE_HOME": home.path + "/state"])
    try again.wait(toSee: "^S Save")
    try again.type("\u{1B}xsettings\r")
    try again.wait(toSee: "line_numbers = false")
    try again.type("\u{11}")
    #expect(try again.waitForEnd() == 0)
  }

  /// What the list of settings shows can be taken as it is.
  @Test func allSettingsMakeSense() throws {
    try home.writeSettings(SettingsTemplate.text)
    let session = try edit()
    try session.wait(for: "the theme") { $0.renditions.contains { $0.contains("48;2;29;32;39") } }
    #expect(!session.screen.text.contains("settings.toml"))
    // Of nano's keys, as the list says.
    try session.type("\u{18}")
    #expect(try session.waitForEnd() == 0)
  }

  /// A core that takes over draws in it, too.
  @Test func aThemeIsChosenFromAList() throws {
    let session = try edit()
    try session.wait(toSee: "^S Save")
    try session.type("\u{1B}xtheme\r")
    try session.wait(toSee: "contrast")
    try session.type("dark\r")
    try session.wait(for: "colours") {
      $0.renditions.contains { $0.contains("48;2;29;32;39") } && $0.text.contains("theme = \"dark\" keeps it")
    }
    kill(try #require(session.children.first), SIGKILL)
    try session.wait(toSee: "The core ended unexpectedly")
    try session.type("x")
    try session.wait(for: "colours") {
      $0.renditions.contains { $0.contains("48;2;29;32;39") } && $0.text.contains("1 x")
    }
    try session.type("\u{11}\u{04}")
    #expect(try session.waitForEnd() == 0)
  }

  @Test func aPluginThatDiesIsNamedOnTheScreen() throws {
    try home.writeSettings("")
    for folder in ["plugins", "plugins/frail"] { mkdir(home.path + "/config/xiedit/" + folder, 0o700) }
    try home.write("name = \"frail\"\nexec_path = \"run\"\n", to: "config/xiedit/plugins/frail/manifest.toml")
    try writeProgram(
      "#!/bin/sh\nread -r line\necho oh dear >&2\nexit 1\n", to: home.path + "/config/xiedit/plugins/frail/run")
    let session = try edit()
    try session.wait(toSee: "The plugin frail ended unexpectedly: oh dear")
    try session.type("still here")
    try session.wait(toSee: "1 still here")
    try session.type("\u{11}\u{04}")
    #expect(try session.waitForEnd() == 0)
  }
}
