import SwiftSyntax

/// How JavaScript reads a property of a shared object, and assigns to it: it waits for both, on the JS thread.
struct Accessors {
  private let type: CrossingType
  private let isWritable: Bool

  init(
    _ variable: VariableDeclSyntax, binding: PatternBindingSyntax, name: String, of object: ModuleDeclaration
  ) throws(Mistake) {
    if EventSourceSyntax(binding) != nil {
      throw Mistake(
        "'\(name)' is an event, which only modules have: emit it from a module, with the object in its value",
        at: binding.pattern)
    }
    if variable.modifiers.isStatic {
      throw Mistake(
        "'\(name)' is static, but JavaScript has only instances: export it in a module", at: binding.pattern)
    }
    guard let written = binding.typeAnnotation?.type else {
      throw Mistake("write the type of '\(name)', by which JavaScript's values are converted", at: binding.pattern)
    }
    if let async = binding.getter?.effectSpecifiers?.asyncSpecifier {
      throw Mistake("a property cannot be async, as JavaScript waits for it: export a method", at: async)
    }
    type = try CrossingType(written, role: "property '\(name)'")
    try checkIsReachable(variable, binding: binding, in: object)
    isWritable =
      variable.bindingSpecifier.tokenKind == .keyword(.var) && !variable.hasPrivateSetter && binding.hasSetter
  }

  func check(_ checks: inout TypeChecks, at node: some SyntaxProtocol) {
    checks.add(type, isWritable ? .bothWays : .toJavaScript, at: node)
  }

  func expansion(name: String, property: String, isThrowing: Bool, _ node: VariableDeclSyntax) -> [String] {
    let value = "\(isThrowing ? "try " : "")module.\(property)"
    let getter = [
      "Member._method(\("get \(name)".swiftLiteral), .sync, result: \(type.metatype)\(node.documentationArgument)) { module in",
      "  { (call) throws(ConversionError) in call.answer { \(value) } }", "}",
    ]
    guard isWritable else { return getter }
    return getter + [
      "Member._method(\("set \(name)".swiftLiteral), .sync, [.init(\"value\", \(type.metatype))]) { module in",
      "  { (call) throws(ConversionError) in", "    let value = try call.next(\(type.metatype))",
      "    call.complete { module.\(property) = value }", "  }", "}",
    ]
  }
}

extension VariableDeclSyntax {
  /// `private(set)` or the like, or no more access than that.
  fileprivate var hasPrivateSetter: Bool {
    modifiers.contains { $0.detail?.detail.text == "set" }
  }
}

extension PatternBindingSyntax {
  fileprivate var hasSetter: Bool {
    switch accessorBlock?.accessors {
    case nil: true
    case .getter: false
    case .accessors(let accessors):
      hasObservers || accessors.contains { $0.accessorSpecifier.tokenKind == .keyword(.set) }
    }
  }
}
