import EditorProtocol
import TextMetrics

/// What keys do that the core has not answered yet, drawn at once as mosh does. Each update shows what has become of them.
struct Prediction {
  /// A key that has been sent, and where it has led to.
  struct Step {
    /// Of the edit.
    let number: Int
    let key: PlainKey
    let caret: LineColumn
    /// Of the line of the caret.
    let text: String
  }

  /// What the core has said: the view shows this with `steps` done to it.
  struct Truth {
    let cache: LineCache
    let caret: LineColumn
    let isPristine: Bool
  }

  /// So many are done again at each update at the most.
  static let longest = 256

  let truth: Truth
  var steps: [Step] = []
  /// An edit has been sent after them that could not be predicted.
  var isOvertaken = false
}

/// How often the front end has shown what a key does before the core told, and how often it had to take that back.
struct PredictionCounts: Equatable {
  var made = 0
  var corrected = 0

  var remark: String { "keys drawn before the core: \(made), corrected: \(corrected)" }
}

/// The column that the core aims at when the caret goes up or down: a cell, or a byte where it does not edit code.
enum VerticalAim: Equatable {
  /// That of the caret.
  case caret
  case column(Int)
  case unknown
}

extension EditorView {
  private var aimOfCaret: VerticalAim {
    guard coreEditsCode else { return .column(caret.column) }
    return cache[caret.line].map { .column(metrics.cell(ofColumn: caret.column, in: $0.line)) } ?? .unknown
  }

  /// Does to what is shown what an edit will do that is being sent, if that is certain.
  /// - Parameter isAllowed: False when something else than the view speaks against it.
  /// - Returns: Whether it has.
  func predict(_ edit: EditCommand, isAllowed: Bool) -> Bool {
    let isAlone = log.pendingCount == prediction?.steps.count ?? 0
    noteAim(of: edit, isAlone: isAlone)
    guard isAlone, isAllowed, let key = plainKey(of: edit),
      prediction?.steps.count ?? 0 < Prediction.longest,
      extend(prediction ?? Prediction(truth: truth), by: key, number: log.nextNumber)
    else {
      if edit.changesDocument { prediction?.isOvertaken = true }
      return false
    }
    if key == .deleteBackward { aim = .caret }
    return true
  }

  /// Runs `change`, a message of the core's, on what the core has said; then does again what it has not answered yet.
  /// - Returns: false when what was shown was wrong.
  func reconcile(_ change: () -> Void) -> Bool {
    guard let old = prediction else {
      let (wasIdle, before) = (log.pendingCount == 0, caret)
      change()
      if wasIdle, caret != before { aim = .unknown }
      return true
    }
    withdrawPrediction()
    change()
    let answered = old.steps.prefix { $0.number < log.unhandledNumber }
    if old.isOvertaken, answered.count == old.steps.count { return true }
    let expected = answered.last.map { ($0.caret, $0.text) } ?? (old.truth.caret, text(in: old.truth) ?? "")
    guard caret == expected.0, text(in: truth) == expected.1 else { return false }
    var next = Prediction(truth: truth, isOvertaken: old.isOvertaken)
    for step in old.steps[answered.count...] {
      guard extend(next, by: step.key, number: step.number), let prediction else {
        withdrawPrediction()
        return false
      }
      next = prediction
    }
    return true
  }

  /// Does to what is shown what the core has not answered, as far as that is certain.
  func predictUnhandled() {
    withdrawPrediction()
    var next = Prediction(truth: truth)
    for (number, entry) in log.pending {
      guard case .edit(let edit) = entry, let key = plainKey(of: edit), next.steps.count < Prediction.longest,
        extend(next, by: key, number: number), let prediction
      else {
        prediction?.isOvertaken = true
        return
      }
      next = prediction
    }
  }

  /// Shows what the core has said, and no more.
  func withdrawPrediction() {
    guard let truth = prediction?.truth else { return }
    (cache, caret, isPristine) = (truth.cache, truth.caret, truth.isPristine)
    prediction = nil
  }

