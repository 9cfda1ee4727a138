import SwiftSyntax

/// One parameter of an exported method.
struct ExportedParameter {
  enum Content {
    case value(CrossingType, defaultValue: String?)
    /// A function to call once, with what it is given.
    case callback(value: String, isOptional: Bool)
  }

  /// As in JavaScript's messages and declarations.
  let name: String
  /// The constant that holds the argument, in the code that the macro writes.
  let local: String
  /// How the argument is passed: `limit: limit`.
  let passed: String
  let content: Content
  let node: FunctionParameterSyntax

  /// - Parameter isFromJavaScript: whether a script passes it, and not native code.
  init(_ parameter: FunctionParameterSyntax, index: Int, isFromJavaScript: Bool = true) throws(Mistake) {
    node = parameter
    let inner = parameter.innerName
    let isNamed = inner.tokenKind != .wildcard
    name = isNamed ? inner.plainName : "argument\(index + 1)"
    local = !isNamed ? name : ownNames.contains(name) ? "\(name)Argument" : inner.text
    let label = parameter.firstName
    passed = label.tokenKind == .wildcard ? local : "\(label.text): \(local)"
    try Self.checkSpecifiers(of: parameter, name: name)
    if let callback = callbackValue(parameter.type) {
      content = .callback(value: callback.value, isOptional: callback.isOptional)
    } else {
      let type = try CrossingType(parameter.type, role: "parameter '\(name)'", takesFunctions: isFromJavaScript)
      let isJustNil = type.isOptional && parameter.defaultValue?.value.is(NilLiteralExprSyntax.self) == true
      content = .value(type, defaultValue: isJustNil ? nil : parameter.defaultValue?.value.trimmedDescription)
    }
  }

  /// The name in Swift, inside of the function.
  var innerName: TokenSyntax { node.innerName }

  var isCallback: Bool {
    if case .callback = content { true } else { false }
  }

  private static func checkSpecifiers(of parameter: FunctionParameterSyntax, name: String) throws(Mistake) {
    if let ellipsis = parameter.ellipsis {
      let array = ArrayTypeSyntax(element: parameter.type.trimmed)
      let fixed = parameter.with(\.ellipsis, nil).with(\.type, TypeSyntax(array))
      throw Mistake("parameter '\(name)' is variadic, which an exported method cannot be: take an array", at: ellipsis)
        .offering("take an array", replace: parameter, with: fixed)
    }
    guard let attributed = parameter.type.as(AttributedTypeSyntax.self) else { return }
    for case .simpleTypeSpecifier(let specifier) in attributed.specifiers {
      switch specifier.specifier.tokenKind {
      case .keyword(.inout):
        throw Mistake(
          "parameter '\(name)' is 'inout', but JavaScript passes copies: return the new value instead", at: specifier)
      case .keyword(.isolated):
        throw Mistake(
          "parameter '\(name)' is 'isolated', but JavaScript has no actors to pass: make the module itself an actor",
          at: specifier)
      default: break
      }
    }
  }
}

extension FunctionParameterSyntax {
  fileprivate var innerName: TokenSyntax { secondName ?? firstName }
}

/// The names that the written code uses itself.
private let ownNames: Set = ["call", "module", "reply", "instance", "error", "context"]

/// The `Value` of `Callback<Value>` and of `Callback<Value>?`.
private func callbackValue(_ type: TypeSyntax) -> (value: String, isOptional: Bool)? {
  if let attributed = type.as(AttributedTypeSyntax.self) { return callbackValue(attributed.baseType) }
  if let optional = type.as(OptionalTypeSyntax.self) {
    return callbackValue(optional.wrappedType).map { ($0.value, true) }
  }
  guard type.genericName.name == "Callback", let value = type.genericName.argument else { return nil }
  return (value.trimmedDescription, false)
}
