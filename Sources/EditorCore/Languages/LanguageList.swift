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

  // Byte by byte: a front end waits for it at each start.
  private init() {
    lines = LanguageTable.text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init)
    names = lines.map { line in String(Substring(line.utf8.prefix { $0 != UInt8(ascii: ":") })) }
    for (index, line) in lines.enumerated() {
      byName[names[index]] = index
      byMode[names[index].lowercased()] = index
      let fields = line.utf8.dropFirst(names[index].utf8.count + 1)
      for field in fields.split(separator: UInt8(ascii: " ")) { note(field, index) }
    }
  }

  private mutating func note(_ field: Substring.UTF8View, _ index: Int) {
    guard let sign = field.firstIndex(of: UInt8(ascii: "=")) else { return }
    let values = field[sign...].dropFirst().split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
    switch Substring(field[..<sign]) {
    case "files":
      for value in values {
        if value.utf8.last == UInt8(ascii: "*") {
          byBeginning.append((String(value.dropLast()), index))
        } else {
          byEnding[value] = index
        }
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
