import EditorProtocol
import EventLoop
import Glibc
import JSON
import TestSupport
import Testing

@testable import EditorClient

/// Whatever is typed, and whatever has the keys: in one burst it does what it does where the core answers between the keys.
@Suite(.serialized, .offThePool) struct TypedAheadTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  /// These have no end, or one that cannot be compared: what is typed while a file is read again stays, and Esc ends what is awaited.
  private static let others: Set<Command.Action> = [.quit, .suspend, .redraw, .reload, .escape, .settings]

  /// What is typed behind a command that asks for something.
  private static let answers: [Command.Action: String] = [
    .open: "b.txt\r", .pickFile: "b\r", .saveAs: "\u{15}z.txt\r", .goto: "2:3\r", .find: "foo\r", .findNext: "foo\r",
    .replace: "foo\rbar\ry", .searchFiles: "foo\r\u{F700}\r", .replaceFiles: "foo\r\u{12}bar\ry", .buffers: "\r",
    .recentFiles: "\r", .palette: "split beside\r", .encoding: "save from now on as utf-16be\r", .theme: "dark\r",
    .help: "x", .messages: "x", .close: "\u{1B}", .searchResults: "foo\r\r",
  ]

  /// Return, ^R, ^U, Esc, and a private character for Down, are keys; the rest are letters.
  private static func keys(_ text: String) -> [Key] {
    text.map { character in
      switch character {
      case "\r": Key(.enter)
      case "\u{1B}": Key(.escape)
      case "\u{12}": .control("r")
      case "\u{15}": .control("u")
      case "\u{F700}": Key(.down)
      default: Key(.character(character))
      }
    }
  }

  /// Each command in the middle of text, and text and jumps behind it.
  private static var scripts: [(name: String, keys: [Key])] {
    CommandTable.all.compactMap { description in
      guard let binding = KeyMap.standard.bindings.first(where: { $0.command == description.command }) else {
        return nil
      }
      var answer = ""
      if case .action(let action) = description.command {
        if others.contains(action) { return nil }
        answer = answers[action] ?? ""
      }
      let behind = [.alt(","), Key(.character("U")), .control("e"), Key(.character("v")), Key(.down)] + keys("VW")
      let end = [.control("e"), Key(.character("w"))] + keys("X") + [.control("s")] + keys("Y")
      return (description.command.name, keys("XX\u{F700}") + binding.keys + keys(answer + "TEXT") + behind + end)
    }
  }

  private struct End: Equatable {
    var texts: [String: String] = [:]
    var files: [String] = []
    var shown: String?
    var caret: LineColumn?
    var paneCount = 0
  }

  private func end(_ name: String, _ keys: [Key], isPaced: Bool) throws -> End {
    let folder = "\(name)-\(isPaced)"
    let text = "foo alpha\nbeta (foo)\nfoo gamma\n"
    let driven = try DrivenEditor(home, folder, text: text, columns: 90, rows: 20)
    _ = try home.write("foo other\nmore foo\n", to: folder + "/b.txt")
    driven.settle()
    if isPaced {
      for key in keys {
        driven.press(key)
        driven.settle()
        _ = driven.compose()
      }
    } else {
      driven.editor.handle(keys.map(InputEvent.key))
    }
    driven.settle()
    var end = End()
    for view in driven.editor.views.all {
      guard let id = view.id else { continue }
      driven.editor.core.request(.debugGetContents(id)) { end.texts[view.name] = (try? $0.get())?.string }
    }
    driven.settle()
    end.files = ["a.txt", "b.txt", "z.txt"].map { home.text(of: folder + "/" + $0) ?? "none" }
    (end.shown, end.caret) = (driven.editor.view?.name, driven.editor.view?.caret)
    end.paneCount = driven.editor.views.panes.all.count
    return end
  }

  @Test func everyCommandInABurst() throws {
    #expect(Self.scripts.count > 100)
    for (name, keys) in Self.scripts {
      let (paced, burst) = (try end(name, keys, isPaced: true), try end(name, keys, isPaced: false))
      #expect(paced == burst, "\(name)")
    }
  }
}
