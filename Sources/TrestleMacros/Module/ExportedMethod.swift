import SwiftSyntax

/// A method that JavaScript may call, checked.
struct ExportedMethod {
  /// Where the method's body runs.
  enum Place {
    /// At once, on the JS thread.
    case jsThread
    /// As a task of its own, on the concurrent pool.
    case task
    /// On the module, an actor.
    case actor
    case globalActor(TypeSyntax)
  }

  let node: FunctionDeclSyntax
  /// The name in JavaScript.
  let name: String
  let kind: Kind
  let place: Place
  let parameters: [ExportedParameter]
  /// Nothing if it returns nothing.
  let result: CrossingType?
  let isThrowing: Bool
  let isAsync: Bool
  let isStatic: Bool

  init(_ function: FunctionDeclSyntax, exported: ExportedAttribute, of module: ModuleDeclaration) throws(Mistake) {
    node = function
    name = exported.name ?? function.name.plainName
    let effects = function.signature.effectSpecifiers
    isThrowing = effects?.throwsClause != nil
    isAsync = effects?.asyncSpecifier != nil
    isStatic = function.modifiers.isStatic
    if isStatic, module.isShared {
      throw Mistake(
        "'\(function.name.text)' is static, but JavaScript has only instances: export it in a module", at: function.name
      )
    }
    try checkForm(of: function, exported: exported)
    var parameters: [ExportedParameter] = []
    for (index, parameter) in function.signature.parameterClause.parameters.enumerated() {
      parameters.append(try ExportedParameter(parameter, index: index))
    }
    self.parameters = parameters
    if let type = function.signature.returnClause?.type, !CrossingType.isVoid(type) {
      result = try CrossingType(type, role: "the result of '\(function.name.text)'")
    } else {
      result = nil
    }
    place = try functionPlace(function, in: module)
    kind = try methodKind(
      exported, parameters: parameters, result: result, isAnswered: result != nil || isAsync || isThrowing, at: function
    )
    if kind == .sync { try checkSynchronous(exported) }
    for parameter in parameters { try checkLoan(parameter) }
  }

  /// Bytes are lent for a call on the JS thread.
  private func checkLoan(_ parameter: ExportedParameter) throws(Mistake) {
    guard case .value(let type, _) = parameter.content, type.names("BorrowedBytes") else { return }
    let (elsewhere, remedy): (String, String)
    switch place {
    case .jsThread: return
    case .task: (elsewhere, remedy) = ("as a task of its own", "")
    case .actor: (elsewhere, remedy) = ("on its actor", isAsync ? "" : "make it 'nonisolated', or ")
    case .globalActor(let actor): (elsewhere, remedy) = ("on '\(actor)'", "")
    }
    throw Mistake(
      "'\(parameter.name)' is lent on the JS thread only, but '\(node.name.text)' runs \(elsewhere): "
        + "\(remedy)take '[UInt8]' or 'TransferredBytes'", at: parameter.node.type)
  }

  private func checkSynchronous(_ exported: ExportedAttribute) throws(Mistake) {
    if isAsync {
      throw Mistake(
        "JavaScript cannot wait for an 'async' method: drop '.sync', so that '\(name)' gives a promise",
        at: exported.node)
    }
    switch place {
    case .jsThread, .task: return
    case .actor:
      let fixed = node.with(\.leadingTrivia, []).with(
        \.modifiers, [DeclModifierSyntax(name: .keyword(.nonisolated, trailingTrivia: .space))] + node.modifiers)
      throw Mistake(
        "'\(name)' is isolated to its actor, and the JS thread cannot wait for that: make it 'nonisolated', "
          + "or drop '.sync', so that it gives a promise", at: exported.node
      ).offering("make it 'nonisolated'", replace: node, with: fixed.with(\.leadingTrivia, node.leadingTrivia))
    case .globalActor(let actor):
      throw Mistake(
        "'\(name)' is isolated to '\(actor)', and the JS thread cannot wait for that: drop '.sync', "
          + "so that it gives a promise", at: exported.node)
    }
  }
}

