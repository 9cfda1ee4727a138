import EditorProtocol

/// Which key does what.
package struct KeyMap: Sendable {
  private var commands: [Key: Command]

  package subscript(key: Key) -> Command? { commands[key] }

  /// The keys of most graphical editors.
  package static let standard: KeyMap = {
    var map = KeyMap(commands: [:])
    map.addFileAndSearchKeys()
    map.addMotionKeys()
    map.addEditingKeys()
    return map
  }()

  private mutating func addFileAndSearchKeys() {
    let keys: [(Key, Command)] = [
      (.control("s"), .save), (Key(.character("s"), .alt), .saveAs), (.control("q"), .quit), (.control("o"), .open),
      (.control("w"), .close), (.control("x"), .cut), (.control("c"), .copy), (.control("v"), .paste),
      (Key(.delete, .shift), .cut), (Key(.insert, .control), .copy), (Key(.insert, .shift), .paste),
      (.control("f"), .find), (Key(.function(3)), .findNext), (Key(.function(3), .shift), .findPrevious),
      (.control("n"), .findNext), (.control("p"), .findPrevious), (.control("r"), .replace), (.control("g"), .goto),
      (Key(.right, .alt), .nextBuffer), (Key(.left, .alt), .previousBuffer), (.alt("w"), .toggleWrap),
      (.alt("n"), .toggleLineNumbers), (.alt("r"), .reload), (.alt("t"), .encoding), (Key(.function(1)), .help),
      (Key(.function(2)), .palette), (.alt("h"), .hover), (.alt("z"), .suspend),
      (.control("l"), .redraw),
      (Key(.escape), .escape),
    ]
    for (key, command) in keys { commands[key] = command }
  }

  private mutating func addMotionKeys() {
    let motions: [(Key, PlainEdit, PlainEdit)] = [
      (Key(.left), .moveLeft, .moveLeftSelecting), (Key(.right), .moveRight, .moveRightSelecting),
      (Key(.up), .moveUp, .moveUpSelecting), (Key(.down), .moveDown, .moveDownSelecting),
      (Key(.home), .moveToLeftEndOfLine, .moveToLeftEndOfLineSelecting),
      (Key(.end), .moveToRightEndOfLine, .moveToRightEndOfLineSelecting),
      (Key(.pageUp), .pageUp, .pageUpSelecting), (Key(.pageDown), .pageDown, .pageDownSelecting),
      (Key(.left, .control), .moveWordLeft, .moveWordLeftSelecting),
      (Key(.right, .control), .moveWordRight, .moveWordRightSelecting),
      (Key(.home, .control), .moveToBeginningOfDocument, .moveToBeginningOfDocumentSelecting),
      (Key(.end, .control), .moveToEndOfDocument, .moveToEndOfDocumentSelecting),
      (Key(.up, .control), .moveToBeginningOfParagraph, .moveToBeginningOfParagraphSelecting),
      (Key(.down, .control), .moveToEndOfParagraph, .moveToEndOfParagraphSelecting),
    ]
    for (key, plain, selecting) in motions {
      commands[key] = .edit(plain)
      commands[Key(key.code, key.modifiers.union(.shift))] = .edit(selecting)
    }
  }

  private mutating func addEditingKeys() {
    let keys: [(Key, PlainEdit)] = [
      (Key(.enter), .insertNewline), (Key(.tab), .insertTab), (Key(.tab, .shift), .outdent),
      (Key(.backspace), .deleteBackward), (Key(.backspace, .shift), .deleteBackward), (Key(.delete), .deleteForward),
      (Key(.backspace, .control), .deleteWordBackward), (Key(.backspace, .alt), .deleteWordBackward),
      (Key(.delete, .control), .deleteWordForward), (.control("h"), .deleteWordBackward), (.control("z"), .undo),
      (.control("y"), .redo), (Key(.character("z"), [.control, .shift]), .redo), (.control("a"), .selectAll),
      (.control("k"), .deleteToEndOfParagraph), (.control("u"), .yank), (.control("t"), .transpose),
      (.control("d"), .duplicateLine), (.alt("u"), .uppercase), (.alt("l"), .lowercase), (.alt("c"), .capitalize),
      (.alt("="), .increaseNumber), (.alt("-"), .decreaseNumber), (.alt("i"), .indent), (.alt("o"), .outdent),
      (.alt("a"), .findAll), (.alt("e"), .selectionIntoLines), (Key(.up, .alt), .addSelectionAbove),
      (Key(.down, .alt), .addSelectionBelow),
    ]
    for (key, edit) in keys { commands[key] = .edit(edit) }
  }
}
