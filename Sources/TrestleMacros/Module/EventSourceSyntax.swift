import SwiftSyntax

/// The `EventSource<Value>` that a property is, as far as its type or its initial value tells.
struct EventSourceSyntax {
  /// Nothing where it is not written.
  let value: TypeSyntax?

  /// - Returns: nil for any other property.
  init?(_ binding: PatternBindingSyntax) {
    if let type = binding.typeAnnotation?.type {
      guard type.genericName.name == "EventSource" else { return nil }
      value = type.genericName.argument
    } else {
      var called = binding.initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression
      let generic = called?.as(GenericSpecializationExprSyntax.self)
      if let generic { called = generic.expression }
      let name = called?.as(DeclReferenceExprSyntax.self) ?? called?.as(MemberAccessExprSyntax.self)?.declName
      guard name?.baseName.text == "EventSource" else { return nil }
      value = generic?.genericArgumentClause.firstType
    }
  }
}

extension TypeSyntax {
  /// The type's own name, without its module's, and its first generic argument.
  var genericName: (name: String, argument: TypeSyntax?) {
    switch self.as(TypeSyntaxEnum.self) {
    case .identifierType(let type): (type.name.text, type.genericArgumentClause?.firstType)
    case .memberType(let type): (type.name.text, type.genericArgumentClause?.firstType)
    default: ("", nil)
    }
  }
}

extension GenericArgumentClauseSyntax {
  fileprivate var firstType: TypeSyntax? { arguments.first?.argument.as(TypeSyntax.self) }
}
