import SwiftSyntax

/// A property that JavaScript sees as a constant, checked.
struct ExportedConstant {
  /// The name in JavaScript.
  let name: String
  private let property: String
  private let isStatic: Bool
  private let isThrowing: Bool
  private let node: VariableDeclSyntax

  init(
    _ variable: VariableDeclSyntax, exported: ExportedAttribute, of module: ModuleDeclaration
  ) throws(Mistake) {
    node = variable
    guard let binding = variable.bindings.first, variable.bindings.count == 1,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { throw Mistake("an exported constant is declared on its own: 'let name = …'", at: variable.bindings) }
    property = pattern.identifier.text
    name = exported.name ?? pattern.identifier.plainName
    isStatic = variable.modifiers.isStatic
    isThrowing = binding.getter?.effectSpecifiers?.throwsClause != nil
    if exported.kind != nil {
      throw Mistake("a constant is not called: drop the kind from '@Exported'", at: exported.node)
    }
    if let type = binding.typeAnnotation?.type { _ = try CrossingType(type, role: "constant '\(name)'") }
    try checkIsConstant(variable, binding: binding)
    try checkIsReachable(variable, binding: binding, in: module)
  }

  func expansion(in module: ModuleDeclaration) -> [String] {
    let value = (isThrowing ? "try " : "") + (isStatic ? "\(module.typeName).\(property)" : "$0.\(property)")
    let closure = isStatic ? "{ _ in \(value) }" : "{ \(value) }"
    return ["Member.constant(\(name.swiftLiteral)\(node.documentationArgument)) \(closure)"]
  }
}

/// It is read once: a property that changes later would only seem to work.
private func checkIsConstant(_ variable: VariableDeclSyntax, binding: PatternBindingSyntax) throws(Mistake) {
  if let async = binding.getter?.effectSpecifiers?.asyncSpecifier {
    throw Mistake("a constant cannot be async, as JavaScript does not wait for it: export a method", at: async)
  }
  let isStored = binding.accessorBlock == nil || binding.hasObservers
  guard isStored, variable.bindingSpecifier.tokenKind == .keyword(.var) else { return }
  let fixed = variable.with(\.bindingSpecifier.tokenKind, .keyword(.let))
  throw Mistake(
    "JavaScript reads a constant once, but '\(binding.pattern.trimmedDescription)' can change: make it 'let' or computed, "
      + "or export a method", at: variable.bindingSpecifier
  ).offering("make it 'let'", replace: variable, with: fixed)
}

/// It is read on the JS thread.
private func checkIsReachable(
  _ variable: VariableDeclSyntax, binding: PatternBindingSyntax, in module: ModuleDeclaration
) throws(Mistake) {
  let (modifiers, name) = (variable.modifiers, binding.pattern.trimmedDescription)
  switch module.isolation {
  case .jsThread: return
  case .globalActor(let actor):
    if modifiers.isStatic, modifiers.isNonisolated { return }
    throw Mistake(
      "constants are read on the JS thread, but the instance is made on '\(actor)': make '\(name)' 'nonisolated static', "
        + "or export a method", at: binding.pattern)
  case .actor:
    if modifiers.isStatic || modifiers.isNonisolated || variable.bindingSpecifier.tokenKind == .keyword(.let) { return }
    let nonisolated = DeclModifierSyntax(name: .keyword(.nonisolated, trailingTrivia: .space))
    let specifier = variable.bindingSpecifier
    let fixed =
      modifiers.isEmpty
      ? variable.with(\.modifiers, [nonisolated.with(\.leadingTrivia, specifier.leadingTrivia)])
        .with(\.bindingSpecifier.leadingTrivia, [])
      : variable.with(\.modifiers, modifiers + [nonisolated])
    throw Mistake(
      "constants are read on the JS thread, but '\(name)' is isolated to its actor: make it 'nonisolated', "
        + "or export a method", at: binding.pattern
    ).offering("make it 'nonisolated'", replace: variable, with: fixed)
  }
}

extension PatternBindingSyntax {
  fileprivate var getter: AccessorDeclSyntax? {
    guard case .accessors(let accessors)? = accessorBlock?.accessors else { return nil }
    return accessors.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }
  }

  fileprivate var hasObservers: Bool {
    guard case .accessors(let accessors)? = accessorBlock?.accessors else { return false }
    return accessors.contains { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
  }
}
