import EditorProtocol

/// The languages of ``LanguageTable``, by what files tell of themselves. The table is read when a language is first asked for.
struct LanguageList: Sendable {
  static let known = LanguageList()

  private let lines: [Substring]
  let names: [String]
  private var byName: [String: Int] = [:]
  private var byEnding: [String: Int] = [:]
  private var byBeginning: [(beginning: String, index: Int)] = []
  private var byProgram: [String: Int] = [:]
  private var byMode: [String: Int] = [:]

  private init() {
    lines = LanguageTable.text.split(separator: "\n")
    names = lines.map { line in String(line.prefix { $0 != ":" }) }
    for (index, line) in lines.enumerated() {
      byName[names[index]] = index
      byMode[names[index].lowercased()] = index
      for field in line.dropFirst(names[index].count + 1).split(separator: " ") { note(field, index) }
    }
  }

  private mutating func note(_ field: Substring, _ index: Int) {
    guard let sign = field.utf8.firstIndex(of: 0x3D) else { return }
    let values = field[sign...].dropFirst().split(separator: ",").map(String.init)
    switch field[..<sign] {
    case "files":
      for value in values {
        if value.last == "*" { byBeginning.append((String(value.dropLast()), index)) } else { byEnding[value] = index }
      }
    case "run": for value in values { byProgram[value] = index }
    case "mode": for value in values { byMode[value] = index }
    default: break
    }
  }

  /// Nil for a name that is not in the table.
  func language(named name: String) -> Language? { byName[name].map { Language(line: lines[$0]) } }

  /// By its name, else by what it says in its mode line, else by its `#!` line; nil where nothing of these is known.
  /// - Parameters:
  ///   - first: The first lines of the text.
  ///   - last: The last ones.
  func name(ofFile path: String?, first: [String], last: [String]) -> String? {
    let index =
      path.flatMap { self.index(ofFile: $0.pathName) }
      ?? ModeLine.mode(in: first + last).flatMap { byMode[$0.lowercased()] }
      ?? first.first.flatMap(ModeLine.interpreter).flatMap(index(ofProgram:))
    return index.map { names[$0] }
  }

  /// A whole name before an ending, a longer ending before a shorter one.
  private func index(ofFile name: String) -> Int? {
    if let index = byEnding[name] { return index }
    for dot in name.indices where name[dot] == "." {
      if let index = byEnding[String(name[dot...])] { return index }
    }
    return byBeginning.first { name.hasPrefix($0.beginning) }?.index
  }

  /// `python3.12` is a `python3`, and a `python`.
  private func index(ofProgram name: String) -> Int? {
    var name = name[...]
    while !name.isEmpty {
      if let index = byProgram[String(name)] { return index }
      guard let last = name.utf8.last, last == 0x2E || (0x30...0x39).contains(last) else { return nil }
      name = name.dropLast()
    }
    return nil
  }
}
