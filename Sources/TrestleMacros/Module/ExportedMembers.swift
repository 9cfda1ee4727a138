import SwiftSyntax

/// The exported members of a module, in order, as lines of the definition; with what is wrong among them.
struct ExportedMembers {
  private(set) var lines: [String] = []
  private(set) var mistakes: [Mistake] = []
  /// Where each JavaScript name was first given.
  private var names: [String: Syntax] = [:]
  private let module: ModuleDeclaration

  init(of module: ModuleDeclaration) {
    self.module = module
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
  }

  private mutating func add(_ variable: VariableDeclSyntax) throws(Mistake) {
    guard let exported = try ExportedAttribute(variable.attributes) else { return }
    let property = try ExportedProperty(variable, exported: exported, of: module)
    try claim(property.name, for: variable.bindings)
    lines += property.expansion(in: module)
  }

  /// The members of each branch, in the same branches; names may be given once in each.
  private mutating func add(_ conditions: IfConfigDeclSyntax) {
    let before = (lines.count, names)
    for clause in conditions.clauses {
      lines.append(clause.poundKeyword.text + (clause.condition.map { " \($0.trimmedDescription)" } ?? ""))
      names = before.1
      if case .decls(let members)? = clause.elements { add(members) }
    }
    lines.append("#endif")
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
