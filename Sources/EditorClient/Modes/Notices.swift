import TextMetrics

/// What the bottom line tells until the next key.
package struct Message: Equatable, Sendable {
  /// Of several lines the bottom line has the first.
  package var text: String
  package var isAlarm: Bool
  /// It tells of a key of the offer that it hides.
  var namesOffer = false
}

/// What the bottom line has to tell, and what it has told.
struct Notices {
  /// So many alarms wait for their turn; others are only among what was told.
  private static let waitingLimit = 8
  private static let toldLimit = 200

  private(set) var message: Message?
  /// Alarms that came while another one was shown: each takes its place at a key.
  private(set) var waiting: [Message] = []
  /// The first one is shown.
  var offers: [Offer] = []
  /// The last one behind.
  private var told: [Message] = []

  /// Tells something, until the next key.
  mutating func show(_ message: Message) {
    self.message = message
    note(message)
  }

  /// Tells what is not to be missed: after those that were not seen yet.
  mutating func alarm(_ text: String) {
    let alarm = Message(text: text, isAlarm: true)
    guard message?.isAlarm == true else { return show(alarm) }
    if text != message?.text { wait(alarm) }
  }

  /// Tells it when what is shown has been seen.
  mutating func wait(_ alarm: Message) {
    guard !waiting.contains(alarm) else { return }
    if waiting.count < Self.waitingLimit { waiting.append(alarm) }
    note(alarm)
  }

  mutating func hide() { message = nil }

  /// - Returns: Whether there is one.
  mutating func showNext() -> Bool {
    guard message == nil, !waiting.isEmpty else { return false }
    message = waiting.removeFirst()
    return true
  }

  private mutating func note(_ message: Message) {
    guard told.last?.text != message.text else { return }
    if told.count == Self.toldLimit { told.removeFirst() }
    told.append(message)
  }

  // MARK: Text

  /// What is shown, in one line; nil where there is nothing.
  var line: (text: String, isWhole: Bool)? {
    guard let message else { return nil }
    let lines = message.text.split(separator: "\n")
    var text = String(lines.first ?? "")
    if lines.count > 1 { text += " (and \(lines.count - 1) more)" }
    if !waiting.isEmpty { text += "  (\(waiting.count) more)" }
    return (text, lines.count < 2)
  }

  /// All that was told, whole, the last first.
  func lines(columns: Int) -> [String] {
    guard !told.isEmpty else { return ["Nothing was told yet"] }
    return ["What was told, the last first"]
      + told.reversed().flatMap { message in
        [""]
          + message.text.split(separator: "\n").flatMap {
            CellMetrics(tabSize: 1).lines(of: String($0), width: max(columns, 10), limit: .max)
          }
      }
  }
}
