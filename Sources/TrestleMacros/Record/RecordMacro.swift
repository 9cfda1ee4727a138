import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Record`: a struct or an enumeration that crosses the bridge member by member.
enum RecordMacro {
  static var formatMode: FormatMode { .disabled }

  private enum Form {
    case structure(RecordStruct)
    case union(RecordUnion)
    case rawValues(RecordRawValues)
  }

  private static func form(
    of declaration: some DeclGroupSyntax, _ node: AttributeSyntax, in context: some MacroExpansionContext
  ) throws(Mistake) -> Form {
    try checkIsConcrete(declaration, node, in: context)
    switch DeclSyntax(declaration).as(DeclSyntaxEnum.self) {
    case .structDecl(let record): return .structure(try RecordStruct(record))
    case .enumDecl(let enumeration):
      if let rawValues = RecordRawValues(enumeration) { return .rawValues(rawValues) }
      return .union(try RecordUnion(enumeration, attribute: node))
    default:
      throw Mistake(
        "'@Record' stands on a struct or an enum, whose values JavaScript gets a copy of: make this a struct", at: node)
    }
  }

  /// A shape is one for each type, which a generic type has no place for.
  private static func checkIsConcrete(
    _ declaration: some DeclGroupSyntax, _ node: AttributeSyntax, in context: some MacroExpansionContext
  ) throws(Mistake) {
    let own = Syntax(declaration).genericParameters
    guard own != nil || context.isInsideGenericType else { return }
    throw Mistake(
      "a record cannot be generic, as its members must be known: write one for each type, "
        + "or make the type 'Codable & Sendable' without '@Record'", at: own.map(Syntax.init) ?? Syntax(node))
  }
}

/// The conversion stands in the type's own braces, where its names mean what they mean to the author.
extension RecordMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    switch try? form(of: declaration, node, in: context) {
    case .structure(let record): return record.members + record.checks.declaration(in: context)
    case .union(let union): return union.members + union.checks.declaration(in: context)
    case .rawValues(let enumeration): return enumeration.members
    case nil: return []
    }
  }
}

extension RecordMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // This role tells of mistakes: the compiler expands the other only where it looks for members.
    let form: Form
    do throws(Mistake) { form = try self.form(of: declaration, node, in: context) } catch {
      context.diagnose([error])
      return []
    }
    guard !protocols.isEmpty else { return [] }
    let conformances = protocols.map(\.trimmedDescription).joined(separator: ", ")
    let head = "extension \(type.trimmed): \(conformances)"
    // Here, an initializer leaves the struct the one that the compiler writes for its members.
    if case .structure(let record) = form {
      return [try ExtensionDeclSyntax("\(raw: head) {\n\(raw: record.initializer)\n}")]
    }
    return [try ExtensionDeclSyntax("\(raw: head) {}")]
  }
}
