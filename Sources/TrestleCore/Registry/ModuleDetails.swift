/// A module's members with their numbers, their module type erased: what the registry makes of a definition at first touch.
struct ModuleDetails {
  struct Method: Sendable {
    let name: String
    let kind: MethodKind
    let parameters: [Parameter]
    let result: TypeSchema
    let documentation: String?

    /// Whether JavaScript gets an async iterator.
    var isStream: Bool { if case .stream = result { true } else { false } }
  }

  struct Event: Sendable {
    let name: String
    let schema: TypeSchema
    let documentation: String?
    /// Whether it is a member of the module's object, with a source in Swift.
    let isMember: Bool
  }

  /// A closure that may stand in an array without a thunk around it.
  struct BoundCall { let run: _Expansion.Call }

  private struct MethodBind<Module> { let run: _Expansion.Bind<Module> }

  /// What is needed once there is an instance.
  struct Binding {
    let home: ModuleHome
    /// By method number.
    let calls: [BoundCall]
    /// Writes one object with all constants.
    let writeConstants: (inout ValueWriter) throws -> Void
    let batchObserver: (any BatchObserver)?
    let invalidatable: (any InvalidatableModule)?
    /// Of the events that are members, in their order.
    let eventSources: [EventListening]
  }

  /// By method number: the order of the definition.
  let methods: [Method]
  let constants: [(name: String, schema: TypeSchema)]
  let events: [Event]
  /// Makes an instance and ties the methods to it; to `instance` if the host has made one.
  private let bind: (BridgeContext, _ instance: Any?) throws -> Binding
  private var instance: Any?

  init<Module>(
    members: [Member<Module>],
    home: @escaping @Sendable (Module) -> ModuleHome,
    make: @escaping @Sendable (BridgeContext) throws -> Module
  ) {
    var methods: [Method] = []
    var binds: [MethodBind<Module>] = []
    var constants: [(name: String, schema: TypeSchema)] = []
    var values: [(name: String, write: @Sendable (Module, inout ValueWriter) throws -> Void)] = []
    var events: [Event] = []
    var sources: [@Sendable (Module) throws -> EventListening] = []
    for member in members {
      switch member.content {
      case .method(let kind, let parameters, let result, let bind):
        methods.append(
          Method(
            name: member.name, kind: kind, parameters: parameters, result: result,
            documentation: member.documentation))
        binds.append(MethodBind(run: bind))
      case .constant(let write, let schema):
        constants.append((member.name, schema))
        values.append((member.name, write))
      case .event(let schema, let source):
        events.append(
          Event(
            name: member.name, schema: schema, documentation: member.documentation, isMember: source != nil))
        if let source { sources.append(source) }
      }
    }
    self.methods = methods
    self.constants = constants
    self.events = events
    let (allBinds, allValues, allSources) = (binds, values, sources)
    bind = { context, instance in
      let given = instance.flatMap {
        $0 as? Module ?? (Module.self as? any InstanceHolder.Type)?.holding($0) as? Module
      }
      let module = try given ?? make(context)
      return Binding(
        home: home(module), calls: allBinds.map { BoundCall(run: $0.run(module)) },
        writeConstants: { writer in
          writer.append(.object, low: UInt32(allValues.count))
          for (name, write) in allValues {
            writer.append(name)
            do { try write(module, &writer) } catch { throw ConstantError(name: name, underlying: error) }
          }
        }, batchObserver: module as? any BatchObserver,
        invalidatable: given == nil ? module as? any InvalidatableModule : nil,
        eventSources: try allSources.map { try $0(module) })
    }
  }
}

extension ModuleDetails {
  /// A name that would break the module's object: a promise to `await`, its class, its prototype.
  var reservedName: String? {
    (methods.map { $0.accessor?.property ?? $0.name } + constants.map(\.name) + sourceNames)
      .first { ["then", "constructor", "__proto__"].contains($0) }
  }

  /// A name that two members have: JavaScript could see only one of them.
  var ambiguousName: String? {
    var seen: Set<String> = []
    return (methods.map(\.name) + constants.map(\.name) + sourceNames).first { !seen.insert($0).inserted }
  }

  /// The events that are members: what JavaScript numbers them by.
  var sourceNames: [String] { events.filter(\.isMember).map(\.name) }

  func bind(_ context: BridgeContext) throws -> Binding { try bind(context, instance) }

  func with(instance: Any) -> ModuleDetails {
    var details = self
    details.instance = instance
    return details
  }
}

/// A constant whose value could not be read or sent.
struct ConstantError: Error {
  let name: String
  let underlying: any Error
}
