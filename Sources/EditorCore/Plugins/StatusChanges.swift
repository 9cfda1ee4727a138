import EditorProtocol

/// What a plugin has said of its items in the status line in one turn: of each item, only what it comes to is told.
struct StatusChanges {
  struct Item: Hashable {
    /// The name of the document.
    var document: ViewID
    var key: String
  }

  enum Change {
    /// The item is there from now on. It takes the place of one of the same key.
    case add(StatusItem)
    case update(String)
    case remove
  }

  private var changes: [(item: Item, change: Change)] = []
  /// Where the last word on an item is.
  private var places: [Item: Int] = [:]

  mutating func note(_ change: Change, of item: Item) {
    guard let place = places[item] else {
      places[item] = changes.count
      return changes.append((item, change))
    }
    switch (changes[place].change, change) {
    case (.add(var added), .update(let value)):
      added.value = value
      changes[place].change = .add(added)
    case (.remove, .update): break
    default: changes[place].change = change
    }
  }

  mutating func takeAll() -> [(item: Item, change: Change)] {
    guard !changes.isEmpty else { return [] }
    defer { self = StatusChanges() }
    return changes
  }
}

extension StatusChanges.Change {
  /// As a view is told of it.
  func notification(to view: ViewID, key: String) -> CoreNotification {
    switch self {
    case .add(let item): .addStatusItem(view, item)
    case .update(let value): .updateStatusItem(view, key: key, value: value)
    case .remove: .removeStatusItem(view, key: key)
    }
  }
}
