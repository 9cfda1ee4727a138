import EditorProtocol
import Rope

extension TextView {
  /// The update that brings the front end's cache up to date, and whether it brings lines.
  func makeUpdate(isPristine: Bool, handledEdits: Int?) -> (update: ViewUpdate, rendersLines: Bool) {
    placePartialLines()
    var writer = UpdateWriter(LineRenderer(self))
    let plan = screen.takePlan(of: lineCount)
    let rendersLines = needsRendering(plan)
    // Lines that the front end does not know would count as numbered, which wrapped ones are not.
    if rendersLines {
      render(plan, &writer)
    } else {
      writer.copyAll(lineCount, firstNumber: lines.mode == .off ? 1 : nil)
    }
    let update = ViewUpdate(
      ops: writer.ops, pristine: isPristine, annotations: writer.renderer.annotations(), handledEdits: handledEdits,
      regionCounts: handledEdits == nil ? nil : regionCounts)
    return (update, rendersLines)
  }

  private var regionCounts: ViewUpdate.RegionCounts? {
    guard selection.regions.count > 1 else { return nil }
    return .init(all: selection.regions.count, selections: selection.regions.count { !$0.isCaret })
  }

  /// Keeps the caret within what is sent of its line.
  private func placePartialLines() {
    guard partialLines.areTaken, let caret = carets.main?.active else { return }
    let column = caret - lines.start(ofLine: line(of: caret), in: text)
    if partialLines.follow(caretAt: column) { shadow.invalidate(0..<lineCount, [.text, .styles]) }
  }

  private func needsRendering(_ plan: RenderPlan) -> Bool {
    if shadow.isDirty { return true }
    var isValid = true
    for part in plan.parts where part.tactic == .render {
      LineCacheShadow.forEachPart(of: shadow.runs, in: part.lines) { isValid = isValid && $0.validity == .all }
    }
    return !isValid
  }

  private func render(_ plan: RenderPlan, _ writer: inout UpdateWriter) {
    for part in plan.parts {
      var line = part.lines.lowerBound
      LineCacheShadow.forEachPart(of: shadow.runs, in: part.lines) { run in
        render(run, startingAtLine: line, part.tactic, &writer)
        line += run.count
      }
    }
    shadow.replaceAll(writer.shadow.runs)
  }

  private func render(
    _ run: LineCacheShadow.Run, startingAtLine line: Int, _ tactic: RenderPlan.Tactic, _ writer: inout UpdateWriter
  ) {
    let isKnown = run.validity.isSuperset(of: [.text, .styles])
    switch tactic {
    case .preserve where isKnown, .render where isKnown && run.validity.contains(.cursors):
      if tactic == .preserve, !run.validity.contains(.cursors) { return update(run, startingAtLine: line, &writer) }
      writer.copy(run, firstNumber: logicalNumber(ofLine: line), line: line)
    case .render where isKnown: update(run, startingAtLine: line, &writer)
    case .render: writer.insert(line..<(line + run.count))
    case .discard, .preserve: writer.invalidate(run.count)
    }
  }

  private func update(_ run: LineCacheShadow.Run, startingAtLine line: Int, _ writer: inout UpdateWriter) {
    let number = logicalNumber(ofLine: line)
    writer.update(run, firstNumber: number == 1 ? nil : number, line: line)
  }

  /// From 1.
  private func logicalNumber(ofLine line: Int) -> Int {
    text.line(at: lines.start(ofLine: line, in: text)).value + 1
  }
}

/// Collects ops, and the shadow of the cache that they make.
private struct UpdateWriter {
  var renderer: LineRenderer
  private(set) var ops: [UpdateOp] = []
  var shadow = LineCacheShadow.Builder()
  /// How far the front end's old cache is used up.
  private var theirLine = 0

  init(_ renderer: LineRenderer) { self.renderer = renderer }

  /// The front end's lines are right as they are.
  mutating func copyAll(_ count: Int, firstNumber: Int?) { ops = [.copy(count: count, firstNumber: firstNumber)] }

  mutating func invalidate(_ count: Int) {
    if case .invalidate(let last)? = ops.last {
      ops[ops.count - 1] = .invalidate(count: last + count)
    } else {
      ops.append(.invalidate(count: count))
    }
    shadow.append(.init(count: count, theirLine: 0, validity: []))
  }

  mutating func insert(_ lines: Range<Int>) {
    ops.append(.insert(renderer.lines(lines, withText: true)))
    shadow.append(.init(count: lines.count, theirLine: lines.lowerBound, validity: .all))
  }

  mutating func copy(_ run: LineCacheShadow.Run, firstNumber: Int, line: Int) {
    skip(to: run)
    ops.append(.copy(count: run.count, firstNumber: firstNumber))
    shadow.append(.init(count: run.count, theirLine: line, validity: .all))
  }

  mutating func update(_ run: LineCacheShadow.Run, firstNumber: Int?, line: Int) {
    skip(to: run)
    let lines = renderer.lines(line..<(line + run.count), withText: false)
    ops.append(.update(lines, firstNumber: firstNumber))
    shadow.append(.init(count: run.count, theirLine: line, validity: .all))
  }

  private mutating func skip(to run: LineCacheShadow.Run) {
    if run.theirLine > theirLine { ops.append(.skip(count: run.theirLine - theirLine)) }
    theirLine = run.theirLine + run.count
  }
}
