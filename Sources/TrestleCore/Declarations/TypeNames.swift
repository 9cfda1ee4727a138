/// What declarations call the records and unions of some modules: their own names, made to be identifiers, and with a number
/// where they are taken.
struct TypeNames: Sendable {
  /// Their own names.
  static let plain = TypeNames([], modules: [])

  private var names: [TypeSchema: String] = [:]

  /// Names that mean something else in declarations: what those say themselves, and their surroundings.
  private static let reserved = Set([
    "AbortController", "AbortSignal", "Array", "ArrayBuffer", "ArrayBufferView", "CallOptions", "Console", "Date",
    "Error", "Files", "FileStatus", "Function", "Map",
    "ModuleEvent", "NativeModules", "Object", "Process", "Promise", "Record", "Set", "SharedObject", "StreamPromise",
    "String",
    "Subscription", "Symbol",
  ]).union(ElementKind.allCases.map(\.constructorName))

  /// - Parameter modules: names that are taken.
  init(_ types: [TypeSchema], modules: [String]) {
    var taken = Self.reserved.union(modules)
    for type in types {
      guard let own = type.ownName?.scriptIdentifier else { continue }
      var (name, number) = (own, 1)
      while !taken.insert(name).inserted {
        number += 1
        name = "\(own)\(number)"
      }
      names[type] = name
    }
  }

  subscript(type: TypeSchema) -> String { names[type] ?? type.ownName ?? "unknown" }
}

extension String {
  /// Words that no parameter can have as its name.
  private static let reservedWords: Set<String> = [
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
    "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import",
    "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public", "return",
    "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with", "yield",
  ]

  private var isScriptIdentifier: Bool {
    guard let first = unicodeScalars.first, !(48...57).contains(first.value) else { return false }
    return unicodeScalars.allSatisfy {
      $0 == "_" || $0 == "$" || $0.isASCII && $0.properties.isAlphabetic || (48...57).contains($0.value)
    }
  }

  /// The name itself, or one like it that JavaScript can have for a type or a parameter.
  var scriptIdentifier: String {
    if isScriptIdentifier { return Self.reservedWords.contains(self) ? self + "_" : self }
    let name = String(
      String.UnicodeScalarView(
        unicodeScalars.map { String($0).isScriptIdentifier || (48...57).contains($0.value) ? $0 : "_" }))
    return name.isScriptIdentifier ? name : "_" + name
  }

  /// The name as that of a member.
  var scriptMemberName: String { isScriptIdentifier ? self : TypeSchema.JSONLiteral.string(self).description }
}
