/// How many edits of the front end a view has had, as that counts them.
struct EditCount {
  /// Those that have come.
  private(set) var handled = 0
  /// Those of them that this process need not live for: they are in the journal, or in the file. They become more, never fewer.
  private(set) var kept = 0

  /// A core that died had so many.
  init(keptByOther count: Int = 0) { (handled, kept) = (count, count) }

  mutating func add() { handled += 1 }

  /// So many are kept.
  /// - Returns: Whether they have become more.
  @discardableResult
  mutating func keep(_ count: Int) -> Bool {
    guard kept < count else { return false }
    kept = count
    return true
  }
}
