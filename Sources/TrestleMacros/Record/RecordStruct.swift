import SwiftSyntax

/// A struct whose stored properties are the members of a record.
///
/// The code that converts names no property's type: the compiler knows them all.
struct RecordStruct {
  private struct Property {
    let name: String
    /// As it is written, with backticks if need be.
    let identifier: String
    /// Where it is written.
    let type: CrossingType?
    let node: Syntax
    /// Whether its value is a literal, which has a type that crosses.
    let isLiteral: Bool
    let hasInitialValue: Bool
    /// Whether it has its value for good: it is sent, and passed over on the way in.
    let isFixed: Bool
    let documentation: String
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
    let name = identifier.plainName
    if let lazy = variable.modifiers.first(where: { $0.name.tokenKind == .keyword(.lazy) }) {
      throw Mistake("a member of a record cannot be lazy: make '\(name)' computed", at: lazy)
    }
    let type = try binding.typeAnnotation.map { annotation throws(Mistake) in
      try CrossingType(annotation.type, role: "member '\(name)'")
    }
    let hasInitialValue = binding.initializer != nil
    return Property(
      name: name, identifier: identifier.text, type: type, node: Syntax(binding),
      isLiteral: binding.initializer?.value.isPlainLiteral == true,
      hasInitialValue: hasInitialValue,
      isFixed: hasInitialValue && variable.bindingSpecifier.tokenKind == .keyword(.let),
      documentation: variable.documentationArgument)
  }

  var checks: TypeChecks {
    var checks = TypeChecks()
    for property in properties {
      if let type = property.type {
        checks.add(type, .bothWays, at: property.node)
      } else if !property.isLiteral {
        checks.add(valueOf: path(of: property), .bothWays, at: property.node)
      }
    }
    return checks
  }

  var members: [DeclSyntax] {
    let (access, type) = (node.modifiers.witnessAccess, node.name.text)
    let name = "\(node.name.plainName.swiftLiteral)\(node.documentationArgument)"
    return [
      """
      \(raw: access)static let recordShape = _Expansion.RecordShape(\(raw: name)) {
        [
      \(raw: properties.map { "    \(declaration(of: $0)),\n" }.joined())  ]
      }
      """,
      "\(raw: access)static var bridgeSchema: BridgeSchema { ._record(recordShape) }",
      """
      \(raw: access)static func decode(from reader: inout ValueReader) throws(ConversionError) -> \(raw: type) {
        try reader._record(recordShape) { (reader) throws(ConversionError) in try \(raw: type)(members: &reader) }
      }
      """,
      """
      \(raw: access)func encode(into writer: inout ValueWriter) throws {
        writer._record(Self.recordShape)
      \(raw: properties.map { "  try writer._member(self.\($0.identifier))\n" }.joined())}
      """,
    ]
  }

  private func declaration(of property: Property) -> String {
    let hasDefault = property.hasInitialValue ? ", hasDefault: true" : ""
    return ".init(\(property.name.swiftLiteral), \(path(of: property))\(hasDefault)\(property.documentation))"
  }

  private func path(of property: Property) -> String { "\\\(node.name.text).\(property.identifier)" }

  /// Reads the members in the order of the shape; what is missing keeps its initial value.
  var initializer: String {
    let lines = properties.map { property in
      if property.isFixed { return "    try reader._skipMember()" }
      if property.hasInitialValue { return "    try reader._member(into: &self.\(property.identifier))" }
      return "    self.\(property.identifier) = try reader._member()"
    }
    let head = "  private init(members reader: inout ValueReader) throws(ConversionError) {"
    return ([head] + lines + ["  }"]).joined(separator: "\n")
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
}
