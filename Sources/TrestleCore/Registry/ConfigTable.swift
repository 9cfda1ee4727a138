import JSON

extension ModuleInstance {
  /// The module's entry in React Native's config table: `[name, constants, methodNames, promiseMethodIDs, syncMethodIDs]`.
  ///
  /// Trailing members that are empty are left out; a module without constants and methods is `null`, as in React Native's
  /// `ModuleRegistry::getConfig`. Makes the instance if there are constants to read.
  /// A module with a script of its own is `null`, too.
  func configTableEntry(in context: BridgeContext) throws -> JSONValue {
    guard definition.script == nil else { return .null }
    try check()
    let methods = details.methods
    let names = methods.map(\.name) + details.listeningMethodNames
    if names.isEmpty && details.constants.isEmpty { return .null }
    func numbers(of kind: MethodKind) -> JSONValue {
      .array(methods.indices.filter { methods[$0].kind == kind }.map { JSONValue($0) })
    }
    var members: [JSONValue] = [
      .string(definition.name),
      details.constants.isEmpty ? .null : try constants(in: context),
      .array(names.map(JSONValue.string)),
      numbers(of: .promise), numbers(of: .sync),
    ]
    while let last = members.last, last.isNull || last == .array([]) { members.removeLast() }
    return .array(members)
  }

  private func constants(in context: BridgeContext) throws -> JSONValue {
    var writer = ValueWriter()
    try writeConstants(into: &writer, context: context)
    var decoder = ReplyDecoder(writer)
    return decoder.next()?.json ?? .null
  }
}

extension ModuleDetails {
  /// What React Native's `NativeEventEmitter` calls on a module with events; numbered after its methods. A module that
  /// exports one of these names has neither.
  fileprivate var listeningMethodNames: [String] {
    let names = ["addListener", "removeListeners"]
    return events.isEmpty || methods.contains { names.contains($0.name) } ? [] : names
  }
}

extension Bridge {
  /// React Native's module config table of this bridge, `{remoteModuleConfig: [entry, …]}`: the index of an entry is the
  /// module's number. Describes every module, and makes the instances of those that have constants.
  ///
  /// - Parameter namesOnly: lazy entries, `[name]`, which describe nothing.
  package func configTable(namesOnly: Bool = false) throws -> JSONValue {
    let entries = try openRuntime().registry.modules.map { module in
      namesOnly && module.definition.script == nil
        ? [.string(module.definition.name)] : try module.configTableEntry(in: openRuntime().queue.moduleContext)
    }
    return ["remoteModuleConfig": .array(entries)]
  }
}
