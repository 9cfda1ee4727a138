import EditorProtocol
import Foundation
import Testing

@testable import EditorClient

@Suite struct CommandTableTests {
  /// What is no command of its own: parts of others, what another one does as well, and what helps to find faults.
  private static let notOffered: Set<PlainEdit> = [
    .refuseMatch, .replaceNext, .replaceAll, .selectionForReplace, .collapseSelections, .moveBackward, .moveForward,
    .reindent, .toggleComment, .beginStep, .endStep, .debugRewrap, .debugWrapWidth, .debugPrintSpans,
  ]

  @Test func everyCommandStandsInItOnce() {
    let lines = CommandTable.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count == CommandTable.all.count, "a line is no command: its name is misspelt, or a part is missing")
    let names = CommandTable.all.map(\.command.name)
    let wanted =
      Command.Action.allCases.map(\.rawValue)
      + PlainEdit.allCases.filter { !Self.notOffered.contains($0) }.map(\.rawValue)
    #expect(names.sorted() == wanted.sorted(), "Sources/EditorClient/Input/CommandTable.swift lists every command")
  }

  @Test func itReadsWell() {
    for description in CommandTable.all {
      #expect(description.title.count <= 24 && description.title.first?.isUppercase == true, "\(description.title)")
      #expect(description.summary.count <= 70 && description.summary.last != ".", "\(description.summary)")
      #expect(!description.group.isEmpty)
    }
    #expect(Set(CommandTable.all.map(\.title)).count == CommandTable.all.count, "each title once")
  }

  /// The man page's table is this one: a line for each command, under the headings of the groups.
  @Test func theManPageHasTheTable() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/xiedit/xiedit.1")
    let page = try String(contentsOf: path, encoding: .utf8)
    let expected = Self.manual
    #expect(page.contains(expected), "xiedit.1 is to have, under COMMANDS:\n\(expected)")
  }

  @Test func theManPageHasAllSettings() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/xiedit/xiedit.1")
    let page = try String(contentsOf: path, encoding: .utf8).replacing("\n.PP\n", with: "\n\n")
    #expect(page.contains(SettingsTemplate.text), "xiedit.1 is to have, under SETTINGS:\n\(SettingsTemplate.text)")
    let lines = SettingsTemplate.commented.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("# ") })
    #expect(lines.count > SettingsTemplate.text.split(separator: "\n").count)
  }

  /// Who has read the page types the name.
  @Test func eachIsFoundByItsName() {
    let bench = Bench()
    for name in CommandTable.all.map(\.command.name) where name != "palette" {
      bench.press("{F2}\(name)")
      #expect((bench.editor.mode as? CommandPalette)?.note == name)
      bench.press("{esc}")
    }
  }

  private static var manual: String {
    var (text, group) = ("", "")
    for description in CommandTable.all {
      if description.group != group { text += ".SS \(description.group)\n" }
      group = description.group
      let keys = KeyMap.standard.labels(of: description.command).joined(separator: ", ")
      text += ".TP\n.BR \(description.command.name)\(keys.isEmpty ? "" : "\\fR, \(escaped(keys))")\n"
      text += escaped(description.summary) + ".\n"
    }
    return text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("^", with: "\\(ha")
      .replacing("…", with: "\\&.\\|.\\|.")
  }
}
