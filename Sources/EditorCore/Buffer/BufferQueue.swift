/// What happens after what in a buffer: items are done in the order in which they came, each when what it needs is there.
///
/// What reads or changes the text, a key among them, does not overtake what came before it and waits: it was meant for what that
/// will have done. What concerns the file alone passes.
struct BufferQueue {
  /// What an item waits for.
  struct Needs: OptionSet {
    let rawValue: Int
    /// All of the file is there.
    static let wholeText = Needs(rawValue: 1)
    /// Nothing is to be replaced any more.
    static let replacedText = Needs(rawValue: 2)
    /// No save runs.
    static let idleFile = Needs(rawValue: 4)
  }

  enum Order {
    /// It changes the text, or takes it as it is at its turn: nothing of this kind, or the next, overtakes it.
    case text
    /// It looks at the text.
    case lookAtText
    case file
  }

  struct Item {
    var order = Order.text
    var needs: Needs = []
    /// An `edit` message of the front end, which is counted.
    var isEdit = false
    /// Done instead when it is not wanted any more; nil for what nobody has asked for.
    var giveUp: (() -> Void)?
    let body: () -> Void
  }

  private var items: [Item] = []

  var waitingEdits: Int { items.count { $0.isEdit } }
  /// Somebody waits for the whole text, or behind what does.
  var hasWish: Bool { items.contains { $0.giveUp != nil } }
  var hasWaitingText: Bool { items.contains { $0.order == .text } }

  func canRun(_ item: Item, _ met: Needs) -> Bool { canRun(item, behind: items[...], met) }

  private func canRun(_ item: Item, behind earlier: ArraySlice<Item>, _ met: Needs) -> Bool {
    met.isSuperset(of: item.needs) && (item.order == .file || !earlier.contains { $0.order == .text })
  }

  mutating func append(_ item: Item) { items.append(item) }

  /// Takes the first item out that may be done now.
  mutating func next(_ met: Needs) -> Item? {
    let index = items.indices.first { canRun(items[$0], behind: items[..<$0], met) }
    return index.map { items.remove(at: $0) }
  }

  /// Takes out what can be given up: what was asked for by somebody.
  mutating func giveUp() -> [Item] {
    defer { items.removeAll { $0.giveUp != nil } }
    return items.filter { $0.giveUp != nil }
  }

  /// Nothing more of the file comes.
  mutating func dropWhatNeedsWholeText() { items.removeAll { $0.needs.contains(.wholeText) } }
}

extension Buffer {
  private var metNeeds: BufferQueue.Needs {
    var met: BufferQueue.Needs = []
    if loadJob == nil { met.insert(.wholeText) }
    if !hasWaitingReplacement { met.insert(.replacedText) }
    if savesInFlight == 0 { met.insert(.idleFile) }
    return met
  }

  /// Does it now, or when its turn has come.
  func enqueue(_ item: BufferQueue.Item) {
    if queue.canRun(item, metNeeds) { item.body() } else { queue.append(item) }
  }

  /// Something that items may wait for has come.
  func advanceQueue() {
    while let item = queue.next(metNeeds) {
      item.body()
      needsUpdate = true
    }
  }

  /// What was asked for and waits for the file is not wanted any more.
  func giveUpWaiting() {
    for item in queue.giveUp() { item.giveUp?() }
  }
}
