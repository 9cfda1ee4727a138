import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Record`: a struct or an enumeration that crosses the bridge member by member.
enum RecordMacro: ExtensionMacro {
  static var formatMode: FormatMode { .disabled }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    let members: [String]
    do throws(Mistake) {
      try checkIsConcrete(declaration, in: context)
      members = try membersOfExtension(of: type.trimmedDescription, node, on: declaration)
    } catch {
      context.diagnose([error])
      return []
    }
    guard !protocols.isEmpty else { return [] }
    let conformances = protocols.map(\.trimmedDescription).joined(separator: ", ")
    let body = members.isEmpty ? "" : "\n" + members.map { "  \($0)\n" }.joined()
    return [try ExtensionDeclSyntax("extension \(raw: type.trimmedDescription): \(raw: conformances) {\(raw: body)}")]
  }

  private static func membersOfExtension(
    of type: String, _ node: AttributeSyntax, on declaration: some DeclGroupSyntax
  ) throws(Mistake) -> [String] {
    switch DeclSyntax(declaration).as(DeclSyntaxEnum.self) {
    case .structDecl(let record): return try RecordStruct(record).expansion(of: type)
    case .enumDecl(let union):
      if union.hasRawType { return [] }
      return try RecordUnion(union, attribute: node).expansion(of: type)
    default:
      throw Mistake(
        "'@Record' stands on a struct or an enum, whose values JavaScript gets a copy of: make this a struct", at: node)
    }
  }

  /// A shape is one for each type, which a generic type has no place for.
  private static func checkIsConcrete(
    _ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext
  ) throws(Mistake) {
    let around = context.lexicalContext.map {
      $0.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
    }
    let own = declaration.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause
    if let generics = own ?? around.compactMap({ $0 }).first {
      throw Mistake(
        "a record cannot be generic, as its members must be known: write one for each type, "
          + "or make the type 'Codable & Sendable' without '@Record'", at: generics)
    }
  }
}

extension EnumDeclSyntax {
  /// Whether the cases stand for raw values, for which the library has conversions.
  fileprivate var hasRawType: Bool {
    guard let first = inheritanceClause?.inheritedTypes.first?.type.trimmedDescription else { return false }
    return rawTypes.contains(first)
  }
}

private let rawTypes: Set = [
  "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
]
