import SwiftSyntax
import SwiftSyntaxMacros

/// The exported members of a module, in order, as lines of the definition; with what is wrong among them.
struct ExportedMembers {
  private(set) var lines: [String] = []
  private(set) var checks = TypeChecks()
  private(set) var mistakes: [Mistake] = []
  /// Where each JavaScript name was first given.
  private var names: [String: Syntax] = [:]
  private let module: ModuleDeclaration
  private let location: (VariableDeclSyntax) -> AbstractSourceLocation?

  init(of module: ModuleDeclaration, in context: some MacroExpansionContext) {
    self.module = module
    location = { context.location(of: $0.bindings, at: .afterLeadingTrivia, filePathMode: .filePath) }
    add(module.node.memberBlock.members)
  }

  private mutating func add(_ members: MemberBlockItemListSyntax) {
    for member in members {
      do throws(Mistake) {
        switch member.decl.as(DeclSyntaxEnum.self) {
        case .functionDecl(let function): try add(function)
        case .variableDecl(let variable): try add(variable)
        case .ifConfigDecl(let conditions): add(conditions)
        default: break
        }
      } catch { mistakes.append(error) }
    }
  }

  private mutating func add(_ function: FunctionDeclSyntax) throws(Mistake) {
    guard let exported = try ExportedAttribute(function.attributes) else { return }
    let method = try ExportedMethod(function, exported: exported, of: module)
    try claim(method.name, for: function.name)
    lines += method.expansion(in: module)
    method.check(&checks)
  }

  private mutating func add(_ variable: VariableDeclSyntax) throws(Mistake) {
    guard let exported = try ExportedAttribute(variable.attributes) else { return }
    let property = try ExportedProperty(variable, exported: exported, of: module)
    try claim(property.name, for: variable.bindings)
    let place = property.isChecked ? nil : location(variable)
    if let place { lines.append("#sourceLocation(file: \(place.file), line: \(place.line))") }
    lines += property.expansion(in: module)
    if place != nil { lines.append("#sourceLocation()") }
    property.check(&checks)
  }

  /// The members of each branch, in the same branches; names may be given once in each.
  private mutating func add(_ conditions: IfConfigDeclSyntax) {
    let before = (lines.count, names)
    for (index, clause) in conditions.clauses.enumerated() {
      let head = clause.poundKeyword.text + (clause.condition.map { " \($0.trimmedDescription)" } ?? "")
      lines.append(head)
      checks.add(condition: head, depth: index == 0 ? 1 : 0)
      names = before.1
      if case .decls(let members)? = clause.elements { add(members) }
    }
    lines.append("#endif")
    checks.add(condition: "#endif", depth: -1)
    names = before.1
    if lines[before.0...].allSatisfy({ $0.hasPrefix("#") }) { lines.removeSubrange(before.0...) }
  }

  private mutating func claim(_ name: String, for node: some SyntaxProtocol) throws(Mistake) {
    if let reason = reservedNames[name] {
      throw Mistake(
        "JavaScript has another use for '\(name)': \(reason); give it another name, '@Exported(\"…\")'", at: node)
    }
    if let first = names.updateValue(Syntax(node), forKey: name) {
      names[name] = first
      throw Mistake(
        "JavaScript already has a member '\(name)' of '\(module.typeName)': give this one another name, "
          + "'@Exported(\"\(name)2\")'", at: node
      ).noting("'\(name)' is first exported here", at: first)
    }
  }
}

/// Names of members that would break the objects that have them, and how. The registry refuses them, too.
private let reservedNames = [
  "then": "'await' takes an object that has it for a promise",
  "constructor": "it is the object's class",
  "__proto__": "it is the object's prototype",
]
