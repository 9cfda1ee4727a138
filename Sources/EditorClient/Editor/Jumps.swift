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
  /// A jump through the places is none to remember.
  fileprivate var isMoving = false

  mutating func note(_ place: Place) {
    guard !isMoving else { return }
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

extension Editor {
  private var place: Jumps.Place? {
    guard let view, view.state == .open, let position = view.caretPosition else { return nil }
    return Jumps.Place(view: view, path: view.path, position: position)
  }

  /// Called before a jump.
  func noteJump() { if let place { jumps.note(place) } }

  func goBack() { jump(forward: false) }

  func goForward() { jump(forward: true) }

  private func jump(forward: Bool) {
    guard let target = jumps.pop(forward: forward, from: place) else {
      return show(forward ? "There is no place to go forward to" : "There is no place to go back to")
    }
    jumps.isMoving = true
    defer { jumps.isMoving = false }
    if let view = target.view, let index = views.firstIndex(where: { $0 === view }) {
      show(viewAt: index)
      goto(target.position, in: view)
    } else if let path = target.path {
      open(path: path, at: target.position, mustExist: true)
    } else {
      show("The buffer of that place was closed")
    }
  }
}
