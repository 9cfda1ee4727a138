import SwiftSyntax

/// The protocol that `@JSInterface` stands on, checked.
struct InterfaceDeclaration {
  let node: ProtocolDeclSyntax
  /// What the functions are declared with: `public `, `package ` or nothing.
  let access: String
  let functions: [InterfaceFunction]
  var name: String { node.name.text }

  init(_ declaration: some DeclSyntaxProtocol, _ attribute: AttributeSyntax) throws(Mistake) {
    guard let node = declaration.as(ProtocolDeclSyntax.self) else {
      throw Mistake("'@JSInterface' stands on a protocol, whose functions are those of a script", at: attribute)
    }
    self.node = node
    access = node.modifiers.witnessAccess
    for inherited in node.inheritanceClause?.inheritedTypes ?? [] where inherited.type.trimmedDescription != "Sendable"
    {
      throw Mistake(
        "'\(node.name.text)Proxy' has only the functions in the protocol's own braces: drop "
          + "'\(inherited.type.trimmedDescription)'", at: inherited.type)
    }
    if let associated = node.primaryAssociatedTypeClause {
      throw Mistake("a script's functions have no associated types: write the types", at: associated)
    }
    functions = try Self.functions(of: node)
  }

  private static func functions(of node: ProtocolDeclSyntax) throws(Mistake) -> [InterfaceFunction] {
    var functions: [InterfaceFunction] = []
    for member in node.memberBlock.members {
      guard let function = member.decl.as(FunctionDeclSyntax.self) else { throw objection(to: member.decl) }
      let next = try InterfaceFunction(function)
      if let first = functions.first(where: { $0.name == next.name }) {
        throw Mistake("a script has one function '\(next.name)': give this one another name", at: function.name)
          .noting("'\(next.name)' is first declared here", at: first.node.name)
      }
      functions.append(next)
    }
    return functions
  }
}

extension DeclModifierListSyntax {
  /// The access that is written, followed by a space.
  var accessWord: String {
    let words: Set = ["public", "package", "internal", "fileprivate", "private"]
    return first { words.contains($0.name.text) }.map { "\($0.name.text) " } ?? ""
  }
}

private func objection(to member: DeclSyntax) -> Mistake {
  let words =
    switch member.as(DeclSyntaxEnum.self) {
    case .variableDecl: "a script's variables cannot be read through an interface: declare a function"
    case .initializerDecl: "a script makes its objects itself: declare a function that gives what is needed"
    case .subscriptDecl: "a script has no subscripts: declare a function"
    case .associatedTypeDecl: "a script's functions have no associated types: write the types"
    case .ifConfigDecl: "what a script must have cannot depend on '#if'"
    default: "an interface has functions alone"
    }
  return Mistake(words, at: member)
}
