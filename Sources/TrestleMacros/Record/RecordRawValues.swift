import SwiftSyntax

/// An enumeration with raw values, which the library converts: only what they are is written.
struct RecordRawValues {
  private let node: EnumDeclSyntax
  private let isString: Bool

  /// - Returns: nil if the cases stand for no strings or numbers.
  init?(_ node: EnumDeclSyntax) {
    guard let type = node.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription else { return nil }
    isString = type == "String"
    guard isString || numberTypes.contains(type) else { return nil }
    self.node = node
  }

  var members: [DeclSyntax] {
    let cases = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
    let allowed = cases.map { element in
      let value = "\(node.name.text).\(element.name.text).rawValue"
      return isString ? ".string(\(value))" : ".number(Double(\(value)))"
    }
    let lines = allowed.map { "      \($0),\n" }.joined()
    return [
      """
      \(raw: node.modifiers.witnessAccess)static var bridgeSchema: TypeSchema {
        .enumeration(
          name: \(raw: node.name.plainName.swiftLiteral),
          allowed: [
      \(raw: lines)    ])
      }
      """
    ]
  }
}

private let numberTypes: Set = [
  "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
]
