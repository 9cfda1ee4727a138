import JSON

/// What is remembered of what was typed and chosen, some of it between runs.
package final class Memory {
  /// Each a list of texts, the last one first.
  enum List: Hashable {
    case search, replacement, goto, path
    /// Commands of the shell.
    case shell
    /// Commands that were chosen from the list of all, by their names.
    case command
    /// Files that were opened, by their whole paths.
    case file
    /// Where the caret was in files that were closed: `12:3 /path`.
    case place
    /// Those options of the search that are on.
    case searchOption
    /// The steps of the macro.
    case macro
    /// What was open at the end of a run: its folder, a line feed and a ``FolderSession``.
    case session
    /// Of a plugin's command, by its title: kept for this run alone.
    case argument(String)

    /// Its name in the file.
    var name: String? {
      switch self {
      case .search: "search"
      case .replacement: "replacement"
      case .goto: "goto"
      case .path: "path"
      case .shell: "shell"
      case .command: "command"
      case .file: "file"
      case .place: "place"
      case .searchOption: "search_option"
      case .macro: "macro"
      case .session: "session"
      case .argument: nil
      }
    }
  }

  private static let mostTexts = 100
  /// A text that is longer is not kept between runs.
  static let longestText = 4096

  /// Where it is kept between runs, if anywhere. It is read when it is first asked.
  package var file: MemoryFile?
  private var lists: [List: [String]] = [:]
  private var isLoaded = false

  package init(file: MemoryFile? = nil) { self.file = file }

  subscript(list: List) -> [String] {
    load()
    return lists[list] ?? []
  }

  /// Puts a text in front of its list.
  func note(_ text: String, in list: List) { note([text], in: list) }

  /// Puts texts in front of their list, the last one foremost.
  func note(_ new: [String], in list: List) {
    change(list) { texts in
      Array((new.reversed() + texts.filter { !new.contains($0) }).prefix(Self.mostTexts))
    }
  }

  /// Where the caret was when the file was closed.
  /// - Parameter path: The whole one.
  func place(inFile path: String) -> FilePosition? {
    self[.place].first { Self.isPlace($0, inFile: path) }.flatMap {
      FilePosition(Substring($0.utf8.prefix { $0 != 0x20 }))
    }
  }

  /// By its bytes: names that look alike are two files.
  private static func isPlace(_ text: String, inFile path: String) -> Bool {
    text.utf8.drop { $0 != 0x20 }.dropFirst().elementsEqual(path.utf8)
  }

  /// - Parameter places: By the whole paths of their files; nil for one that is to be forgotten. The beginning need not be remembered.
  func note(_ places: [(path: String, position: FilePosition?)]) {
    let paths = places.map(\.path)
    let new = places.compactMap { path, position in
      position.flatMap { $0 == FilePosition(line: 1) ? nil : "\($0.line):\($0.column) \(path)" }
    }
    change(.place) { texts in
      Array(
        (new.reversed() + texts.filter { text in !paths.contains { Self.isPlace(text, inFile: $0) } }).prefix(
          Self.mostTexts))
    }
  }

  func session(of folder: String) -> FolderSession? {
    self[.session].first { Self.isSession($0, of: folder) }.flatMap {
      FolderSession(String(Substring($0.utf8.dropFirst(folder.utf8.count + 1))))
    }
  }

  func keep(_ session: FolderSession, of folder: String) {
    change(.session) { texts in
      Array(([folder + "\n" + session.text] + texts.filter { !Self.isSession($0, of: folder) }).prefix(Self.mostTexts))
    }
  }

  private static func isSession(_ text: String, of folder: String) -> Bool {
    text.utf8.starts(with: (folder + "\n").utf8)
  }

  func set(_ list: List, to texts: [String]) {
    if self[list] != texts { change(list) { _ in texts } }
  }

  /// Another editor may have written meanwhile: what it remembers stays.
  private func change(_ list: List, _ change: ([String]) -> [String]) {
    load()
    lists[list] = change(lists[list] ?? [])
    guard let file, let name = list.name else { return }
    var table = file.read()
    let texts = change(Self.texts(table[name])).filter { $0.utf8.count <= Self.longestText }
    table[name] = .array(texts.map(JSONValue.string))
    file.write(table)
  }

  private func load() {
    guard !isLoaded else { return }
    isLoaded = true
    guard let table = file?.read() else { return }
    for list in [
      List.search, .replacement, .goto, .path, .shell, .command, .file, .place, .searchOption, .macro, .session,
    ] {
      if let name = list.name { lists[list] = Self.texts(table[name]) }
    }
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).prefix(mostTexts).compactMap(\.string)
  }
}