/// What no exported method can be.
private func checkForm(of function: FunctionDeclSyntax, exported: ExportedAttribute) throws(Mistake) {
  if let generics = function.genericParameterClause {
    throw Mistake(
      "'\(function.name.text)' is generic, but a call from JavaScript names no types: export a method for each type",
      at: generics)
  }
  if let whereClause = function.genericWhereClause {
    throw Mistake(
      "'\(function.name.text)' has a 'where' clause, which no call from JavaScript can meet", at: whereClause)
  }
  if let mutating = function.modifiers.first(where: { $0.name.tokenKind == .keyword(.mutating) }) {
    throw Mistake(
      "'\(function.name.text)' is 'mutating', but a bridge's instance of a struct is a constant: "
        + "make the module an actor or a class", at: mutating)
  }
  if case .identifier = function.name.tokenKind { return }
  if exported.name == nil {
    throw Mistake(
      "'\(function.name.text)' is no name in JavaScript: give it one, '@Exported(\"add\")'", at: function.name)
  }
}

private func functionPlace(
  _ function: FunctionDeclSyntax, in module: ModuleDeclaration
) throws(Mistake) -> ExportedMethod.Place {
  let isAsync = function.signature.effectSpecifiers?.asyncSpecifier != nil
  let offActor: ExportedMethod.Place = isAsync ? .task : .jsThread
  if let actor = function.attributes.globalActor { return .globalActor(actor) }
  switch module.isolation {
  case .actor:
    return function.modifiers.isNonisolated || function.modifiers.isStatic ? offActor : .actor
  case .globalActor(let actor):
    guard function.modifiers.isNonisolated else { return .globalActor(actor) }
    if function.modifiers.isStatic { return offActor }
    throw Mistake(
      "'\(function.name.text)' would run on the JS thread, but the instance is made on '\(actor)': "
        + "drop 'nonisolated', or make it 'static'", at: function.name)
  case .jsThread:
    if isAsync, !module.isSendable, !function.modifiers.isStatic {
      let sendable = "\(module.isStruct ? "struct" : "final class") \(module.typeName): Sendable"
      throw Mistake(
        "'\(function.name.text)' is async and would leave the JS thread, which '\(module.typeName)' cannot: make the "
          + "module an actor, isolate it to a global actor, or declare it '\(sendable)'",
        at: function.name)
    }
    return offActor
  }
}

private func methodKind(
  _ exported: ExportedAttribute, parameters: [ExportedParameter], result: CrossingType?, isAnswered: Bool,
  at function: FunctionDeclSyntax
) throws(Mistake) -> Kind {
  let name = function.name.text
  guard let first = parameters.firstIndex(where: \.isCallback) else {
    if exported.kind == .callbacks {
      throw Mistake("'\(name)' has no callbacks: let its last parameters be of type 'Callback<…>'", at: exported.node)
    }
    if exported.kind == .void, result != nil {
      throw Mistake(
        "a '.void' method gives JavaScript nothing: drop '.void' or the result of '\(name)'", at: exported.node)
    }
    return exported.kind ?? (isAnswered ? .promise : .void)
  }
  if let kind = exported.kind, kind != .callbacks {
    throw Mistake(
      "'\(name)' answers by its callbacks: drop '.\(kind.rawValue)', or return the value instead of taking callbacks",
      at: exported.node)
  }
  if let late = parameters[first...].first(where: { !$0.isCallback }) {
    throw Mistake(
      "'\(late.name)' comes after a callback: callbacks are the last parameters, failure before success", at: late.node)
  }
  if parameters.count - first > 2 {
    throw Mistake(
      "'\(name)' has more than two callbacks: a failure and a success; for more than one answer emit an event",
      at: parameters[first + 2].node)
  }
  if result != nil {
    throw Mistake(
      "'\(name)' answers by its callbacks, so that nobody gets its result: drop the one or the other",
      at: function.signature.returnClause ?? ReturnClauseSyntax(type: TypeSyntax("Void")))
  }
  return .callbacks
}
