import SwiftSyntax

/// A property that JavaScript sees as a constant, or as an event if it is an `EventSource`, checked.
struct ExportedProperty {
  /// The name in JavaScript.
  let name: String
  private let property: String
  private let isStatic: Bool
  private let isThrowing: Bool
  private let isEvent: Bool
  /// Of a property of a shared object, which is read and written whenever a script does so.
  private let accessors: Accessors?
  private let node: VariableDeclSyntax
  /// Of a constant or an event's value, where it is written and only the compiler knows whether it crosses.
  private let type: CrossingType?
  /// Whether its type is one that crosses, or is checked beside. Otherwise the line that it becomes is what the compiler refuses.
  let isChecked: Bool

  init(
    _ variable: VariableDeclSyntax, exported: ExportedAttribute, of module: ModuleDeclaration
  ) throws(Mistake) {
    node = variable
    guard let binding = variable.bindings.first, variable.bindings.count == 1,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { throw Mistake("an exported property is declared on its own: 'let name = …'", at: variable.bindings) }
    property = pattern.identifier.text
    name = exported.name ?? pattern.identifier.plainName
    isStatic = variable.modifiers.isStatic
    isThrowing = binding.getter?.effectSpecifiers?.throwsClause != nil
    if exported.kind != nil {
      throw Mistake("a property is not called: drop the kind from '@Exported'", at: exported.node)
    }
    let event = EventSourceSyntax(binding)
    isEvent = event != nil
    if module.isShared {
      accessors = try Accessors(variable, binding: binding, name: name, of: module)
      (type, isChecked) = (nil, true)
      return
    }
    accessors = nil
    let written: CrossingType?
    if let value = event?.value {
      written = CrossingType.isVoid(value) ? nil : try CrossingType(value, role: "the value of event '\(name)'")
      isChecked = true
    } else if event == nil, let type = binding.typeAnnotation?.type {
      written = try CrossingType(type, role: "constant '\(name)'")
      isChecked = true
    } else {
      written = nil
      isChecked = binding.initializer?.value.isPlainLiteral == true
    }
    type = written?.surelyCrosses == false ? written : nil
    try checkIsConstant(variable, binding: binding, isEvent: isEvent)
    try checkIsReachable(variable, binding: binding, in: module)
  }

  func check(_ checks: inout TypeChecks) {
    accessors?.check(&checks, at: node.bindings)
    if let type { checks.add(type, .toJavaScript, at: node.bindings) }
  }

  func expansion(in module: ModuleDeclaration) -> [String] {
    if let accessors { return accessors.expansion(name: name, property: property, isThrowing: isThrowing, node) }
    let value = (isThrowing ? "try " : "") + (isStatic ? "\(module.typeName).\(property)" : "$0.\(property)")
    let closure = isStatic ? "{ _ in \(value) }" : "{ \(value) }"
    let member = (type == nil ? "" : "_") + (isEvent ? "event" : "constant")
    let arguments = name.swiftLiteral + (type.map { ", \($0.metatype)" } ?? "") + node.documentationArgument
    return ["Member.\(member)(\(arguments)) \(closure)"]
  }
}

/// It is read once: a property that changes later would only seem to work.
private func checkIsConstant(
  _ variable: VariableDeclSyntax, binding: PatternBindingSyntax, isEvent: Bool
) throws(Mistake) {
  let (what, way) = isEvent ? ("the source of an event", "") : ("a constant", ", or export a method")
  if let async = binding.getter?.effectSpecifiers?.asyncSpecifier {
    throw Mistake(
      "\(what) cannot be async, as JavaScript does not wait for it\(isEvent ? "" : ": export a method")", at: async)
  }
  let isStored = binding.accessorBlock == nil || binding.hasObservers
  guard isStored, variable.bindingSpecifier.tokenKind == .keyword(.var) else { return }
  let fixed = variable.with(\.bindingSpecifier.tokenKind, .keyword(.let))
  throw Mistake(
    "\(what) is read once, but '\(binding.pattern.trimmedDescription)' can change: make it 'let' or computed\(way)",
    at: variable.bindingSpecifier
  ).offering("make it 'let'", replace: variable, with: fixed)
}

/// It is read on the JS thread.
func checkIsReachable(
  _ variable: VariableDeclSyntax, binding: PatternBindingSyntax, in module: ModuleDeclaration
) throws(Mistake) {
  let (modifiers, name) = (variable.modifiers, binding.pattern.trimmedDescription)
  switch module.isolation {
  case .jsThread: return
  case .globalActor(let actor):
    if modifiers.isStatic, modifiers.isNonisolated { return }
    throw Mistake(
      "'\(name)' is read on the JS thread, but the instance is made on '\(actor)': make '\(name)' 'nonisolated static', "
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
      "'\(name)' is read on the JS thread, but is isolated to its actor: make it 'nonisolated', "
        + "or export a method", at: binding.pattern
    ).offering("make it 'nonisolated'", replace: variable, with: fixed)
  }
}

extension PatternBindingSyntax {
  var getter: AccessorDeclSyntax? {
    guard case .accessors(let accessors)? = accessorBlock?.accessors else { return nil }
    return accessors.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }
  }

  var hasObservers: Bool {
    guard case .accessors(let accessors)? = accessorBlock?.accessors else { return false }
    return accessors.contains { [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind) }
  }
}
