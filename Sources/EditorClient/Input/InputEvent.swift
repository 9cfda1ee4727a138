extension InputEvent {
  var isResize: Bool { if case .resize = self { true } else { false } }

  /// Whether it changes the text or the caret, and does nothing else, where text is shown.
  func isEdit(_ keyMap: KeyMap) -> Bool {
    switch self {
    case .key(let key): if let command = keyMap[key] { command.isEdit } else { key.text != nil }
    case .paste: true
    case .openPaste, .mouse, .resize, .unknown: false
    }
  }
}

extension ArraySlice<InputEvent> {
  /// More keys than these are not typed at once: they are a paste that the terminal did not mark. The most that is one message.
  private static var burst: ClosedRange<Int> { 8...16384 }

  /// Removes the keys of a text from the start, if there are so many that they are to be one edit.
  mutating func popBurst(_ keyMap: KeyMap) -> String? {
    var text = ""
    var count = 0
    for event in prefix(Self.burst.upperBound) {
      guard case .key(let key) = event, let typed = key.text, keyMap[key] == nil else { break }
      text += typed
      count += 1
    }
    guard count >= Self.burst.lowerBound else { return nil }
    removeFirst(count)
    return text
  }
}
