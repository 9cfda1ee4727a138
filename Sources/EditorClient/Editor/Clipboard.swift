import EditorProtocol
import JSON
import JSONRPC

/// What was copied, and how it goes to the core and comes from there.
final class Clipboard {
  /// What a paste puts in.
  enum Contents {
    case text(String)
    /// Whole lines, of carets: they go above a line.
    case lines(String)
    /// More than is sent to and fro: the core has it.
    case held(HeldCopy)
    case lost
  }

  /// A text that was copied or cut.
  struct Copy: Equatable {
    var text: String
    /// See ``Contents/lines(_:)``.
    var isLines: Bool

    var contents: Contents { isLines ? .lines(text) : .text(text) }
  }

  /// What is copied and longer stays with the core.
  private static let largestCopy = 1 << 20
  static let (mostCopies, mostCopiedBytes) = (50, 4 << 20)

  var contents = Contents.text("")
  /// What was copied in this run and is here, each text once, the last one first.
  private(set) var copies: [Copy] = []
  private let core: CoreLink
  private let views: Views
  private let gate: InputGate
  private let notices: Notices
  private let screen: Screen

  init(_ core: CoreLink, _ views: Views, _ gate: InputGate, _ notices: Notices, _ screen: Screen) {
    (self.core, self.views, self.gate, self.notices, self.screen) = (core, views, gate, notices, screen)
  }

  /// What it had may be lost.
  func coreHasEnded() { if case .held = contents { contents = .lost } }

  func copySelection(cutting: Bool) {
    guard let view = views.current else { return }
    guard view.isReady, let id = view.id else {
      return gate.whenReady(view) { [weak self] in self?.copySelection(cutting: cutting) }
    }
    // What is typed next may be a paste.
    if cutting {
      cut(view)
      return gate.wait(to: "cut", .isHeld) { [views] in
        views.all.contains { $0 === view && $0.awaitedCuts > 0 } ? .waiting : .over
      }
    }
    view.log.append(.copy)
    var isAnswered = false
    core.request(.copy(id, holdAbove: copyLimit)) { [weak self, hadCore = core.loss == nil] result in
      isAnswered = true
      self?.copied(result)
      // A paste behind it does not mean what was copied before.
      if hadCore, case .failure(let error) = result, error.code == ResponseError.connectionClosedCode {
        self?.contents = .lost
      }
    }
    gate.wait(to: "copy", .isHeld, until: { isAnswered ? .over : .waiting })
  }

  private var copyLimit: Int? { core.supports(.heldCopies) ? Self.largestCopy : nil }

  /// - Parameter isAnswered: By a core that has ended since; the cut is made again for its place in the text.
  func cut(_ view: EditorView, isAnswered: Bool = false) {
    guard let id = view.id else { return }
    let number = view.log.nextNumber
    view.log.append(.cut(isAnswered: isAnswered))
    if !isAnswered { view.awaitedCuts += 1 }
    core.request(.cut(id, holdAbove: copyLimit)) { [weak self] result in
      guard !isAnswered else { return }
      // The next core says what becomes of it.
      if case .failure(let error) = result, error.code == ResponseError.connectionClosedCode { return }
      view.log.answerCut(number)
      view.awaitedCuts = max(view.awaitedCuts - 1, 0)
      self?.copied(result)
    }
  }

  private func copied(_ result: Result<JSONValue, ResponseError>) {
    switch result {
    case .success(let answer):
      if let held = HeldCopy(answer) {
        contents = .held(held)
        notices.show("Copied \(held.byteCount) bytes for this editor only: it is too much for the terminal's clipboard")
      } else if let text = answer.string, !text.isEmpty {
        take(Copy(text: text, isLines: false))
      } else if let lines = answer["lines"]?.string {
        take(Copy(text: lines, isLines: true))
      } else {
        notices.refuse("Nothing is selected")
      }
    case .failure(let error): notices.show(error.message, isAlarm: true)
    }
  }

  /// Is what a paste puts in from now on, here and in other programs.
  func take(_ copy: Copy) {
    contents = copy.contents
    screen.want(.copy(copy.text))
    copies.removeAll { $0 == copy }
    copies.insert(copy, at: 0)
    var byteCount = 0
    let kept = copies.prefix(Self.mostCopies).prefix { copy in
      byteCount += copy.text.utf8.count
      return byteCount <= Self.mostCopiedBytes
    }
    copies = Array(kept)
  }

  func paste() {
    switch contents {
    case .text(""): notices.refuse("The clipboard is empty")
    case .text(let text): paste(text)
    case .lines(let text): views.edit(.pasteLines(text))
    case .held(let held): views.edit(.pasteHeld(held.id))
    case .lost: notices.show("What was copied was held by the core that ended", isAlarm: true)
    }
  }

  /// With the line ends that the file has, whatever they were where the text comes from.
  private func paste(_ text: String) {
    views.edit(.paste(views.current?.file.map { text.withLineEnds($0.lineEnding) } ?? text))
  }

  /// - Parameter text: From the terminal, with line ends of ours: it is one undo step.
  func pasteFromTerminal(_ text: String) {
    paste(text)
    announceControls(in: text)
  }

  /// Tells about characters that may not be what they look like.
  private func announceControls(in text: String) {
    let count = text.unicodeScalars.count { scalar in
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: false
      case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF: true
      default: false
      }
    }
    guard count > 0 else { return }
    notices.show("Pasted with \(count) control or invisible character\(count == 1 ? "" : "s")", isAlarm: true)
  }
}

extension String {
  /// `\n` and `\r\n` as what the file has; as they are where it has both.
  fileprivate func withLineEnds(_ lineEnding: FileInformation.LineEnding) -> String {
    let hasReturns = lineEnding == .carriageReturnLineFeed
    guard lineEnding != .mixed, utf8.contains(hasReturns ? 0x0A : 0x0D) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 {
      if byte == 0x0A {
        if bytes.last == 0x0D { bytes.removeLast() }
        if hasReturns { bytes.append(0x0D) }
      }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `\r\n` and `\r` as `\n`: terminals send a carriage return for each line end of a paste.
  var withUnixLineEnds: String {
    guard utf8.contains(0x0D) else { return self }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte == 0x0D {
        bytes.append(0x0A)
      } else if byte != 0x0A || previous != 0x0D {
        bytes.append(byte)
      }
      previous = byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
