import EditorProtocol

/// Where a search started: Esc goes back there.
struct SearchOrigin {
  var caret: LineColumn
  var topLine: Int
  /// What was selected, and is to be looked for.
  var selection: (range: Range<LineColumn>, text: String)?

  init(_ view: EditorView) {
    selection = view.selectedTextInLine
    caret = selection?.range.lowerBound ?? view.caret
    topLine = view.viewport.topLine
  }
}

extension EditorView {
  /// What is selected, if it is one part of one line that is here, and not very long.
  fileprivate var selectedTextInLine: (range: Range<LineColumn>, text: String)? {
    guard selections.count == 1, let range = selections.first, range.lowerBound.line == range.upperBound.line,
      let line = cache[range.lowerBound.line]?.line
    else { return nil }
    let bytes = range.lowerBound.column - line.startColumn..<range.upperBound.column - line.startColumn
    guard !bytes.isEmpty, bytes.count <= 1000, bytes.lowerBound >= 0, bytes.upperBound <= line.text.utf8.count else {
      return nil
    }
    let text = Array(line.text.utf8)[bytes]
    return String(validating: text, as: UTF8.self).map { (range, $0) }
  }
}

/// The search of the whole editor: one at a time, for whatever view is shown.
final class Search {
  struct Options: Equatable {
    var caseSensitive = false
    var wholeWords = false
    var regex = false

    /// Those that are on.
    var names: [String] {
      [(caseSensitive, "case"), (wholeWords, "words"), (regex, "regex")].compactMap { $0 ? $1 : nil }
    }

    var label: String { names.isEmpty ? "" : " [" + names.joined(separator: ", ") + "]" }

    init(_ names: [String] = []) {
      (caseSensitive, wholeWords, regex) = (names.contains("case"), names.contains("words"), names.contains("regex"))
    }
  }

  var query = ""
  var options = Options()
  /// They are as they were in the run before.
  private var hasOptions = false
  /// A match was gone to by the last key. Of several such keys in a row each is told where it led.
  var isPlaceAwaited = false
  /// It is asked about one match after another, or that question is on its way.
  var isReplacing = false
  /// Why the query finds nothing, if the core said so.
  var problem: String?

  private let core: CoreLink
  private let views: Views
  private let gate: InputGate
  private let screen: Screen
  private let notices: Notices
  private let memory: Memory

  init(_ core: CoreLink, _ views: Views, _ gate: InputGate, _ screen: Screen, _ notices: Notices, _ memory: Memory) {
    (self.core, self.views, self.gate, self.screen) = (core, views, gate, screen)
    (self.notices, self.memory) = (notices, memory)
  }

  /// Matches are marked on the screen.
  var isVisible: Bool {
    get { views.edits.marksMatches }
    set { views.edits.marksMatches = newValue }
  }

  var findQuery: FindQuery {
    FindQuery(query, caseSensitive: options.caseSensitive, regex: options.regex, wholeWords: options.wholeWords)
  }

  func rememberOptions() {
    if !hasOptions { options = Options(memory[.searchOption]) }
    hasOptions = true
  }

  /// - Returns: Whether the key is for that.
  func changeOption(by key: Key) -> Bool {
    var options = options
    switch key {
    case .alt("c"): options.caseSensitive.toggle()
    case .alt("w"): options.wholeWords.toggle()
    case .alt("r"): options.regex.toggle()
    default: return false
    }
    use(options)
    return true
  }

  func use(_ options: Options) {
    self.options = options
    memory.set(.searchOption, to: options.names)
  }

  var lastQuery: String? { memory[.search].first }

  /// Goes to the next match.
  /// - Returns: Whether there is something to look for.
  func goOn(backward: Bool, isTyping: Bool) -> Bool {
    if query.isEmpty, let lastQuery { query = lastQuery }
    guard !query.isEmpty else { return false }
    if !isTyping { views.noteJump() }
    if !isVisible { markMatches() }
    let motion = FindMotion(wrapAround: true)
    views.edit(backward ? .findPrevious(motion) : .findNext(motion))
    isPlaceAwaited = core.supports(.matchPlace)
    if !isTyping { awaitMatch() }
    return true
  }

  /// Runs `body` when the caret is at the match that was gone to: what is typed until then is meant for that place.
  func awaitMatch(
    _ input: Wait.Input = .isHeld, then body: @escaping () -> Void = {}, givenUp: @escaping () -> Void = {}
  ) {
    guard core.supports(.matchPlace), let id = views.current?.id else { return body() }
    var hasEnded = false
    core.request(.motionsEnd(id)) { _ in hasEnded = true }
    gate.wait(
      to: "find \(query.withVisibleLineEnds)", input, until: { hasEnded ? .over : .waiting }, then: body,
      givenUp: { [weak self] in
        self?.core.send(.cancel(id))
        givenUp()
      })
  }

  /// Which match the caret is at, after a key that went to one.
  func tellPlace(_ find: FindStatus) {
    guard isPlaceAwaited, isVisible, find.current != nil || find.matches == 0 else { return }
    if notices.message?.isAlarm != true, let matchReport { notices.show(matchReport) }
  }

  func markMatches() {
    views.edit(.find(findQuery))
    if !isVisible { views.edit(.highlightFind(visible: true)) }
    isVisible = true
  }

  func goBack(to origin: SearchOrigin) { views.edit(.gesture(origin.caret, .select(.point, multi: false))) }

  func cancel(from origin: SearchOrigin) {
    if let view = views.current { views.endLoading(of: view) }
    goBack(to: origin)
    if let range = origin.selection?.range { views.edit(.gesture(range.upperBound, .selectExtend(.point))) }
    views.current?.viewport.topLine = origin.topLine
    views.current?.keepsRows = true
    screen.needsDisplay = true
    clear()
    views.announceViewport()
  }

  func clear() {
    guard isVisible else { return }
    isVisible = false
    views.edit(.find(FindQuery("", caseSensitive: false)))
    views.edit(.highlightFind(visible: false))
    views.current?.find = nil
    screen.needsDisplay = true
  }

  /// How many matches there are, as far as it is known.
  var matchReport: String? {
    guard isVisible, !query.isEmpty, let view = views.current else { return nil }
    if let progress = view.progress, progress.task == .find, progress.total > 0 {
      return "searching \(progress.done * 100 / progress.total) %"
    }
    if let problem { return problem }
    guard let find = view.find else { return nil }
    if let current = find.current {
      return "\(current) of \(find.matches)" + (find.hasWrapped ? ", wrapped" : "")
    }
    return find.matches == 1 ? "1 match" : "\(find.matches) matches"
  }
}
