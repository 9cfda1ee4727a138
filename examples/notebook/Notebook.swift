import Trestle
import TrestleObservables

/// Notes by their titles.
@NativeModule actor Notebook {
  /// A note has been written in.
  @Exported let changed = EventSource<Change>(replaysLast: true)
  private let sizes = Subject<Int>()
  private var notes: [String: Note] = [:]

  init() {}

  /// The note of that title: always the same object.
  @Exported func note(_ title: String) -> Note {
    let note = notes[title] ?? Note(title, changed: changed, sizes: sizes)
    notes[title] = note
    return note
  }

  /// The number of lines of the whole notebook, after each that is written.
  @Exported(.sync) nonisolated func lineCounts() -> Observable<Int> {
    sizes.observable.scan(0) { sum, new in sum + new }
  }
}

/// A note that scripts write in. It lives as long as the notebook or a script has it.
@SharedObject actor Note {
  @Exported let title: String
  private let changed: EventSource<Change>
  private let sizes: Subject<Int>
  private var lines: [String] = []

  init(_ title: String, changed: EventSource<Change>, sizes: Subject<Int>) {
    self.title = title
    self.changed = changed
    self.sizes = sizes
  }

  /// Adds a line.
  @Exported func write(_ line: String) {
    lines.append(line)
    changed.emit(Change(title: title, lines: lines.count))
    sizes.next(1)
  }

  @Exported func text() -> String { lines.joined(separator: "\n") }
}

@Record struct Change {
  var title: String
  var lines: Int
}

/// What a script does for the notebook.
@JSInterface protocol Formatter {
  /// A change in words.
  func format(_ change: Change) async throws -> String
}
