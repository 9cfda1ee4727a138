import EditorProtocol
import Rope

/// What a document is compared with, and where it differs from that.
struct DocumentChanges {
  /// A text to compare with.
  struct Wanted {
    let base: ChangedLines.Base
    /// May take long: for the worker thread.
    let text: @Sendable (_ present: Rope) -> Rope
  }

  /// What the worker is at.
  struct Job {
    let number: Int
    /// Made meanwhile.
    var edits: [TextBuffer.Change] = []
  }

  /// What the file held when it was read or written last; nil for one that is not there yet.
  var saved: Rope?
  /// Nil where there is nothing to compare with, or too much to compare.
  private(set) var lines: LineChanges?
  private(set) var base = ChangedLines.Base.saved
  /// It is to be compared with that, and is not yet.
  private(set) var wanted: Wanted?
  private(set) var job: Job?
  /// More are not kept: the job is begun anew.
  private static let mostEdits = 1000

  /// As it was set when it was compared.
  var mode = DocumentConfig.ChangeMarks.head

  // What is known of git.

  /// git's name of the text that it has, if the document is compared with that.
  var blob: String?
  /// The number of the question that is open.
  var question: Int?
  /// Tells when another commit is checked out: what is watched, and the watcher's number of it.
  var watch: (path: String, number: Int)?

  init(saved: Rope?) {
    self.saved = saved
    lines = saved.map { LineChanges(of: $0) }
  }

  /// What is marked is, or will be, the difference from that.
  var isOfDisk: Bool { (wanted?.base ?? base) == .disk && (wanted != nil || lines != nil) }
  var isOfHead: Bool { (wanted?.base ?? base) == .head }
  /// Something else than ``lines`` will be known soon.
  var isComparing: Bool { question != nil || wanted != nil }
  /// The worker is needed.
  var isUnfinished: Bool { job == nil && (wanted != nil || lines?.isRough == true) }

  // MARK: Following the text

  mutating func follow(_ change: TextBuffer.Change) {
    lines?.follow(change.delta, from: change.base, to: change.text)
    job?.edits.append(change)
    if let count = job?.edits.count, count > Self.mostEdits { job = nil }
  }

  /// More of the file has come behind the text.
  mutating func appendLoaded(_ piece: Rope, making text: Rope) {
    if lines?.hunks.isEmpty == true {
      (saved, lines) = (text, LineChanges(of: text))
    } else {
      // What was typed may be in a line that goes on: it is compared when all is there.
      saved?.append(piece)
      lines = nil
    }
  }

  // MARK: Comparing

  mutating func compare(with wanted: Wanted) { (self.wanted, job) = (wanted, nil) }

  /// The text is that of the file.
  mutating func isSaved(_ text: Rope) { (lines, base, wanted, job) = (LineChanges(of: text), .saved, nil, nil) }

  mutating func forget() {
    (lines, wanted, job) = (nil, nil, nil)
    forgetGit()
  }

  mutating func forgetGit() { (question, blob) = (nil, nil) }

  /// - Returns: What the worker is to do with the text as it is.
  mutating func begin(_ number: Int) -> @Sendable (_ present: Rope) -> LineChanges? {
    job = Job(number: number)
    let (wanted, lines) = (wanted, lines)
    return { present in
      guard let wanted else { return lines?.refined(in: present) }
      return LineChanges(from: wanted.text(present), to: present)
    }
  }

  mutating func end(_ number: Int, _ found: LineChanges?) {
    guard let job, job.number == number else { return }
    (lines, self.job) = (found, nil)
    if let wanted { (base, self.wanted) = (wanted.base, nil) }
    for edit in job.edits { lines?.follow(edit.delta, from: edit.base, to: edit.text) }
  }
}
