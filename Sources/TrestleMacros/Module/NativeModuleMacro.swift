import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@NativeModule`: the definition that one could write by hand, and the record that announces it.
enum NativeModuleMacro {
  static var formatMode: FormatMode { .disabled }
}

extension NativeModuleMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let module: ModuleDeclaration
    do throws(Mistake) { module = try ModuleDeclaration(declaration, attribute: node) } catch {
      context.diagnose([error])
      return []
    }
    let members = ExportedMembers(of: module)
    context.diagnose(members.mistakes)
    guard let conformance = protocols.first?.trimmedDescription else { return [] }
    let source = """
      extension \(type.trimmedDescription): \(conformance) {
        \(module.access)nonisolated static var moduleDefinition: ModuleDefinition {
          ModuleDefinition(
            \(module.nameExpression)\(module.node.documentationArgument)\(module.requirements)\(module.home),
            \(origin(of: node, in: context))make: \(module.instanceMaker)
          ) {
      \(members.lines.map { "      " + $0 }.joined(separator: "\n"))
          }
        }
      }
      """
    return [try ExtensionDeclSyntax(SyntaxNodeString(stringLiteral: source))]
  }

  /// `fileID: "…", line: …, `, where the attribute stands.
  private static func origin(of node: AttributeSyntax, in context: some MacroExpansionContext) -> String {
    guard let location = context.location(of: node) else { return "" }
    return "fileID: \(location.file), line: \(location.line), "
  }
}

extension NativeModuleMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    // The other role tells of mistakes.
    guard let module = try? ModuleDeclaration(declaration, attribute: node) else { return [] }
    var members: [DeclSyntax] = []
    if module.usesModuleExecutor {
      members.append("\(raw: module.access)nonisolated let moduleExecutor = ModuleExecutor()")
      members.append(
        """
        \(raw: module.access)nonisolated var unownedExecutor: UnownedSerialExecutor {
          moduleExecutor.asUnownedSerialExecutor()
        }
        """)
    }
    if module.isLinked { members.append(record(of: module)) }
    return members
  }

  /// A function that the loader calls before `main`, or at `dlopen`: it only hands over another, as the Swift runtime may
  /// not be up yet.
  private static func record(of module: ModuleDeclaration) -> DeclSyntax {
    """
    @section(".init_array") @used private nonisolated static let moduleRecord: @convention(c) () -> Void = {
      ModuleDefinition.register { definitions in
        definitions?.assumingMemoryBound(to: [ModuleDefinition].self).pointee.append(\(raw: module.typeName).moduleDefinition)
      }
    }
    """
  }
}

extension ModuleDeclaration {
  fileprivate var usesModuleExecutor: Bool {
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
    if case .globalActor = isolation { return "{ GlobalActorInstance<\(typeName)>($0) }" }
    return makeOrFail
  }
}
