import SwiftSyntax

/// An enumeration with payloads: in JavaScript, objects with a member that names the case.
struct RecordUnion {
  private struct Case {
    let identifier: String
    let name: String
    let members: [RecordMember]
    /// The payload's labels as they are passed; nil where it has none.
    let labels: [String?]
    let documentation: String
  }

  private let node: EnumDeclSyntax
  private let discriminator: String
  private var cases: [Case] = []

  init(_ node: EnumDeclSyntax, attribute: AttributeSyntax) throws(Mistake) {
    self.node = node
    let written = attribute.argument(labeled: "discriminator")
    discriminator = written?.literalText ?? "type"
    for item in node.memberBlock.members {
      guard let declaration = item.decl.as(EnumCaseDeclSyntax.self) else { continue }
      for element in declaration.elements {
        cases.append(try Self.unionCase(element, documentation: declaration.documentationArgument))
      }
    }
    for element in cases where element.members.contains(where: { $0.name == discriminator }) {
      throw Mistake(
        "case '\(element.name)' has a payload '\(discriminator)', which is the member that tells the cases apart: "
          + "rename one, '@Record(discriminator: \"kind\")'", at: node.name)
    }
    if cases.allSatisfy(\.members.isEmpty) { throw rawTypeMissing() }
  }

  private func rawTypeMissing() -> Mistake {
    let type = InheritedTypeSyntax(type: TypeSyntax("String"))
    let others = node.inheritanceClause?.inheritedTypes ?? []
    let list = [others.isEmpty ? type : type.with(\.trailingComma, .commaToken(trailingTrivia: .space))] + others
    let clause = InheritanceClauseSyntax(
      colon: .colonToken(trailingTrivia: .space), inheritedTypes: list, trailingTrivia: .space)
    let fixed = node.with(\.name.trailingTrivia, []).with(\.inheritanceClause, clause)
    return Mistake(
      "'\(node.name.text)' has no payloads: say what JavaScript gets for a case, 'enum \(node.name.text): String'",
      at: node.name
    ).offering("let it be a 'String'", replace: node, with: fixed)
  }

  private static func unionCase(
    _ element: EnumCaseElementSyntax, documentation: String
  ) throws(Mistake) -> Case {
    let parameters = Array(element.parameterClause?.parameters ?? [])
    var members: [RecordMember] = []
    var labels: [String?] = []
    for parameter in parameters {
      let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0 }
      guard let name = label?.plainName ?? (parameters.count == 1 ? "value" : nil) else {
        throw Mistake(
          "the payloads of '\(element.name.text)' become members: give each a label, as in 'case moved(x: Int, y: Int)'",
          at: parameter)
      }
      let type = try CrossingType(parameter.type, role: "the payload '\(name)' of '\(element.name.text)'")
      let defaultValue = parameter.defaultValue?.value.trimmedDescription
      members.append(RecordMember(name: name, type: type, defaultValue: defaultValue))
      labels.append(label?.text)
    }
    return Case(
      identifier: element.name.text, name: element.name.plainName, members: members, labels: labels,
      documentation: documentation)
  }

  func expansion(of type: String) -> [String] {
    let access = node.modifiers.witnessAccess
    let own = discriminator == "type" ? "" : ", discriminator: \(discriminator.swiftLiteral)"
    var lines = [
      "\(access)static let unionShape = UnionShape(\(node.name.plainName.swiftLiteral)\(own)\(node.documentationArgument)) {"
    ]
    lines += ["  ["] + cases.map { "    \(declaration(of: $0))," } + ["  ]", "}"]
    lines.append("\(access)static var bridgeSchema: TypeSchema { .union(unionShape) }")
    lines.append("\(access)static func decode(from reader: inout ValueReader) throws(ConversionError) -> \(type) {")
    lines.append("  try reader.union(unionShape) { (name, reader) throws(ConversionError) in")
    lines.append("    switch name {")
    // The reader lets no other names through.
    for (index, element) in cases.enumerated() {
      let pattern = index == cases.count - 1 ? "default" : "case \(element.name.swiftLiteral)"
      lines.append("    \(pattern): return \(reading(element, of: type))")
    }
    lines += ["    }", "  }", "}", "\(access)func encode(into writer: inout ValueWriter) throws {", "  switch self {"]
    for element in cases { lines += writing(element).map { "  " + $0 } }
    return lines + ["  }", "}"]
  }

  private func declaration(of element: Case) -> String {
    let members = element.members.isEmpty ? "" : ", [\(element.members.map(\.declaration).joined(separator: ", "))]"
    return ".init(\(element.name.swiftLiteral)\(members)\(element.documentation))"
  }

  private func reading(_ element: Case, of type: String) -> String {
    guard !element.members.isEmpty else { return "\(type).\(element.identifier)" }
    let payloads = zip(element.labels, element.members).map { label, member in
      (label.map { "\($0): " } ?? "") + member.reading
    }
    return "\(type).\(element.identifier)(\(payloads.joined(separator: ", ")))"
  }

  private func writing(_ element: Case) -> [String] {
    let locals = element.members.indices.map { "payload\($0 + 1)" }
    let pattern = locals.isEmpty ? "" : "(\(locals.map { "let \($0)" }.joined(separator: ", ")))"
    var lines = [
      "case .\(element.identifier)\(pattern):",
      "  writer.append(.object, low: \(element.members.count + 1))",
      "  try writer.member(\(discriminator.swiftLiteral), \(element.name.swiftLiteral))",
    ]
    lines += zip(element.members, locals).map { "  try writer.member(\($0.name.swiftLiteral), \($1))" }
    return lines
  }
}
