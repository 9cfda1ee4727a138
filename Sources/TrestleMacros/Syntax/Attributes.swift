import SwiftSyntax
import SwiftSyntaxMacros

extension AttributeListSyntax {
  /// The attribute of that name, with or without its module's.
  func first(named name: String) -> AttributeSyntax? { named.first { $0.lastName == name } }

  private var named: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

  /// The global actor that the declaration is isolated to.
  ///
  /// A macro cannot look names up: any other attribute that begins with a capital letter and has no arguments is taken
  /// for one, but for those that the language and its library define.
  var globalActor: TypeSyntax? {
    named.first { attribute in
      guard attribute.arguments == nil, let first = attribute.lastName.first, first.isUppercase else { return false }
      return !notGlobalActors.contains(attribute.lastName) && !attribute.lastName.hasSuffix("Builder")
    }?.attributeName.trimmed
  }
}

private let notGlobalActors: Set = [
  "Exported", "NativeModule", "Record", "SharedObject", "Sendable", "Observable", "DebugDescription", "Model", "Test",
  "Suite",
]

extension AttributeSyntax {
  var lastName: String {
    switch attributeName.as(TypeSyntaxEnum.self) {
    case .identifierType(let type): type.name.text
    case .memberType(let type): type.name.text
    default: ""
    }
  }

  /// The arguments with their labels.
  var labeledArguments: LabeledExprListSyntax {
    arguments?.as(LabeledExprListSyntax.self) ?? []
  }

  func argument(labeled label: String?) -> ExprSyntax? {
    labeledArguments.first { $0.label?.text == label }?.expression
  }
}

extension DeclModifierListSyntax {
  func contains(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }

  var isStatic: Bool { contains(.static) || contains(.class) }
  var isNonisolated: Bool { contains(.nonisolated) }

  /// What a witness of a public protocol needs to be declared, followed by a space; nothing for the inner levels.
  var witnessAccess: String {
    if contains(.public) || contains(.open) { return "public " }
    return contains(.package) ? "package " : ""
  }
}

extension TokenSyntax {
  /// The name without backticks.
  var plainName: String { identifier?.name ?? text }
}

extension ExprSyntax {
  /// The text of a literal without interpolations.
  var literalText: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}

extension Syntax {
  var genericParameters: GenericParameterClauseSyntax? {
    asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
  }
}

extension MacroExpansionContext {
  /// As far as it can be seen: an extension does not say whether what it extends is generic.
  var isInsideGenericType: Bool { lexicalContext.contains { $0.genericParameters != nil } }
}
