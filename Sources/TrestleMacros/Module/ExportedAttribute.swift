import SwiftSyntax

/// How a method is called: the cases of `MethodKind`.
enum Kind: String {
  case void, callbacks, promise, sync
}

/// What `@Exported` says.
struct ExportedAttribute {
  let node: AttributeSyntax
  /// The name in JavaScript, if it is not the one in Swift.
  private(set) var name: String?
  private(set) var kind: Kind?

  /// - Returns: nil if the declaration is not exported.
  init?(_ attributes: AttributeListSyntax) throws(Mistake) {
    guard let node = attributes.first(named: "Exported") else { return nil }
    self.node = node
    for argument in node.labeledArguments {
      if argument.expression.is(StringLiteralExprSyntax.self) {
        guard let text = argument.expression.literalText, !text.isEmpty else {
          throw Mistake("the name in JavaScript must be a string literal, not empty, without '\\(…)'", at: argument)
        }
        name = text
      } else {
        let word = argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        guard let kind = word.flatMap(Kind.init) else {
          throw Mistake("expected '.void', '.callbacks', '.promise' or '.sync'", at: argument)
        }
        self.kind = kind
      }
    }
  }
}
