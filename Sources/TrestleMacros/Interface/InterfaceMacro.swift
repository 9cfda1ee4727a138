import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@JSInterface`: a type that calls a script's functions through a protocol.
enum InterfaceMacro: PeerMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    do throws(Mistake) { return [try proxy(of: InterfaceDeclaration(declaration, node), in: context)] } catch {
      context.diagnose([error])
      return []
    }
  }

  private static func proxy(
    of interface: InterfaceDeclaration, in context: some MacroExpansionContext
  ) -> DeclSyntax {
    var checks = TypeChecks()
    for function in interface.functions { function.check(&checks) }
    let checked = checks.declaration(in: context).map { "\($0)\n" }.joined()
    let functions = interface.functions.map { "    \($0.description),\n" }.joined()
    let implementations = interface.functions.map { $0.implementation(access: interface.access) }.joined()
    return """
      /// Calls the functions that a script has registered for ``\(raw: interface.name)``.
      \(raw: interface.node.modifiers.accessWord)struct \(raw: interface.name)Proxy: \(raw: interface.name), ScriptProxy {
        \(raw: interface.access)static let _interface = _Expansion.ScriptInterface(\(raw: interface.name.swiftLiteral)\(raw: interface.node.documentationArgument)) {
          [
      \(raw: functions)    ]
        }
        private let script: _Expansion.ScriptModule
        \(raw: interface.access)init(_ script: _Expansion.ScriptModule) { self.script = script }
      \(raw: implementations)\(raw: checked)}
      """
  }
}
