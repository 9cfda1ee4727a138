import EditorProtocol

/// What happens after what in a document: items are done in the order in which they came, each when what it needs is there.
///
/// What reads or changes the text, a key among them, does not overtake what came before it and waits: it was meant for what that
/// will have done. What concerns the file alone passes, and so do keys what waits for matches: a motion to a match ends with
/// the next change of text or caret. What an item asks for while it is
/// done stands in its place, before what came after it.
struct DocumentQueue {
  /// What an item waits for.
  struct Needs: OptionSet {
    let rawValue: Int
    /// All of the file is there.
    static let wholeText = Needs(rawValue: 1)
    /// Nothing that came before it is to be replaced any more.
    static let replacedText = Needs(rawValue: 2)
    /// No save runs.
    static let idleFile = Needs(rawValue: 4)
    /// No search of its view runs.
    static let matches = Needs(rawValue: 8)
    /// The journal has all edits, so that they are shown.
    static let journal = Needs(rawValue: 16)
    /// It is known how the text differs from what it is compared with.
    static let comparison = Needs(rawValue: 32)
  }

  enum Order {
    /// It changes the text, or keeps it as it is then: saves it, copies from it. All that comes later waits for it, but for `file` and
    /// `pluginEdit`.
    case text
    /// It only reads the text. Nothing waits for it.
    case lookAtText
    /// It goes to a match, replaces matches, or sets what is looked for. Nothing waits for it; another query drops it, and so does what the
    /// user does next.
    case search
    /// It concerns the file alone, and waits for no text.
    case file
    /// It says which revision of the text it was made to, so it waits for no text.
    case pluginEdit
  }

  struct Item {
    /// The view in which it was asked for, if that matters.
    var view: ViewID?
    var order = Order.text
    var needs: Needs = []
    /// An `edit` message of the front end, which is counted.
    var isEdit = false
    /// Matches are replaced by it.
    var replaces = false
    /// What the worker does for it, and must have done.
    var work: ReplacementWork?
    /// Done instead when it is not wanted any more; nil for what nobody has asked for.
    var giveUp: (() -> Void)?
    let body: () -> Void
  }

  private var items: [Item] = []
  /// Of the item that is being done.
  private var place: Int?

  func waitingEdits(of view: ViewID) -> Int { items.count { $0.isEdit && $0.view == view } }
  /// Somebody waits for the whole text, or behind what does.
  var hasWish: Bool { items.contains { $0.giveUp != nil } }
  var hasWaitingText: Bool { items.contains { $0.order == .text } }
  var hasReplacement: Bool { items.contains { $0.replaces } }
  func unfinishedWork(of view: ViewID) -> ReplacementWork? {
    items.lazy.filter { $0.view == view }.compactMap(\.work).first { !$0.isDone }
  }

  private var earlier: ArraySlice<Item> { items[..<(place ?? items.count)] }

  /// As the next one.
  func canRun(_ item: Item, _ met: Needs) -> Bool { canRun(item, behind: earlier, met) }

  private func canRun(_ item: Item, behind earlier: ArraySlice<Item>, _ met: Needs) -> Bool {
    guard met.union(.replacedText).isSuperset(of: item.needs), item.work?.isDone != false else { return false }
    if item.needs.contains(.replacedText), earlier.contains(where: \.replaces) { return false }
    return item.order == .file || item.order == .pluginEdit || !earlier.contains { $0.order == .text }
  }

  mutating func insert(_ item: Item) {
    items.insert(item, at: place ?? items.count)
    place? += 1
  }

  /// Takes the first item out that may be done now. Call until there is none.
  mutating func next(_ met: (Item) -> Needs) -> Item? {
    place = items.indices.first { canRun(items[$0], behind: items[..<$0], met(items[$0])) }
    return place.map { items.remove(at: $0) }
  }

  /// An item that was taken out is being done.
  var isAdvancing: Bool { place != nil }

  /// Takes out what can be given up: what was asked for by somebody.
  mutating func giveUp() -> [Item] {
    defer { removeAll { $0.giveUp != nil } }
    return items.filter { $0.giveUp != nil }
  }

  /// Nothing more of the file comes.
  mutating func dropWhatNeedsWholeText() { removeAll { $0.needs.contains(.wholeText) } }

  /// Other matches are wanted than those that searches wait for which came before.
  mutating func dropEarlierSearches(of view: ViewID) {
    let (kept, all) = (earlier.filter { $0.order != .search || $0.view != view }, items)
    defer { withExtendedLifetime(all) {} }
    items.replaceSubrange(..<earlier.endIndex, with: kept)
    if place != nil { place = kept.count }
  }

  /// The caret has gone elsewhere, or something was typed where it is: a match that is found now is not to take it away.
  mutating func dropMotions(of view: ViewID) {
    removeAll { $0.order == .search && $0.view == view && $0.needs.contains(.matches) && !$0.replaces }
  }

  mutating func dropSearches(of view: ViewID) { removeAll { $0.order == .search && $0.view == view } }

  private mutating func removeAll(where isUnwanted: (Item) -> Bool) {
    if place != nil { place = earlier.count { !isUnwanted($0) } }
    items.removeAll(where: isUnwanted)
  }
}

extension Document {
  private func met(by item: DocumentQueue.Item) -> DocumentQueue.Needs {
    var met: DocumentQueue.Needs = []
    if file.loadJob == nil { met.insert(.wholeText) }
    if file.savesInFlight == 0 { met.insert(.idleFile) }
    if recovery.journal?.isBehind != true { met.insert(.journal) }
    if changes?.isComparing != true { met.insert(.comparison) }
    if !views.all.contains(where: { $0.id == item.view && $0.search.isSearching }) { met.insert(.matches) }
    return met
  }

  /// Does it now, or when its turn has come.
  func enqueue(_ item: DocumentQueue.Item) {
    if queue.canRun(item, met(by: item)) { item.body() } else { queue.insert(item) }
  }

  /// Something that items may wait for has come.
  func advanceQueue() {
    guard !queue.isAdvancing else { return }
    while let item = queue.next(met) {
      item.body()
      views.needUpdate()
    }
  }

  /// What was asked for and waits for the file is not wanted any more.
  func giveUpWaiting() {
    for item in queue.giveUp() { item.giveUp?() }
  }
}
