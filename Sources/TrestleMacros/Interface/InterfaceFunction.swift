import SwiftSyntax

/// A function of an interface, checked.
struct InterfaceFunction {
  let node: FunctionDeclSyntax
  let name: String
  private let parameters: [ExportedParameter]
  private let result: CrossingType?
  private let isAsync: Bool

  init(_ function: FunctionDeclSyntax) throws(Mistake) {
    node = function
    name = function.name.plainName
    try checkForm(of: function)
    var parameters: [ExportedParameter] = []
    for (index, parameter) in function.signature.parameterClause.parameters.enumerated() {
      parameters.append(try ExportedParameter(parameter, index: index, isFromJavaScript: false))
    }
    self.parameters = parameters
    if let unnamed = parameters.first(where: { $0.innerName.tokenKind == .wildcard }) {
      throw Mistake("give the parameter a name, which messages and declarations tell: '_ page: Page'", at: unnamed.node)
    }
    if let callback = parameters.first(where: \.isCallback) {
      throw Mistake(
        "parameter '\(callback.name)' is a 'Callback', which is a script's to pass: return the value", at: callback.node
      )
    }
    if let type = function.signature.returnClause?.type, !CrossingType.isVoid(type) {
      result = try CrossingType(type, role: "the result of '\(name)'")
    } else {
      result = nil
    }
    isAsync = try isAwaited(function)
  }

  /// What the interface says of it: a value.
  var description: String {
    let list = parameters.map { parameter in
      guard case .value(let type, _) = parameter.content else { return "" }
      return ".argument(\(parameter.name.swiftLiteral), \(type.metatype))"
    }
    let head = ".init(\(name.swiftLiteral), [\(list.joined(separator: ", "))], "
    return head + (result.map { "result: \($0.metatype)" } ?? "isAwaited: \(isAsync)")
      + "\(node.documentationArgument))"
  }

  func check(_ checks: inout TypeChecks) {
    for parameter in parameters {
      if case .value(let type, _) = parameter.content { checks.add(type, .toJavaScript, at: parameter.node) }
    }
    if let result, let clause = node.signature.returnClause { checks.add(result, .fromJavaScript, at: clause) }
  }

  func implementation(access: String) -> String {
    let function = node.with(\.leadingTrivia, []).with(\.body, nil).with(\.attributes, []).trimmedDescription
    let values = [name.swiftLiteral] + parameters.map { "_Expansion.argument(\($0.innerName.text))" }
    let list = values.joined(separator: ", ")
    let body =
      if let result {
        "try await self.script.call(\(list), as: \(result.metatype))"
      } else if isAsync {
        "_ = try await self.script.call(\(list), as: Undefined.self)"
      } else { "self.script.invoke(\(list))" }
    return "  \(access)\(function) {\n    \(body)\n  }\n"
  }
}

private func checkForm(of function: FunctionDeclSyntax) throws(Mistake) {
  let name = function.name.text
  if let generics = function.genericParameterClause.map(Syntax.init) ?? function.genericWhereClause.map(Syntax.init) {
    throw Mistake("'\(name)' is generic, but a script's function has no type parameters: write the types", at: generics)
  }
  if let modifier = function.modifiers.first {
    throw Mistake(
      "a script's functions are called on an instance that is a constant: drop '\(modifier.name.text)'", at: modifier)
  }
  guard case .identifier = function.name.tokenKind else {
    throw Mistake("'\(name)' is no name in JavaScript", at: function.name)
  }
}

/// Whether the caller waits: then the call may fail.
private func isAwaited(_ function: FunctionDeclSyntax) throws(Mistake) -> Bool {
  let (name, effects) = (function.name.text, function.signature.effectSpecifiers)
  let isAsync = effects?.asyncSpecifier != nil
  if let type = effects?.throwsClause?.type {
    throw Mistake("a script may throw anything: write 'throws' without a type", at: type)
  }
  if isAsync, effects?.throwsClause != nil { return true }
  if !isAsync, effects?.throwsClause == nil,
    function.signature.returnClause.map({ CrossingType.isVoid($0.type) }) ?? true
  {
    return false
  }
  var signature = function.signature
  signature.effectSpecifiers = FunctionEffectSpecifiersSyntax(
    asyncSpecifier: .keyword(.async, trailingTrivia: .space),
    throwsClause: ThrowsClauseSyntax(throwsSpecifier: .keyword(.throws)),
    trailingTrivia: signature.returnClause == nil ? [] : .space)
  let why =
    isAsync
    ? "a call of a script may fail: make '\(name)' 'async throws'"
    : "a script is on another thread, and may fail: make '\(name)' 'async throws'"
  throw Mistake(why, at: function.name)
    .offering("make it 'async throws'", replace: function.signature, with: signature)
}
