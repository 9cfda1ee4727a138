import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@SharedObject`: what JavaScript sees of the type's objects.
enum SharedObjectMacro {
  static var formatMode: FormatMode { .disabled }
}

extension SharedObjectMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    try ModuleDeclaration.conformances(
      of: declaration, attribute: node, isShared: true, type, to: protocols, in: context)
  }
}

extension SharedObjectMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let object = try? ModuleDeclaration(declaration, attribute: node, isShared: true, in: context) else {
      return []
    }
    let members = ExportedMembers(of: object, in: context)
    let sharedClass: DeclSyntax = """
      \(raw: object.access)nonisolated static let sharedClass = _Expansion.SharedClass(
        \(raw: object.nameExpression), of: \(raw: object.typeName).self\(raw: declaration.documentationArgument),
        \(raw: origin(of: node, in: context))
      ) {
      \(raw: members.lines.map { "  " + $0 + "\n" }.joined())}
      """
    return [sharedClass] + object.executor + members.checks.declaration(in: context)
  }
}
