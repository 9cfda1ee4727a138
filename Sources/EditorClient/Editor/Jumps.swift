import EditorProtocol

/// Where the caret was before it jumped.
struct Jumps {
  /// By path, as a buffer may have been closed since; by view where it has none.
  struct Place {
    weak var view: EditorView?
    var path: String?
    var position: FilePosition

    func isNear(_ other: Place) -> Bool {
      view === other.view && path == other.path && position.line == other.position.line
    }
  }

  private static let mostPlaces = 100
  private var back: [Place] = []
  private var forward: [Place] = []

  mutating func note(_ place: Place) {
    forward = []
    // Of one line the last place is the one that was left.
    if back.last?.isNear(place) == true { back.removeLast() }
    back.append(place)
    if back.count > Self.mostPlaces { back.removeFirst() }
  }

  /// - Parameter here: Becomes the place to come back to.
  mutating func pop(forward isForward: Bool, from here: Place?) -> Place? {
    var target: Place?
    repeat {
      target = isForward ? forward.popLast() : back.popLast()
    } while target != nil && here.map { target?.isNear($0) == true } == true
    guard let target else { return nil }
    if let here { if isForward { back.append(here) } else { forward.append(here) } }
    return target
  }
}
