import JSON

/// What is remembered of what was typed and chosen, some of it between runs.
package final class Memory {
  /// Each a list of texts, the last one first.
  enum List: Hashable {
    case search, replacement, goto, path
    /// Commands that were chosen from the list of all, by their names.
    case command
    /// Files that were opened, by their whole paths.
    case file
    /// Those options of the search that are on.
    case searchOption
    /// Of a plugin's command, by its title: kept for this run alone.
    case argument(String)

    /// Its name in the file.
    var name: String? {
      switch self {
      case .search: "search"
      case .replacement: "replacement"
      case .goto: "goto"
      case .path: "path"
      case .command: "command"
      case .file: "file"
      case .searchOption: "search_option"
      case .argument: nil
      }
    }
  }

  private static let mostTexts = 100
  /// A text that is longer is not kept between runs.
  private static let longestText = 4096

  private let file: MemoryFile?
  private var lists: [List: [String]] = [:]
  private var isLoaded = false

  /// - Parameter file: Where it is kept between runs, if anywhere. It is read when it is first asked.
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
    for list in [List.search, .replacement, .goto, .path, .command, .file, .searchOption] {
      if let name = list.name { lists[list] = Self.texts(table[name]) }
    }
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    (value?.array ?? []).prefix(mostTexts).compactMap(\.string)
  }
}
