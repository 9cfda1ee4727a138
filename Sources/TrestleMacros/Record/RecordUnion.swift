import SwiftSyntax

/// An enumeration with payloads: in JavaScript, objects with a member that names the case.
struct RecordUnion {
  fileprivate struct Payload {
    let name: String
    let type: CrossingType
    let node: EnumCaseParameterSyntax
    let defaultValue: String?
    /// As it is passed: `x: `, or nothing.
    let label: String
  }

  fileprivate struct Case {
    let identifier: String
    let name: String
    let payloads: [Payload]
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
    for element in cases where element.payloads.contains(where: { $0.name == discriminator }) {
      throw Mistake(
        "case '\(element.name)' has a payload '\(discriminator)', which is the member that tells the cases apart: "
          + "rename one, '@Record(discriminator: \"kind\")'", at: node.name)
    }
    if cases.allSatisfy(\.payloads.isEmpty) { throw rawTypeMissing() }
  }

  private func rawTypeMissing() -> Mistake {
    let type = InheritedTypeSyntax(type: TypeSyntax("String"))
    let others = node.inheritanceClause?.inheritedTypes ?? []
    let list = [others.isEmpty ? type : type.with(\.trailingComma, .commaToken(trailingTrivia: .space))] + others
    let clause = InheritanceClauseSyntax(
      colon: .colonToken(trailingTrivia: .space), inheritedTypes: list, trailingTrivia: others.isEmpty ? .space : [])
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
    var payloads: [Payload] = []
    for parameter in parameters {
      let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0 }
      guard let name = label?.plainName ?? (parameters.count == 1 ? "value" : nil) else {
        throw Mistake(
          "the payloads of '\(element.name.text)' become members: give each a label, as in 'case moved(x: Int, y: Int)'",
          at: parameter)
      }
      let type = try CrossingType(parameter.type, role: "the payload '\(name)' of '\(element.name.text)'")
      payloads.append(
        Payload(
          name: name, type: type, node: parameter, defaultValue: parameter.defaultValue?.value.trimmedDescription,
          label: label.map { "\($0.text): " } ?? ""))
    }
    return Case(
      identifier: element.name.text, name: element.name.plainName, payloads: payloads, documentation: documentation)
  }

  var checks: TypeChecks {
    var checks = TypeChecks()
    for payload in cases.flatMap(\.payloads) { checks.add(payload.type, .bothWays, at: payload.node) }
    return checks
  }

  var members: [DeclSyntax] {
    let (access, type) = (node.modifiers.witnessAccess, node.name.text)
    let own = discriminator == "type" ? "" : ", discriminator: \(discriminator.swiftLiteral)"
    let name = "\(node.name.plainName.swiftLiteral)\(own)\(node.documentationArgument)"
    return [
      """
      \(raw: access)static let unionShape = _Expansion.UnionShape(\(raw: name)) {
        [
      \(raw: cases.map { "    \($0.declaration),\n" }.joined())  ]
      }
      """,
      "\(raw: access)static var bridgeSchema: BridgeSchema { ._union(unionShape) }",
      """
      \(raw: access)static func decode(from reader: inout ValueReader) throws(ConversionError) -> \(raw: type) {
        try reader._union(unionShape) { (name, reader) throws(ConversionError) in
          switch name {
      \(raw: readings.map { "    \($0)\n" }.joined())    }
        }
      }
      """,
      """
      \(raw: access)func encode(into writer: inout ValueWriter) throws {
        switch self {
      \(raw: cases.flatMap { $0.writing(discriminator: discriminator) }.map { "  \($0)\n" }.joined())  }
      }
      """,
    ]
  }

  /// The last case stands for all other names: the reader lets none through.
  private var readings: [String] {
    cases.enumerated().map { index, element in
      let pattern = index == cases.count - 1 ? "default" : "case \(element.name.swiftLiteral)"
      return "\(pattern): return \(element.reading(of: node.name.text))"
    }
  }
}

extension RecordUnion.Case {
  fileprivate var declaration: String {
    let members = payloads.map { payload in
      let hasDefault = payload.defaultValue == nil ? "" : ", hasDefault: true"
      return ".init(\(payload.name.swiftLiteral), \(payload.type.metatype)\(hasDefault))"
    }
    let list = members.isEmpty ? "" : ", [\(members.joined(separator: ", "))]"
    return ".init(\(name.swiftLiteral)\(list)\(documentation))"
  }

  fileprivate func reading(of type: String) -> String {
    let arguments = payloads.map { payload in
      let defaultValue = payload.defaultValue.map { "default: \($0)" } ?? ""
      return "\(payload.label)try reader._member(\(defaultValue))"
    }
    let call = "\(type).\(identifier)"
    return arguments.isEmpty ? call : "\(call)(\(arguments.joined(separator: ", ")))"
  }

  fileprivate func writing(discriminator: String) -> [String] {
    let locals = payloads.indices.map { "payload\($0 + 1)" }
    let pattern = locals.isEmpty ? "" : "(\(locals.map { "let \($0)" }.joined(separator: ", ")))"
    return [
      "case .\(identifier)\(pattern):",
      "  writer._object(members: \(payloads.count + 1))",
      "  try writer._member(\(discriminator.swiftLiteral), \(name.swiftLiteral))",
    ] + zip(payloads, locals).map { "  try writer._member(\($0.name.swiftLiteral), \($1))" }
  }
}
