import Rope

/// Lines that a user has marked, to come back to them. They follow the text; the mark of a line that goes is that of the one in its
/// place.
struct Bookmarks {
  /// Each of them is looked at with each change.
  static let most = 1000

  /// The starts of the lines, ascending.
  private(set) var starts: [ByteOffset] = []

  var isFull: Bool { starts.count >= Self.most }

  func contains(_ start: ByteOffset) -> Bool { starts.contains(start) }

  mutating func toggle(_ start: ByteOffset) {
    let index = starts.partitioningIndex { $0 >= start }
    if contains(start) { starts.remove(at: index) } else { starts.insert(start, at: index) }
  }

  mutating func removeAll() { starts = [] }

  /// - Parameter text: That the change has made.
  mutating func follow(_ delta: Delta, making text: Rope) {
    guard !starts.isEmpty else { return }
    var followed: [ByteOffset] = []
    for start in starts {
      // Behind what is put in before it: a line that is moved down by another keeps its mark.
      let line = text.lineStart(of: delta.transform(start, bias: .right))
      if line != followed.last { followed.append(line) }
    }
    starts = followed
  }
}
