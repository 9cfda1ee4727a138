/// The modules of one bridge, by number and by name. On the JS thread.
///
/// A module's number is its place in the alphabet of names at open: the same program gives the same numbers, in whatever
/// order its parts were linked. Modules that are registered later are numbered after those.
final class ModuleRegistry {
  private(set) var modules: [ModuleInstance] = []
  private var numbers: [String: Int] = [:]
  /// Names that JavaScript asked for in vain: the first thousand, if they are as long as names are. A script can ask without end.
  private var missed: Set<String> = []
  private var lastAsked: (name: String, number: Int)?
  private let session: CallSession

  /// - Throws: `ERR_MODULE` for two modules of one name, a missing dependency, a capability that is not granted.
  init(_ definitions: [ModuleDefinition], granted: Set<Capability>, session: CallSession) throws(BridgeError) {
    self.session = session
    let allowed = Self.preferringInstances(definitions.filter { $0.capabilities.isSubset(of: granted) })
    modules.reserveCapacity(allowed.count)
    numbers.reserveCapacity(allowed.count)
    for definition in allowed.sorted(by: { $0.name < $1.name }) { try add(definition) }
    for definition in allowed { try checkDependencies(of: definition, among: definitions) }
  }

  /// A module that only the host can make is in the list of those that are linked, too: what the host gives comes in its place.
  private static func preferringInstances(_ definitions: [ModuleDefinition]) -> [ModuleDefinition] {
    guard definitions.contains(where: \.needsInstance) else { return definitions }
    let complete = Set(definitions.lazy.filter { !$0.needsInstance }.map(\.name))
    return definitions.filter { !$0.needsInstance || !complete.contains($0.name) }
  }

  /// Adds a module to a bridge that runs.
  ///
  /// - Throws: `ERR_MODULE` also if JavaScript has asked for the name before: it may have gone on without it; and for a module with
  ///   a script.
  func register(_ definition: ModuleDefinition) throws(BridgeError) {
    guard !missed.contains(definition.name) else {
      throw BridgeError(
        .module, "module '\(definition.name)' is registered after JavaScript asked for it and was told there is none",
        at: definition.origin)
    }
    guard definition.script == nil else {
      throw BridgeError(
        .module,
        "module '\(definition.name)' brings a script along, which runs before all others: give it to the bridge when it opens",
        at: definition.origin)
    }
    try checkDependencies(of: definition, among: modules.map(\.definition))
    try add(definition)
  }

  private func add(_ definition: ModuleDefinition) throws(BridgeError) {
    guard definition.libraryCopy == LibraryCopy.identifier else {
      throw BridgeError(
        .module,
        "module '\(definition.name)' comes from a shared library with a copy of Trestle of its own: link the library and the program with the product TrestleDynamic",
        at: definition.origin)
    }
    if let number = numbers.updateValue(modules.count, forKey: definition.name) {
      numbers[definition.name] = number
      throw BridgeError(
        .module,
        "two modules are named '\(definition.name)': one at \(modules[number].definition.origin), the other at \(definition.origin)",
        at: definition.origin)
    }
    modules.append(ModuleInstance(definition, id: modules.count, session: session))
  }

  private func checkDependencies(
    of definition: ModuleDefinition, among known: @autoclosure () -> [ModuleDefinition]
  ) throws(BridgeError) {
    for name in definition.dependencies where numbers[name] == nil {
      let why =
        known().contains { $0.name == name } ? "whose capabilities are not granted" : "which this bridge does not have"
      throw BridgeError(.module, "module '\(definition.name)' needs module '\(name)', \(why)", at: definition.origin)
    }
  }

  /// The module of that name; remembers that it was asked for.
  func module(named name: String) -> ModuleInstance? {
    guard let number = numbers[name] else {
      if missed.count < 1000, name.utf8.count <= 100 { missed.insert(name) }
      return nil
    }
    return modules[number]
  }

  /// The number of the module of that name. Quickest for the one that was asked for last, as events ask.
  func number(of name: String) -> Int? {
    if let last = lastAsked, last.name == name { return last.number }
    guard let number = numbers[name] else { return nil }
    lastAsked = (name, number)
    return number
  }

  func contains(_ name: String) -> Bool { numbers[name] != nil }

  /// Whether scripts may have what native code defines of the module: not of one that brings a script along.
  func isPublic(_ name: String) -> Bool { numbers[name].map { modules[$0].definition.script == nil } ?? false }
}
