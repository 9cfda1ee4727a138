import SwiftSyntax

/// An enumeration with raw values, which the library converts: only what they are is written.
struct RecordRawValues {
  private let node: EnumDeclSyntax

  /// - Returns: nil if the cases stand for no strings or numbers.
  init?(_ node: EnumDeclSyntax) {
    guard let type = node.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription else { return nil }
    guard rawTypes.contains(type) else { return nil }
    self.node = node
  }

  var members: [DeclSyntax] {
    let cases = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
    let list = cases.map { "\(node.name.text).\($0.name.text)" }.joined(separator: ", ")
    let name = node.name.plainName.swiftLiteral
    return [
      """
      \(raw: node.modifiers.witnessAccess)static var bridgeSchema: BridgeSchema {
        ._enumeration(\(raw: name), [\(raw: list)])
      }
      """
    ]
  }
}

private let rawTypes: Set = [
  "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
]
