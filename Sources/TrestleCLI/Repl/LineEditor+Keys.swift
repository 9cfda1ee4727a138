import TerminalInput

/// What a key asks of whoever reads the line, beyond the line itself.
enum LineRequest: Equatable {
  case none
  /// Enter: the text may be complete.
  case submit
  case complete
  /// Towards older entries: -1; newer ones: 1.
  case history(Int)
  case search
  case interrupt
  case end
  case clearScreen
  case suspend
}

/// The keys of readline, where there is no better known one.
extension LineEditor {
  mutating func handle(_ event: InputEvent) -> LineRequest {
    switch event {
    case .key(let key):
      if let text = key.text {
        insert(text)
        return .none
      }
      return key.modifiers.contains(.alt)
        ? handleAlt(key) : key.modifiers.contains(.control) ? handleControl(key) : handlePlain(key)
    case .paste(let bytes):
      insert(Self.visible(String(decoding: bytes, as: UTF8.self)))
      return .none
    case .openPaste, .mouse, .resize, .unknown: return .none
    }
  }

  /// Line ends as one has them, tabs as spaces, and nothing that a terminal obeys.
  private static func visible(_ text: String) -> String {
    let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\t", with: "  ")
    return String(
      String.UnicodeScalarView(
        lines.unicodeScalars.filter { $0 == "\n" || !($0.properties.generalCategory == .control) }))
  }

  private mutating func handlePlain(_ key: Key) -> LineRequest {
    switch key.code {
    case .enter: return .submit
    case .tab: return .complete
    case .backspace: remove(cursor - 1..<cursor)
    case .delete: remove(cursor..<cursor + 1)
    case .left: move(to: cursor - 1)
    case .right: move(to: cursor + 1)
    case .home: move(to: lineStart(of: cursor))
    case .end: move(to: lineEnd(of: cursor))
    case .up: if !moveLine(-1) { return .history(-1) }
    case .down: if !moveLine(1) { return .history(1) }
    case .pageUp: return .history(-1)
    case .pageDown: return .history(1)
    default: break
    }
    return .none
  }

  private mutating func handleControl(_ key: Key) -> LineRequest {
    switch key.code {
    case .left: move(to: wordStart)
    case .right: move(to: wordEnd)
    case .backspace: remove(wordStart..<cursor, keeps: true)
    case .delete: remove(cursor..<wordEnd, keeps: true)
    case .character("a"): move(to: lineStart(of: cursor))
    case .character("b"): move(to: cursor - 1)
    case .character("c"): return .interrupt
    case .character("d"):
      if isEmpty { return .end }
      remove(cursor..<cursor + 1)
    case .character("e"): move(to: lineEnd(of: cursor))
    case .character("f"): move(to: cursor + 1)
    case .character("h"): remove(cursor - 1..<cursor)
    case .character("k"): killToLineEnd()
    case .character("l"): return .clearScreen
    case .character("n"): return handlePlain(Key(.down))
    case .character("p"): return handlePlain(Key(.up))
    case .character("r"): return .search
    case .character("t"): transpose()
    case .character("u"): remove(lineStart(of: cursor)..<cursor, keeps: true)
    case .character("w"): remove(bigWordStart..<cursor, keeps: true)
    case .character("y"): insert(killed)
    case .character("z"): return .suspend
    case .character("_"), .character("/"): undo()
    default: break
    }
    return .none
  }

  private mutating func killToLineEnd() {
    let end = lineEnd(of: cursor)
    // At the end of a line its end goes.
    remove(cursor..<(end == cursor ? end + 1 : end), keeps: true)
  }

  private mutating func handleAlt(_ key: Key) -> LineRequest {
    switch key.code {
    case .enter: insert("\n")
    case .backspace: remove(wordStart..<cursor, keeps: true)
    case .left, .character("b"): move(to: wordStart)
    case .right, .character("f"): move(to: wordEnd)
    case .delete, .character("d"): remove(cursor..<wordEnd, keeps: true)
    default: break
    }
    return .none
  }
}
