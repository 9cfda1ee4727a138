import SwiftSyntax

/// A type that is written where a value crosses the bridge, as far as its syntax tells what it is.
struct CrossingType {
  /// How the type is written, without specifiers and attributes: `[Row]?`.
  let text: String
  /// The same with parentheses where `.self` needs them.
  var metatype: String { needsParentheses ? "(\(text)).self" : "\(text).self" }
  let isOptional: Bool
  private let needsParentheses: Bool

  /// - Parameters:
  ///   - role: what it is the type of, for messages: "parameter 'sql'".
  ///   - takesFunctions: whether a function can come there.
  init(_ written: TypeSyntax, role: String, takesFunctions: Bool = false) throws(Mistake) {
    var type = written.trimmed
    if let attributed = type.as(AttributedTypeSyntax.self) { type = attributed.baseType.trimmed }
    if let words = objection(to: type, takesFunctions: takesFunctions) {
      throw Mistake("\(role) \(words)", at: written)
    }
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      text = "\(unwrapped.wrappedType)?"
      isOptional = true
    } else {
      text = type.description
      isOptional = type.is(OptionalTypeSyntax.self)
    }
    needsParentheses = type.is(CompositionTypeSyntax.self) || type.is(SomeOrAnyTypeSyntax.self)
  }

  init(known text: String) {
    self.text = text
    isOptional = false
    needsParentheses = false
  }

  var isOfFoundation: Bool { ["Date", "Data", "URL", "Decimal"].contains(where: names) }

  /// Whether it is made of the language's own types alone: then there is nothing to check.
  var surelyCrosses: Bool {
    let names = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return names.allSatisfy { Self.basicNames.contains(String($0)) } && text.allSatisfy { !"<&.".contains($0) }
      && text.split(separator: ":").dropLast().allSatisfy { $0.hasSuffix("[String") }
  }

  static let basicNames: Set = [
    "String", "Bool", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64",
  ]

  /// Whether it is that type, or made of it.
  func names(_ name: String) -> Bool {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == name }
  }

  static func isVoid(_ type: TypeSyntax) -> Bool {
    if let tuple = type.as(TupleTypeSyntax.self) { return tuple.elements.isEmpty }
    return type.as(IdentifierTypeSyntax.self)?.name.text == "Void"
  }
}

extension ExprSyntax {
  /// Whether it has a type that crosses.
  var isPlainLiteral: Bool {
    [.integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .stringLiteralExpr].contains(kind)
  }
}

/// Why no value of the type can cross, and what to write instead.
private func objection(to type: TypeSyntax, takesFunctions: Bool) -> String? {
  if let inner = type.as(TupleTypeSyntax.self), inner.elements.count == 1, let only = inner.elements.first {
    return objection(to: only.type, takesFunctions: takesFunctions)
  }
  if let optional = type.as(OptionalTypeSyntax.self) {
    return objection(to: optional.wrappedType, takesFunctions: takesFunctions)
  }
  if let array = type.as(ArrayTypeSyntax.self) { return objection(to: array.element, takesFunctions: takesFunctions) }
  if let dictionary = type.as(DictionaryTypeSyntax.self) {
    return objection(to: dictionary.value, takesFunctions: takesFunctions)
  }
  if type.is(TupleTypeSyntax.self) {
    return "is a tuple, which JavaScript does not have: declare a '@Record struct' with its elements as members"
  }
  if let function = type.bareFunction {
    return "is a function, which cannot cross as such: "
      + (takesFunctions ? "take a '\(function.scriptFunction)'" : "export a method, or emit an event")
  }
  if let some = type.as(SomeOrAnyTypeSyntax.self) {
    let specifier = some.someOrAnySpecifier.text
    return "is '\(specifier)' something, which names no type to convert: write the concrete type"
  }
  if let name = type.as(IdentifierTypeSyntax.self)?.name.text, name == "Any" || name == "AnyObject" {
    return "is '\(name)', which says nothing to convert by: write 'JSONValue' for anything that JSON can say"
  }
  return nil
}

extension TypeSyntax {
  /// The function that it is, without attributes such as `@escaping`.
  fileprivate var bareFunction: FunctionTypeSyntax? {
    self.as(AttributedTypeSyntax.self)?.baseType.bareFunction ?? self.as(FunctionTypeSyntax.self)
  }
}

extension FunctionTypeSyntax {
  /// A script's function of the same arguments and result.
  fileprivate var scriptFunction: String {
    let result = returnClause.type.trimmed
    let types = parameters.map(\.type.trimmedDescription) + [CrossingType.isVoid(result) ? "Undefined" : "\(result)"]
    return "ScriptFunction<\(types.joined(separator: ", "))>"
  }
}
