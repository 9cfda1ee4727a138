import EditorProtocol

/// What a plugin has said of its items in the status line in one turn: of each item, only what it comes to is told.
struct StatusChanges {
  struct Item: Hashable {
    var view: ViewID
    var key: String
  }

  private var notifications: [CoreNotification] = []
  /// Where the last word on an item is.
  private var places: [Item: Int] = [:]

  /// The item is there from now on, or no more.
  mutating func add(_ notification: CoreNotification, to item: Item) {
    if let place = places[item] {
      // A new item takes the place of one of the same key.
      notifications[place] = notification
    } else {
      places[item] = notifications.count
      notifications.append(notification)
    }
  }

  mutating func update(_ item: Item, _ value: String) {
    if let place = places[item] {
      switch notifications[place] {
      case .addStatusItem(let view, var added):
        added.value = value
        notifications[place] = .addStatusItem(view, added)
        return
      case .removeStatusItem: return
      default: break
      }
    }
    add(.updateStatusItem(item.view, key: item.key, value: value), to: item)
  }

  mutating func takeAll() -> [CoreNotification] {
    guard !notifications.isEmpty else { return [] }
    defer { self = StatusChanges() }
    return notifications
  }
}
