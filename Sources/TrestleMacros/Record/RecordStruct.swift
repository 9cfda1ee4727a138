import SwiftSyntax

/// A struct whose stored properties are the members of a record.
struct RecordStruct {
  private struct Property {
    let member: RecordMember
    /// The property as it is written, with backticks if need be.
    let identifier: String
    /// Whether it has its value for good: it is sent, and passed over on the way in.
    let isFixed: Bool
  }

  private let node: StructDeclSyntax
  private var properties: [Property] = []

  init(_ node: StructDeclSyntax) throws(Mistake) {
    self.node = node
    for item in node.memberBlock.members {
      if let conditions = item.decl.as(IfConfigDeclSyntax.self), conditions.declaresStoredProperties {
        throw Mistake(
          "a record's members cannot depend on '#if': JavaScript knows one shape", at: conditions.poundEndif)
      }
      guard let variable = item.decl.as(VariableDeclSyntax.self), !variable.modifiers.isStatic else { continue }
      for binding in variable.bindings where binding.isStored {
        properties.append(try Self.property(binding, of: variable))
      }
    }
  }

  private static func property(
    _ binding: PatternBindingSyntax, of variable: VariableDeclSyntax
  ) throws(Mistake) -> Property {
    guard let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
      throw Mistake("a member of a record is declared on its own: 'var name: …'", at: binding.pattern)
    }
    if let lazy = variable.modifiers.first(where: { $0.name.tokenKind == .keyword(.lazy) }) {
      throw Mistake("a member of a record cannot be lazy: make '\(identifier.plainName)' computed", at: lazy)
    }
    let value = binding.initializer?.value
    guard let type = try binding.writtenType(role: "member '\(identifier.plainName)'") ?? value?.literalType else {
      throw Mistake(
        "the type of '\(identifier.plainName)' is not to be seen here: write it, 'var \(identifier.text): …'",
        at: binding.pattern)
    }
    let isLet = variable.bindingSpecifier.tokenKind == .keyword(.let)
    let isImplicitlyNil = !isLet && type.isOptional && value == nil
    let member = RecordMember(
      name: identifier.plainName, type: type,
      defaultValue: isImplicitlyNil ? "nil" : value?.trimmedDescription,
      documentation: variable.documentationArgument)
    return Property(member: member, identifier: identifier.text, isFixed: isLet && value != nil)
  }

  func expansion(of type: String) -> [String] {
    let access = node.modifiers.witnessAccess
    var lines = [
      "\(access)static let recordShape = RecordShape(\(node.name.plainName.swiftLiteral)\(node.documentationArgument)) {"
    ]
    lines += ["  ["] + properties.map { "    \($0.member.declaration)," } + ["  ]", "}"]
    lines.append("\(access)static var bridgeSchema: TypeSchema { .record(recordShape) }")
    lines.append("\(access)static func decode(from reader: inout ValueReader) throws(ConversionError) -> \(type) {")
    lines.append(
      "  try reader.record(recordShape) { (reader) throws(ConversionError) in try \(type)(members: &reader) }")
    lines.append("}")
    lines.append("private init(members reader: inout ValueReader) throws(ConversionError) {")
    lines += properties.map { "  \($0.isFixed ? "_" : "self.\($0.identifier)") = \($0.member.reading)" }
    lines.append("}")
    lines.append("\(access)func encode(into writer: inout ValueWriter) throws {")
    lines.append("  writer.append(.record, low: Self.recordShape.id)")
    lines += properties.map { "  try writer.member(self.\($0.identifier))" }
    return lines + ["}"]
  }
}

extension IfConfigDeclSyntax {
  fileprivate var declaresStoredProperties: Bool {
    clauses.contains { clause in
      guard case .decls(let members)? = clause.elements else { return false }
      return members.contains { item in
        guard let variable = item.decl.as(VariableDeclSyntax.self) else { return false }
        return !variable.modifiers.isStatic && variable.bindings.contains(where: \.isStored)
      }
    }
  }
}

extension PatternBindingSyntax {
  fileprivate var isStored: Bool {
    switch accessorBlock?.accessors {
    case nil: true
    case .getter: false
    case .accessors(let accessors):
      accessors.allSatisfy {
        [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    }
  }

  fileprivate func writtenType(role: String) throws(Mistake) -> CrossingType? {
    guard let annotation = typeAnnotation else { return nil }
    return try CrossingType(annotation.type, role: role)
  }
}

extension ExprSyntax {
  /// The type that a literal has by itself.
  fileprivate var literalType: CrossingType? {
    switch self.as(ExprSyntaxEnum.self) {
    case .booleanLiteralExpr: CrossingType(known: "Bool")
    case .integerLiteralExpr: CrossingType(known: "Int")
    case .floatLiteralExpr: CrossingType(known: "Double")
    case .stringLiteralExpr: CrossingType(known: "String")
    case .prefixOperatorExpr(let negated): negated.expression.literalType
    default: nil
    }
  }
}
