/// A module of one bridge: its definition, its number, and, from the first call on, its instance. On the JS thread.
@usableFromInline
final class ModuleInstance {
  /// Of all tasks for calls: an actor of Swift's own takes the more urgent first, which must not mix up two turns of
  /// JavaScript that were run for tasks of different priorities.
  static let priority = TaskPriority.medium

  let definition: ModuleDefinition
  /// Its index in the config table.
  let id: Int
  // The session owns its modules.
  @usableFromInline unowned(unsafe) let session: CallSession
  private(set) lazy var details = definition.makeDetails()
  /// By method number, once there is an instance.
  private(set) var boundMethods: [BoundMethod] = []
  private var binding: Result<ModuleDetails.Binding, BridgeError>?
  private var waitingCalls: [@Sendable () -> Void] = []
  /// How many of those somebody waits for.
  private var awaitedCount = 0

  init(_ definition: ModuleDefinition, id: Int, session: CallSession) {
    self.definition = definition
    self.id = id
    self.session = session
    if !isClass { session.dispatchTable.addModule() }
  }

  /// Whether its methods are those of shared objects: what a call brings first is the object that it is made on.
  var isClass: Bool { id >= SharedObjects.firstClass }

  /// Makes the instance if there is none yet. An initializer that threw is not tried again.
  func bind(in context: BridgeContext) throws(BridgeError) { _ = try bound(in: context) }

  /// Of the events that are members, in their order; makes the instance if there is none yet.
  func eventSources(in context: BridgeContext) throws(BridgeError) -> [EventListening] {
    try bound(in: context).eventSources
  }

  /// - Throws: `ERR_MODULE` for a definition that contradicts itself.
  func check() throws(BridgeError) {
    if let name = details.ambiguousName {
      throw BridgeError(
        .module, "module '\(definition.name)' exports two members named '\(name)'", at: definition.origin)
    }
    if let name = details.reservedName {
      throw BridgeError(
        .module, "module '\(definition.name)' exports a member named '\(name)', for which JavaScript has another use",
        at: definition.origin)
    }
  }

  private func bound(in context: BridgeContext) throws(BridgeError) -> ModuleDetails.Binding {
    if let binding { return try binding.get() }
    let made: Result<ModuleDetails.Binding, BridgeError>
    do { made = .success(try details.bind(context)) } catch {
      let missing = definition.needsInstance ? error as? BridgeError : nil
      made = .failure(
        missing
          ?? BridgeError(
            .module, "the initializer of module '\(definition.name)' threw", at: definition.origin, cause: error))
    }
    binding = made
    let binding = try made.get()
    if let observer = binding.batchObserver { session.batchObservers.append(observer) }
    if let module = binding.invalidatable { session.invalidatableModules.append(module) }
    boundMethods = zip(details.methods, binding.calls).map { method, call in
      BoundMethod(method, of: self, call: session.observed(call.run))
    }
    session.dispatchTable.fill(module: id, with: boundMethods)
    return binding
  }

  /// Writes one object with all constants; makes the instance if there are any.
  func writeConstants(into writer: inout ValueWriter, context: BridgeContext) throws(BridgeError) {
    if details.constants.isEmpty { return writer.append(.object) }
    let binding = try bound(in: context)
    do { try binding.writeConstants(&writer) } catch {
      let (name, cause) = (error as? ConstantError).map { ($0.name, $0.underlying) } ?? ("?", error)
      throw BridgeError(
        .module, "constant '\(name)' of module '\(definition.name)' cannot be converted", at: definition.origin,
        cause: cause)
    }
  }

  /// Keeps `call` until the batch ends.
  func enqueue(_ call: @escaping @Sendable () -> Void, isAwaited: Bool = false) {
    if waitingCalls.isEmpty { session.addModuleWithCalls(self) }
    waitingCalls.append(call)
    if isAwaited { awaitedCount += 1 }
  }

  /// Hands the calls that wait to the executor, all at once and in order.
  func startCalls() {
    var calls = waitingCalls
    waitingCalls.removeAll(keepingCapacity: true)
    if awaitedCount > 1 { calls.append(session.mailbox.beginBatch()) }
    awaitedCount = 0
    guard case .success(let binding)? = binding else { return }
    switch binding.home {
    case .jsThread: for call in calls { call() }
    case .executor(let executor): executor.enqueue(calls)
    case .actor(let actor): Task.immediate(priority: Self.priority) { [calls] in await run(calls, on: actor) }
    }
  }
}

/// Enters a foreign executor once for a whole batch. Tasks that start immediately, from one thread, arrive in order.
func run(_ calls: [@Sendable () -> Void], on actor: isolated any Actor) async { for call in calls { call() } }
