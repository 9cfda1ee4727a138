/// The codes of errors that state none: `FileError.notFound` is `ERR_NOT_FOUND`, `struct ParseError` is `ERR_PARSE`.
enum ErrorCode {
  static func derived(from error: some Error) -> String {
    if error is CancellationError { return "ERR_CANCELLED" }
    if let name = caseName(of: error) { return code(fromName: name) }
    if let stated = statedCode(of: error) { return stated }
    return code(fromName: typeName(of: error, droppingSuffix: true))
  }

  /// The type's own name, without generic arguments.
  static func typeName(of error: some Error, droppingSuffix: Bool = false) -> String {
    let name = "\(type(of: error))".prefix { $0 != "<" }
    guard droppingSuffix, name.hasSuffix("Error"), name.count > 5 else { return String(name) }
    return String(name.dropLast(5))
  }

  /// The name of an enumeration's case. Not taken from its description, which the type may have replaced.
  static func caseName(of error: some Any) -> String? {
    guard Mirror(reflecting: error).displayStyle == .enum else { return nil }
    return enumCaseName(error).map { String(cString: $0) }
  }

  /// What a stored property `code` says: a string, a case or a raw value.
  private static func statedCode(of error: some Error) -> String? {
    guard let value = Mirror(reflecting: error).children.first(where: { $0.label == "code" })?.value else { return nil }
    if let name = caseName(of: value) { return code(fromName: name) }
    let rawValue = (value as? any RawRepresentable).map { $0.rawValue as Any } ?? value
    return (rawValue as? String).map(code(fromName:))
  }

  /// `notFound` and `not-found` become `ERR_NOT_FOUND`, `invalidURL` becomes `ERR_INVALID_URL`; codes stay as they are.
  static func code(fromName name: String) -> String {
    if name.hasPrefix("ERR_") { return name }
    let characters = Array(name)
    var code = "ERR"
    for (index, character) in characters.enumerated() where character.isLetter || character.isNumber {
      let next = index + 1 < characters.count ? characters[index + 1] : nil
      if startsWord(character, after: index > 0 ? characters[index - 1] : nil, before: next) { code += "_" }
      code += character.uppercased()
    }
    return code == "ERR" ? "ERR_UNKNOWN" : code
  }

  /// At the start, behind a separator, and at a capital unless it stands within a row of them.
  private static func startsWord(_ character: Character, after previous: Character?, before next: Character?) -> Bool {
    guard let previous, previous.isLetter || previous.isNumber else { return true }
    return character.isUppercase && (!previous.isUppercase || next?.isLowercase == true)
  }
}

/// The standard library's own way to an enumeration's case name, which `print` uses; exported, stable, not declared.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
