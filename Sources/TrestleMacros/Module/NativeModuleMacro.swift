import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@NativeModule`: the definition that one could write by hand, and the conformance by which it is found.
enum NativeModuleMacro {
  static var formatMode: FormatMode { .disabled }
}

extension NativeModuleMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    try ModuleDeclaration.conformances(of: declaration, attribute: node, type, to: protocols, in: context)
  }
}

/// The definition stands in the type's own braces, where its names mean what they mean to the author.
extension NativeModuleMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let module = try? ModuleDeclaration(declaration, attribute: node, in: context) else { return [] }
    let members = ExportedMembers(of: module, in: context)
    let definition = definition(
      of: module, members: members.lines, origin: origin(of: node, in: context))
    return [definition] + module.executor + members.checks.declaration(in: context)
  }

  private static func definition(of module: ModuleDeclaration, members: [String], origin: String) -> DeclSyntax {
    """
    \(raw: module.access)nonisolated static var moduleDefinition: ModuleDefinition {
      _Expansion.module(
        \(raw: module.nameExpression)\(raw: module.node.documentationArgument)\(raw: module.requirements)\(raw: module.home),
        \(raw: origin), make: \(raw: module.instanceMaker)
      ) {
    \(raw: members.map { "    " + $0 + "\n" }.joined())  }
    }
    """
  }
}

/// `fileID: "…", line: …`, where the attribute stands.
func origin(of node: AttributeSyntax, in context: some MacroExpansionContext) -> String {
  guard let location = context.location(of: node) else { return "fileID: #fileID, line: #line" }
  return "fileID: \(location.file), line: \(location.line)"
}

extension ModuleDeclaration {
  /// The conformances of what the attribute stands on. This role tells of mistakes: the compiler expands the other only where
  /// it looks for members.
  static func conformances(
    of declaration: some DeclGroupSyntax, attribute: AttributeSyntax, isShared: Bool = false,
    _ type: some TypeSyntaxProtocol, to protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let module: ModuleDeclaration
    do throws(Mistake) {
      module = try ModuleDeclaration(declaration, attribute: attribute, isShared: isShared, in: context)
    } catch {
      context.diagnose([error])
      return []
    }
    context.diagnose(ExportedMembers(of: module, in: context).mistakes)
    let conformances = protocols.map(\.trimmedDescription).filter {
      if $0.hasSuffix("ModuleActor") { return module.usesModuleExecutor }
      return !$0.hasSuffix("LinkedModule") || module.isLinked
    }
    if conformances.isEmpty { return [] }
    return [try ExtensionDeclSyntax("extension \(type.trimmed): \(raw: conformances.joined(separator: ", ")) {}")]
  }

  /// The executor of an actor that has none of its own.
  var executor: [DeclSyntax] {
    guard usesModuleExecutor else { return [] }
    return [
      "\(raw: access)nonisolated let moduleExecutor = _Expansion.ModuleExecutor()",
      """
      \(raw: access)nonisolated var unownedExecutor: UnownedSerialExecutor {
        moduleExecutor.asUnownedSerialExecutor()
      }
      """,
    ]
  }

  private var usesModuleExecutor: Bool {
    if case .actor(hasOwnExecutor: false) = isolation { true } else { false }
  }

  /// Where calls that are enqueued run, as an argument; nothing for the JS thread.
  fileprivate var home: String {
    switch isolation {
    case .actor(hasOwnExecutor: true): ", home: { .actor($0) }"
    case .actor(hasOwnExecutor: false): ", home: { .executor($0.moduleExecutor) }"
    case .jsThread, .globalActor: ""
    }
  }

  /// What makes the module that the definition is of: the instance, or the box that it will be in.
  fileprivate var instanceMaker: String {
    if case .globalActor = isolation { return "{ _Expansion.GlobalActorInstance<\(typeName)>($0) }" }
    return makeOrFail
  }
}
