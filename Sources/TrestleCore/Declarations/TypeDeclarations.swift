extension Bridge {
  /// TypeScript declarations of the bridge's modules, with their doc comments: for scripts that are checked by `tsc`, beside
  /// those of what every bridge has (`js/types/globals.d.ts`). Makes no instances.
  ///
  /// - Parameters:
  ///   - names: of the modules to declare; all of them if it is nil.
  ///   - interfaces: what the program expects of scripts, to be declared too: `[PluginProxy.self]`.
  /// - Throws: `ERR_NOT_FOUND` for a name that no module has.
  public func typeDeclarations(of names: [String]? = nil, interfaces: [any ScriptProxy.Type] = []) throws -> String {
    let interfaces = interfaces.map { $0._interface }
    let modules = try modules(named: names)
    let writer = TypeDeclarations(modules, interfaces)
    let declarations = modules.map(writer.declaration) + interfaces.map(writer.declaration)
    return (declarations + writer.types.map(writer.declaration)).joined(separator: "\n")
  }
}

/// Writes declarations. Each ends with a line break.
struct TypeDeclarations {
  /// The records, unions and classes that the modules and interfaces are made of.
  let types: [TypeSchema]
  let names: TypeNames

  init(_ modules: [ModuleInstance], _ interfaces: [ScriptInterface]) {
    types = TypeSchema.closure(of: modules.flatMap(\.namedTypes) + interfaces.flatMap(\.namedTypes))
    let taken = modules.map(\.definition.name.scriptIdentifier) + interfaces.map(\.name.scriptIdentifier)
    names = TypeNames(types, modules: taken)
  }

  func declaration(of module: ModuleInstance) -> String {
    let (definition, details) = (module.definition, module.details)
    var comment = DocComment(definition.documentation)
    comment.append(tag: "@version \(module.version)")
    let type = definition.name.scriptIdentifier
    let members =
      details.constants.map { "  readonly \($0.name.scriptMemberName): \($0.schema.scriptType(names));\n" }
      + details.methods.map(signature)
      + details.events.map(declaration)
    return """
      \(comment.text())interface \(type) {
      \(members.joined())}
      interface NativeModules { readonly \(definition.name.scriptMemberName): \(type) }

      """
  }

  private func declaration(of event: ModuleDetails.Event) -> String {
    let type = event.schema.scriptType(names)
    let listener = event.schema == .void ? "() => void" : "(value: \(type)) => void"
    let member = event.isMember ? "  readonly \(event.name.scriptMemberName): ModuleEvent<\(type)>;\n" : ""
    let comment = DocComment(event.documentation).text(indentation: "  ")
    let name = TypeSchema.JSONLiteral.string(event.name)
    return comment + member + "  addListener(event: \(name), listener: \(listener)): Subscription;\n"
  }

  private func signature(of method: ModuleDetails.Method) -> String {
    // One that others follow which must be there cannot be left out.
    let lastRequired = method.parameters.lastIndex { !$0.isOptional } ?? -1
    var parameters = method.parameters.enumerated().map { index, parameter in
      let type = parameter.schema.scriptType(names, isArgument: true)
      let isOptional = parameter.isOptional && index > lastRequired
      let mayBeUndefined = parameter.isOptional && !isOptional ? " | undefined" : ""
      let name = parameter.name.scriptIdentifier
      return "\(name)\(isOptional ? "?" : ""): \(mayBeUndefined.isEmpty ? type : "(\(type))")\(mayBeUndefined)"
    }
    let isPromise = method.kind == .promise
    if isPromise { parameters.append("callOptions?: CallOptions | AbortSignal") }
    return DocComment(method.documentation).text(indentation: "  ")
      + "  \(method.name.scriptMemberName)(\(parameters.joined(separator: ", "))): "
      + result(of: method) + ";\n"
  }

  private func result(of method: ModuleDetails.Method) -> String {
    let result = method.result.scriptType(names)
    guard method.kind == .promise else { return result }
    if case .stream(let element) = method.result { return "StreamPromise<\(element.scriptType(names))>" }
    return "Promise<\(result)>"
  }

  func declaration(of type: TypeSchema) -> String {
    switch type {
    case .record(let shape):
      let members = shape.members.map { DocComment($0.documentation).text(indentation: "  ") + "  \(member($0));\n" }
      return DocComment(shape.documentation).text() + "interface \(names[type]) {\n\(members.joined())}\n"
    case .union(let shape):
      let cases = shape.cases.map { item in
        let tag = "\(shape.discriminator.scriptMemberName): \(TypeSchema.JSONLiteral.string(item.name))"
        return DocComment(item.documentation).text(indentation: "  ")
          + "  | { \(([tag] + item.members.map(member)).joined(separator: "; ")) }"
      }
      return DocComment(shape.documentation).text() + "type \(names[type]) =\n\(cases.joined(separator: "\n"));\n"
    case .shared(let shared): return declaration(of: shared)
    default: return ""
    }
  }

  /// Nobody else can make one, so that it is more than an object with these members.
  private func declaration(of shared: SharedClass) -> String {
    let methods = shared.definition.makeDetails().methods
    let members = methods.map { method in
      guard let (isGetter, property) = method.accessor else { return signature(of: method) }
      guard isGetter else { return "" }
      let isWritable = methods.contains { $0.accessor.map { !$0.isGetter && $0.property == property } ?? false }
      return DocComment(method.documentation).text(indentation: "  ")
        + "  \(isWritable ? "" : "readonly ")\(property.scriptMemberName): \(method.result.scriptType(names));\n"
    }
    let closes = methods.contains { $0.name == "close" && $0.kind == .promise }
    return DocComment(shared.definition.documentation).text()
      + "interface \(names[.shared(shared)]) extends SharedObject {\n\(members.joined())"
      + (closes ? "  [Symbol.asyncDispose](): Promise<void>;\n}\n" : "}\n")
  }

  private func member(_ member: RecordShape.Member) -> String {
    "\(member.name.scriptMemberName)\(member.isOptional ? "?" : ""): \(member.schema.scriptType(names))"
  }
}
