/// A module of one bridge: its definition, its number, and, from the first call on, its instance. On the JS thread.
@usableFromInline
final class ModuleInstance {
  let definition: ModuleDefinition
  /// Its index in the config table.
  let id: Int
  @usableFromInline unowned let session: CallSession
  private(set) lazy var details = definition.makeDetails()
  private(set) lazy var methods = details.methods.map {
    MethodReference(module: definition.name, name: $0.name, kind: $0.kind)
  }
  private var binding: Result<ModuleDetails.Binding, BridgeError>?
  private var waitingCalls: [@Sendable () -> Void] = []

  init(_ definition: ModuleDefinition, id: Int, session: CallSession) {
    self.definition = definition
    self.id = id
    self.session = session
  }

  /// The instance's methods and constants; makes the instance if there is none yet. An initializer that threw is not
  /// tried again.
  func bound(in context: BridgeContext) throws(BridgeError) -> ModuleDetails.Binding {
    if let binding { return try binding.get() }
    let made: Result<ModuleDetails.Binding, BridgeError>
    do { made = .success(try details.bind(context)) } catch {
      made = .failure(
        BridgeError(
          .module, "the initializer of module '\(definition.name)' threw", at: definition.origin, cause: error))
    }
    binding = made
    return try made.get()
  }

  /// Keeps `call` until the batch ends.
  func enqueue(_ call: @escaping @Sendable () -> Void) {
    if waitingCalls.isEmpty { session.modulesWithCalls.append(self) }
    waitingCalls.append(call)
  }

  /// Hands the calls that wait to the executor, all at once and in order.
  func startCalls() {
    let calls = waitingCalls
    waitingCalls.removeAll(keepingCapacity: true)
    guard case .success(let binding)? = binding else { return }
    switch binding.home {
    case .jsThread: for call in calls { call() }
    case .executor(let executor): executor.enqueue(calls)
    case .actor(let actor): Task.immediate { await run(calls, on: actor) }
    }
  }
}

/// Enters a foreign executor once for a whole batch. Tasks that start immediately, from one thread, arrive in order.
private func run(_ calls: [@Sendable () -> Void], on actor: isolated any Actor) async { for call in calls { call() } }