  private var truth: Prediction.Truth { .init(cache: cache, caret: caret, isPristine: isPristine) }

  private func text(in truth: Prediction.Truth) -> String? { truth.cache[truth.caret.line]?.line.text }

  // MARK: What is certain

  private func plainKey(of edit: EditCommand) -> PlainKey? {
    switch (edit, aim) {
    case (.insert(let text), _): .insert(text)
    case (.plain(.deleteBackward), _): .deleteBackward
    case (.plain(.moveLeft), _): .left
    case (.plain(.moveRight), _): .right
    case (.plain(.moveUp), .column(let column)): .up(column: column)
    case (.plain(.moveDown), .column(let column)): .down(column: column)
    default: nil
    }
  }

  private func noteAim(of edit: EditCommand, isAlone: Bool) {
    switch edit {
    case .insert, .gesture, .gotoLine, .gotoPosition, .plain(.insertNewline): aim = .caret
    case .plain(let edit) where edit.isSideways: aim = .caret
    case .plain(.moveUp), .plain(.moveDown):
      if aim == .caret { aim = isAlone ? aimOfCaret : .unknown }
    default: if edit.changesDocument { aim = .unknown }
    }
  }

  /// Lets the view show one more key.
  /// - Returns: false, with nothing changed, where the key may do something else than the plain thing.
  private func extend(_ prediction: Prediction, by key: PlainKey, number: Int) -> Bool {
    guard isPredictable, let here = cache[caret.line]?.line, here.cursors == [caret.column],
      let from = CaretLine(here, column: caret.column)
    else { return false }
    let goal: (line: Int, CaretLine)
    switch key {
    case .up(let column), .down(let column):
      let line = caret.line + (key == .up(column: column) ? -1 : 1)
      guard from.isExact, let there = cache[line]?.line,
        let arrived = CaretLine(
          arrivingAt: there, column: coreEditsCode ? metrics.column(ofCell: column, in: there) : column)
      else { return false }
      goal = (line, arrived)
    case .insert, .deleteBackward, .left, .right:
      guard !(coreEditsCode && from.mayDoMore(key)), let changed = from.after(key) else { return false }
      goal = (caret.line, changed)
    }
    guard isInSight(goal.1, line: goal.line) else { return false }
    var prediction = prediction
    if goal.line != caret.line { cache.replaceLine(at: caret.line, by: here.withCursor(nil)) }
    cache.replaceLine(at: goal.line, by: goal.1.line)
    caret = LineColumn(line: goal.line, column: goal.1.column)
    if key.changesText { isPristine = false }
    prediction.steps.append(.init(number: number, key: key, caret: caret, text: goal.1.line.text))
    self.prediction = prediction
    return true
  }

  /// One caret in a text that is all there, is not wrapped, and can be edited.
  private var isPredictable: Bool {
    (isReady || recovery == .waiting) && progress == nil && !wraps && !isReadOnly && file?.isReadOnly == false
      && regionCounts == nil && selections.count <= 1 && selections.allSatisfy(\.isEmpty)
  }

  /// Whether nothing scrolls to show a caret.
  private func isInSight(_ place: CaretLine, line: Int) -> Bool {
    guard !revealsCaret, viewport.lines.contains(line) else { return false }
    var revealed = viewport(revealing: line)
    revealed.reveal(cell: metrics.cell(ofColumn: place.column, in: place.line))
    return revealed == viewport
  }
}

extension PlainEdit {
  /// A motion that is none up or down: the next one of these begins in its column.
  fileprivate var isSideways: Bool {
    switch self {
    case .moveLeft, .moveRight, .moveWordLeft, .moveWordRight, .moveToLeftEndOfLine, .moveToRightEndOfLine,
      .moveToLineStart,
      .moveToBeginningOfParagraph, .moveToEndOfParagraph, .moveToBeginningOfDocument, .moveToEndOfDocument:
      true
    default: false
    }
  }
}
