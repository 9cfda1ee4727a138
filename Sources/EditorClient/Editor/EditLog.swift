import EditorProtocol

/// The edits of a view that its core has not acknowledged, or not written down, kept to be sent again if it dies.
///
/// Both sides count the `edit` messages of a view from 0 (``ViewUpdate/handledEdits``). Two marks go forward in that count: before the one
/// all is handled, before the other all survives the core.
///
/// What is asked of it at every key is kept, not counted: a burst of keys is answered long after it has come.
struct EditLog {
  /// What counts as an edit.
  enum Entry: Equatable {
    case edit(EditCommand)
    /// A request. Whoever sends it again takes what was cut only if the first answer never came.
    case cut(isAnswered: Bool)
    case copy
  }

  private struct Numbered {
    let number: Int
    var entry: Entry
  }

  /// As far as a core may say that it has counted: further on there is room for whatever is typed.
  private static let largestNumber = 1 << 53

  /// The number of the first edit that would be lost with the core.
  private(set) var firstNumber = 0
  /// Of the first one that the core has not handled.
  private(set) var unhandledNumber = 0
  /// Of the edit that is sent next.
  private(set) var nextNumber = 0
  /// Those that the core has handled, and not written down; without what nobody sends again.
  private var unkept: ArraySlice<Numbered> = []
  private var unhandled: ArraySlice<Numbered> = []
  /// How many of the unhandled have to be waited for.
  private(set) var pendingCount = 0
  private var textCount = 0
  /// There was an edit of the text at any time.
  private(set) var hasEverHadText = false
  /// What is searched for, and what is put in its place, of before all these: a core knows it, and no journal does.
  private var search: (query: Entry?, replacement: Entry?)
  /// Text among those that survive the core it was typed to.
  private(set) var hasKeptText = false
  /// Matches of that search were refused: a core knows which.
  private var hasRefusals = false

  /// An edit has been sent.
  mutating func append(_ edit: Entry) {
    unhandled.append(Numbered(number: nextNumber, entry: edit))
    nextNumber += 1
    if edit.changesDocument { pendingCount += 1 }
    if edit.changesText { (textCount, hasEverHadText) = (textCount + 1, true) }
  }

  mutating func append(_ edit: EditCommand) { append(.edit(edit)) }

  /// The core has handled all edits before one number, and all before another one survive it. A core that takes its word back is not heard.
  mutating func acknowledge(handled: Int, kept: Int) {
    unhandledNumber = max(unhandledNumber, min(handled, nextNumber))
    firstNumber = max(firstNumber, min(kept, unhandledNumber))
    while let edit = unhandled.first, edit.number < unhandledNumber {
      unhandled.removeFirst()
      if edit.entry.changesDocument { pendingCount -= 1 }
      if edit.entry.isRepeated { unkept.append(edit) }
    }
    while let edit = unkept.first, edit.number < firstNumber {
      unkept.removeFirst()
      if edit.entry.changesText { (textCount, hasKeptText) = (textCount - 1, true) }
      switch edit.entry {
      case .edit(.replace): search.replacement = edit.entry
      case .edit(.plain(.refuseMatch)): hasRefusals = true
      default: if edit.entry.isQuery { (search.query, hasRefusals) = (edit.entry, false) }
      }
    }
    // What is gone from them would be kept by their storage.
    if unhandled.isEmpty { unhandled = [] }
    if unkept.isEmpty { unkept = [] }
  }

  /// The answer to the cut of this number has come.
  mutating func answerCut(_ number: Int) {
    if let index = unhandled.lastIndex(where: { $0.number == number }) {
      unhandled[index].entry = .cut(isAnswered: true)
    } else if let index = unkept.lastIndex(where: { $0.number == number }) {
      unkept[index].entry = .cut(isAnswered: true)
    }
  }

  /// What the core has not handled and has to be waited for, by its number.
  var pending: [(number: Int, entry: Entry)] {
    unhandled.filter(\.entry.changesDocument).map { ($0.number, $0.entry) }
  }

  /// How many no core is known to have written down.
  var count: Int { unkept.count + unhandled.count }

  /// Whether the core has handled all.
  var isHandled: Bool { unhandledNumber == nextNumber }

  /// Whether all that it has handled survives it.
  var isKept: Bool { unkept.isEmpty }

  /// Whether it has not handled all, and there is more than what only concerns the screen.
  var hasChanges: Bool { pendingCount > 0 }

  /// Whether there is text among them that a core's end would take with it.
  var hasText: Bool { textCount > 0 }

  /// Whether there is text among those from one number up to another that a core's end has taken with it, or may have.
  func hasText(from first: Int, before end: Int) -> Bool {
    (unkept + unhandled).contains { (first..<max(first, end)).contains($0.number) && $0.entry.changesText }
  }

  /// A new core goes on from number `count`.
  /// - Returns: What it has not seen, to be sent to it, and kept again; and whether a replacement was left out, as it would take what
  ///   was refused.
  mutating func resume(at count: Int) -> (again: [Entry], lacksReplacement: Bool) {
    acknowledge(handled: count, kept: count)
    let unseen = (unkept + unhandled).map(\.entry).filter(\.isRepeated)
    // The next query is another search.
    let ofSearch = hasRefusals ? unseen.prefix { !$0.isQuery } : []
    var again = ofSearch.filter { !$0.replaces } + unseen.dropFirst(ofSearch.count)
    let lacksReplacement = again.count < unseen.count
    if again.contains(where: \.leansOnSearch) { again = [search.query, search.replacement].compactMap(\.self) + again }
    let search = search
    let stillHasRefusals = hasRefusals && ofSearch.count == unseen.count
    removeAll()
    (self.search, hasRefusals, hasKeptText) = (search, stillHasRefusals, count > 0)
    firstNumber = min(max(count, 0), Self.largestNumber)
    (unhandledNumber, nextNumber) = (firstNumber, firstNumber)
    return (again, lacksReplacement)
  }

  /// Forgets everything, for a core that does not count.
  mutating func removeAll() { self = EditLog() }
}

extension EditLog.Entry {
  /// Whether it has to be waited for. A request has an answer.
  var changesDocument: Bool { if case .edit(let command) = self { command.changesDocument } else { true } }

  /// Whether a new core needs it: more than what it is told anyway of the present screen.
  fileprivate var isRepeated: Bool { self != .copy && (changesDocument || isQuery) }

  fileprivate var leansOnSearch: Bool {
    if case .edit(let command) = self { command.leansOn == .search } else { false }
  }

  fileprivate var replaces: Bool {
    switch self {
    case .edit(.plain(.replaceNext)), .edit(.plain(.replaceAll)): true
    default: false
    }
  }

  var changesText: Bool {
    switch self {
    case .edit(let command): command.changesText
    case .cut: true
    case .copy: false
    }
  }

  var isQuery: Bool {
    switch self {
    case .edit(.find), .edit(.multiFind): true
    default: false
    }
  }
}

extension EditCommand {
  /// False for what only concerns the present screen: nobody waits for it.
  var changesDocument: Bool {
    switch self {
    case .scroll, .requestLines, .alsoShown, .resize, .requestHover, .highlightFind, .find, .multiFind: false
    default: true
    }
  }
}
