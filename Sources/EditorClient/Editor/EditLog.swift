import EditorProtocol

/// The edits of a view that its core has not acknowledged, or not written down, kept to be sent again if it dies.
///
/// Both sides count the `edit` messages of a view from 0 (``ViewUpdate/handledEdits``).
///
/// What is asked of it at every key is kept, not counted: a burst of keys is answered long after it has come.
struct EditLog {
  /// What counts as an edit.
  enum Entry: Equatable {
    case edit(EditCommand)
    /// A request; who sends it again needs no answer.
    case cut
    case copy
  }

  /// The number of the first edit kept.
  private(set) var firstNumber = 0
  private var edits: ArraySlice<Entry> = []
  /// How many of them the core has handled.
  private(set) var handledCount = 0
  /// How many of them the core has not handled, without those that only concern the screen.
  private(set) var pendingCount = 0
  private var textCount = 0

  /// An edit has been sent.
  mutating func append(_ edit: Entry) {
    edits.append(edit)
    if edit.changesDocument { pendingCount += 1 }
    if edit.changesText { textCount += 1 }
  }

  mutating func append(_ edit: EditCommand) { append(.edit(edit)) }

  /// The core has handled all edits before number `count`.
  /// - Parameter isWrittenDown: Whether they survive the core.
  mutating func acknowledge(_ count: Int, isWrittenDown: Bool = true) {
    let handled = min(max(count - firstNumber, 0), edits.count)
    // A core may also take its word back.
    pendingCount -= changeCount(handledCount, handled) - changeCount(handled, handledCount)
    handledCount = isWrittenDown ? 0 : handled
    guard isWrittenDown else { return }
    if textCount > 0 { textCount -= edits.prefix(handled).count(where: \.changesText) }
    edits = edits.dropFirst(handled)
    // What is gone from it would be kept by its storage.
    if edits.isEmpty { edits = [] }
    firstNumber += handled
  }

  /// Of those from `start` to before `end`.
  private func changeCount(_ start: Int, _ end: Int) -> Int {
    start < end ? edits.dropFirst(start).prefix(end - start).count(where: \.changesDocument) : 0
  }

  /// Of the edit that is sent next.
  var nextNumber: Int { firstNumber + edits.count }

  /// Whether the core has handled all.
  var isHandled: Bool { edits.count == handledCount }

  /// Whether it has not, and there is more than what only concerns the screen.
  var hasChanges: Bool { pendingCount > 0 }

  /// Whether there is text among them that a core's end would take with it.
  var hasText: Bool { textCount > 0 }

  /// A new core goes on from number `count`.
  /// - Returns: What it has not seen, to be sent to it, and kept again.
  mutating func resume(at count: Int) -> [Entry] {
    acknowledge(count)
    let again = edits.filter { $0 != .copy && $0.changesDocument }
    removeAll()
    firstNumber = count
    return again
  }

  /// Forgets everything, for a core that does not count.
  mutating func removeAll() { self = EditLog() }
}

extension EditLog.Entry {
  /// Whether it has to be waited for. A request has an answer.
  var changesDocument: Bool { if case .edit(let command) = self { command.changesDocument } else { true } }

  var changesText: Bool {
    switch self {
    case .edit(let command): command.changesText
    case .cut: true
    case .copy: false
    }
  }
}

extension EditCommand {
  /// False for what only concerns the present screen, which a new core is told anyway.
  var changesDocument: Bool {
    switch self {
    case .scroll, .requestLines, .resize, .requestHover, .highlightFind, .find, .multiFind: false
    default: true
    }
  }
}
