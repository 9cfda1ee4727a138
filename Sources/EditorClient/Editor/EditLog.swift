import EditorProtocol

/// The edits of a view that its core has not acknowledged, or not written down, kept to be sent again if it dies.
///
/// Both sides count the `edit` messages of a view from 0 (``ViewUpdate/handledEdits``).
struct EditLog {
  /// The number of the first edit kept.
  private(set) var firstNumber = 0
  private(set) var edits: [EditCommand?] = []
  /// How many of them the core has handled.
  private(set) var handledCount = 0

  /// An edit has been sent; `nil` stands for one that is not to be repeated, such as a request.
  mutating func append(_ edit: EditCommand?) { edits.append(edit) }

  /// The core has handled all edits before number `count`.
  /// - Parameter isWrittenDown: Whether they survive the core.
  mutating func acknowledge(_ count: Int, isWrittenDown: Bool = true) {
    let handled = min(max(count - firstNumber, 0), edits.count)
    handledCount = isWrittenDown ? 0 : handled
    guard isWrittenDown else { return }
    edits.removeFirst(handled)
    firstNumber += handled
  }

  /// Of the edit that is sent next.
  var nextNumber: Int { firstNumber + edits.count }

  /// How many of them the core has not handled, without those that only concern the screen.
  var pendingCount: Int { edits.dropFirst(handledCount).count { $0?.changesDocument ?? true } }

  /// Whether the core has handled all.
  var isHandled: Bool { edits.count == handledCount }

  /// Whether it has not, and there is more than what only concerns the screen.
  var hasChanges: Bool { pendingCount > 0 }

  /// Whether there is text among them that a core's end would take with it.
  var hasText: Bool { edits.contains { $0?.changesText == true } }

  /// A new core goes on from number `count`.
  /// - Returns: What it has not seen, to be sent to it now; the log counts these as sent.
  mutating func resume(at count: Int) -> [EditCommand] {
    acknowledge(count)
    let again = edits.compactMap { $0 }.filter(\.changesDocument)
    firstNumber = count
    edits = again
    return again
  }

  /// Forgets everything, for a core that does not count.
  mutating func removeAll() { self = EditLog() }
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
