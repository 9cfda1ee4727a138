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
package final class Notices {
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

  /// How often something was not done that was asked for.
  private(set) var refusals = 0
  /// What was told of the last one.
  private(set) var lastRefusal = ""
  /// What was told of each, as long as somebody wants to know.
  var notedRefusals: Set<String>?

  private let screen: Screen

  init(on screen: Screen) { self.screen = screen }

  /// Tells the user something, until the next key.
  package func show(_ text: String, isAlarm: Bool = false, namesOffer: Bool = false) {
    let message = Message(text: text, isAlarm: isAlarm, namesOffer: namesOffer)
    self.message = message
    note(message)
    if isAlarm { noteRefusal(text) }
    screen.needsDisplay = true
  }

  /// Tells that a command has nothing to do here, which is no reason for alarm.
  func refuse(_ text: String) {
    show(text)
    noteRefusal(text)
  }

  /// Tells the user what is not to be missed: after those that were not seen yet.
  package func alarm(_ text: String) {
    screen.needsDisplay = true
    guard message?.isAlarm == true else { return show(text, isAlarm: true) }
    noteRefusal(text)
    if text != message?.text { wait(Message(text: text, isAlarm: true)) }
  }

  /// The offer that names the key is behind this message.
  func tellOfMissingCore(_ what: String) {
    show("\(what): there is no core; \(Offer.restartKey.label) starts one", isAlarm: true, namesOffer: true)
  }

  /// Tells it when what is shown has been seen.
  func wait(_ alarm: Message) {
    guard !waiting.contains(alarm) else { return }
    if waiting.count < Self.waitingLimit { waiting.append(alarm) }
    note(alarm)
  }

  func hide() { message = nil }

  /// What waits has its turn where nothing else is shown.
  func showNext() {
    guard message == nil, !waiting.isEmpty else { return }
    message = waiting.removeFirst()
    screen.needsDisplay = true
  }

  private func noteRefusal(_ text: String) {
    refusals += 1
    lastRefusal = text
    notedRefusals?.insert(text)
  }

  private func note(_ message: Message) {
    guard told.last?.text != message.text else { return }
    if told.count == Self.toldLimit { told.removeFirst() }
    told.append(message)
  }

  // MARK: Offers

  /// Shown when those before it have been answered; at once, if it is about what the user has just asked for.
  func offer(_ offer: Offer, isUrgent: Bool = false) {
    guard !hasOffer(offer.subject) else { return }
    offers.insert(offer, at: isUrgent ? 0 : offers.count)
    // It answers what the user has just done: what came meanwhile must not hide it. Neither does a remark hide any other.
    if isUrgent || message?.isAlarm == false { hide() }
    screen.needsDisplay = true
  }

  func hasOffer(_ subject: Offer.Subject) -> Bool { offers.contains { $0.subject == subject } }

  func withdrawOffer(_ subject: Offer.Subject) {
    offers.removeAll { $0.subject == subject }
    screen.needsDisplay = true
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
