import SwiftSyntax
import SwiftSyntaxMacros

/// The type that `@NativeModule` or `@SharedObject` stands on.
struct ModuleDeclaration {
  enum Isolation {
    /// A class or struct: methods run on the JS thread.
    case jsThread
    case actor(hasOwnExecutor: Bool)
    case globalActor(TypeSyntax)
  }

  let node: any DeclGroupSyntax
  /// The type's own name.
  let typeName: String
  let isStruct: Bool
  let isolation: Isolation
  /// A closure that makes the instance of one bridge; nil if no initializer fits: then the host gives the instance.
  let make: String?
  /// Whether it says itself that it is `Sendable`, or is by itself, as a struct that is not public.
  let isSendable: Bool
  /// `public `, `package ` or nothing.
  let access: String
  /// Whether it is the type of objects that JavaScript holds, and no module.
  let isShared: Bool
  private let attribute: AttributeSyntax

  init(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax, isShared: Bool = false,
    in context: some MacroExpansionContext
  ) throws(Mistake) {
    node = declaration
    self.isShared = isShared
    self.attribute = attribute
    access = declaration.modifiers.witnessAccess
    let inherited = declaration.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    let isPublic = declaration.modifiers.contains(.public)
    isSendable = declaration.is(StructDeclSyntax.self) && !isPublic || inherited.contains { $0.hasSuffix("Sendable") }
    switch DeclSyntax(declaration).as(DeclSyntaxEnum.self) {
    case .actorDecl(let actor):
      (typeName, isStruct) = (actor.name.text, false)
      isolation = .actor(hasOwnExecutor: declaration.memberBlock.declaresVariable(named: "unownedExecutor"))
    case .classDecl(let type):
      (typeName, isStruct) = (type.name.text, false)
      isolation = type.attributes.globalActor.map(Isolation.globalActor) ?? .jsThread
    case .structDecl(let type):
      (typeName, isStruct) = (type.name.text, true)
      isolation = type.attributes.globalActor.map(Isolation.globalActor) ?? .jsThread
    default:
      if isShared { throw Self.noObject(attribute) }
      throw Mistake(
        "'@NativeModule' stands on an actor, a class or a struct: a bridge makes one instance of it", at: attribute)
    }
    let generics = Syntax(declaration).genericParameters
    if generics != nil || context.isInsideGenericType {
      throw Mistake(
        isShared
          ? "a shared object cannot be generic, as JavaScript has one class for it: write a type for each"
          : "a module cannot be generic, as a bridge that makes it knows no type arguments: write a module for each",
        at: generics.map(Syntax.init) ?? Syntax(attribute))
    }
    make = isShared ? nil : try makingClosure(of: typeName, members: declaration.memberBlock)
    if isShared { try checkIsShareable() }
  }

  private static func noObject(_ attribute: AttributeSyntax) -> Mistake {
    Mistake(
      "'@SharedObject' stands on an actor or a final class, of which JavaScript holds instances: mark what is copied "
        + "'@Record'", at: attribute)
  }

  /// Objects are touched by JavaScript and by Swift at the same time, and are known by their exact type.
  private func checkIsShareable() throws(Mistake) {
    if isStruct { throw Self.noObject(attribute) }
    guard let type = node.as(ClassDeclSyntax.self) else { return }
    if !type.modifiers.contains(.final) {
      throw Mistake(
        "JavaScript knows an object by its exact type: declare it 'final class \(typeName)'", at: type.classKeyword)
    }
    if case .jsThread = isolation, !isSendable {
      throw Mistake(
        "'\(typeName)' is shared between the JS thread and Swift: make it an actor, isolate it to a global actor, or declare "
          + "it 'final class \(typeName): Sendable'", at: type.name)
    }
  }

  /// A Swift expression for the module's name.
  var nameExpression: String {
    attribute.argument(labeled: nil)?.trimmedDescription ?? typeName.filter { $0 != "`" }.swiftLiteral
  }

  /// `, dependencies: […], capabilities: […], needsInstance: true`, as far as they are given.
  var requirements: String {
    ["dependencies", "capabilities"].map { label in
      guard let argument = attribute.argument(labeled: label) else { return "" }
      return ", \(label): \(argument.trimmedDescription)"
    }.joined() + (make == nil ? ", needsInstance: true" : "")
  }

  /// `make`, or a closure that tells that the host must give the instance.
  var makeOrFail: String {
    let words =
      "\(typeName) has no 'init()' and no 'init(_: BridgeContext)': the host must give its instance, '.instance(\(typeName)(…))'"
    return make ?? "{ (_) throws -> \(typeName) in throw BridgeError(.module, \(words.swiftLiteral)) }"
  }

  /// Whether the program's list of linked modules has it.
  var isLinked: Bool {
    let isLinked = attribute.argument(labeled: "isLinked")?.as(BooleanLiteralExprSyntax.self)
    return isLinked?.literal.tokenKind != .keyword(.false)
  }
}

/// A closure that calls the initializer which takes the context, or else the one which needs nothing.
private func makingClosure(of typeName: String, members: MemberBlockSyntax) throws(Mistake) -> String? {
  let initializers = members.members.compactMap { $0.decl.as(InitializerDeclSyntax.self) }
  if initializers.isEmpty { return "{ _ in \(typeName)() }" }
  guard
    let chosen = initializers.first(where: { $0.contextParameter != nil }) ?? initializers.first(where: \.needsNothing)
  else { return nil }
  let effects = chosen.signature.effectSpecifiers
  if let mark = chosen.optionalMark {
    throw Mistake("a module's initializer cannot return nil: throw an error that says why", at: mark)
  }
  if let async = effects?.asyncSpecifier {
    throw Mistake(
      "a module's initializer cannot be async, as the first call waits for it: do the work in a method", at: async)
  }
  let tried = effects?.throwsClause == nil ? "" : "try "
  guard let parameter = chosen.contextParameter else { return "{ _ in \(tried)\(typeName)() }" }
  let label = parameter.firstName.tokenKind == .wildcard ? "" : "\(parameter.firstName.text): "
  return "{ context in \(tried)\(typeName)(\(label)context) }"
}

extension InitializerDeclSyntax {
  private var neededParameters: [FunctionParameterSyntax] {
    signature.parameterClause.parameters.filter { $0.defaultValue == nil }
  }

  fileprivate var needsNothing: Bool { neededParameters.isEmpty }

  /// The only parameter without a default, if it takes the context.
  fileprivate var contextParameter: FunctionParameterSyntax? {
    let needed = neededParameters
    guard needed.count == 1, needed[0].type.trimmedDescription.hasSuffix("BridgeContext") else { return nil }
    return needed[0]
  }
}

extension MemberBlockSyntax {
  func declaresVariable(named name: String) -> Bool {
    members.contains { member in
      member.decl.as(VariableDeclSyntax.self)?.bindings.contains {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainName == name
      } == true
    }
  }
}
