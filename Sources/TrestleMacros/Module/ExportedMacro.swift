import SwiftSyntax
import SwiftSyntaxMacros

/// `@Exported` writes nothing, as `@NativeModule` reads it; it tells when nobody does.
enum ExportedMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let mistake = misplacement(of: node, on: declaration, in: context.lexicalContext.first) {
      context.diagnose(mistake.diagnostic)
    }
    return []
  }

  private static func misplacement(
    of node: AttributeSyntax, on declaration: some DeclSyntaxProtocol, in parent: Syntax?
  ) -> Mistake? {
    if !declaration.is(FunctionDeclSyntax.self), !declaration.is(VariableDeclSyntax.self) {
      return Mistake("'@Exported' stands on a method, or on a property that is a constant or an event", at: node)
    }
    if parent?.is(ExtensionDeclSyntax.self) == true {
      return Mistake(
        "'@NativeModule' or '@SharedObject' sees only the members in the type's own braces: move this one there, out of the extension",
        at: node)
    }
    let attributes = parent?.asProtocol((any WithAttributesSyntax).self)?.attributes
    if attributes?.first(named: "NativeModule") == nil, attributes?.first(named: "SharedObject") == nil {
      return Mistake(
        "'@Exported' has no effect here: put '@NativeModule' or '@SharedObject' on the type around it", at: node)
    }
    return nil
  }
}
