/// One module and the native half of a message queue, without an engine: what `TrestleTesting` calls modules through.
///
/// Belongs to one isolation, which is the module's JS thread.
package final class StandaloneSession {
  /// What a call came to.
  package enum Outcome {
    case value(ScriptValue)
    /// An error, or a value that a failure callback was given.
    case failure(ScriptValue)
  }

  private let instance: ModuleInstance
  private let session: CallSession
  private let context: BridgeContext

  /// - Parameters:
  ///   - wake: called on any thread when `takeAnswers` may have something, or a task has ended.
  ///   - onError: what `BridgeConfiguration.onError` is told. Called on any thread.
  package init(
    _ definition: ModuleDefinition, provisions: [any Sendable], standIn: any BridgeStandIn,
    wake: @escaping @Sendable () -> Void, onError: @escaping @Sendable (any Error) -> Void
  ) {
    let mailbox = Mailbox(wake: wake, reportError: onError)
    session = CallSession(mailbox: mailbox)
    context = BridgeContext(mailbox: mailbox, provisions: provisions, bridge: WeakBridge(value: nil), standIn: standIn)
    instance = ModuleInstance(definition, id: 0, session: session)
  }

  deinit {
    session.mailbox.close()
    for target in observers.values { target.close() }
  }

  private var observers: [String: EventRecorder] = [:]

  /// Makes the instance, and has what its events emit recorded.
  private func bind() throws(BridgeError) {
    try instance.check()
    guard observers.isEmpty else { return try instance.bind(in: context) }
    let sources = try instance.eventSources(in: context)
    for (name, source) in zip(instance.details.sourceNames, sources) {
      observers[name] = EventRecorder(source, name: name, module: instance.definition.name, context: context)
    }
  }

  /// Stands for JavaScript's listeners to an event that is a member.
  ///
  /// - Throws: `ERR_NOT_FOUND` if there is none of that name.
  package func setListening(_ isListening: Bool, to event: String) throws(BridgeError) {
    try bind()
    guard let observer = observers[event] else {
      throw BridgeError(.notFound, "module '\(instance.definition.name)' has no event '\(event)' as a member")
    }
    observer.isListening = isListening
  }

  /// How the method is called; nil if the module has none of that name.
  package func kind(of method: String) -> MethodKind? {
    instance.details.methods.first { $0.name == method }?.kind
  }

  /// The members' names in the order of the definition.
  package var methodNames: [String] { instance.details.methods.map(\.name) }

  /// - Throws: `ERR_MODULE` where a bridge throws it.
  package func constants() throws(BridgeError) -> ScriptValue {
    try instance.check()
    var writer = ValueWriter()
    try instance.writeConstants(into: &writer, context: context)
    var decoder = ReplyDecoder(writer)
    return decoder.next() ?? .undefined
  }

  /// Makes one call as a batch of its own. Callbacks are not among the arguments.
  ///
  /// - Parameter slot: by which `takeAnswers` names the call; 0 if nobody waits.
  /// - Returns: the calls of `hasTask(among:)` that came of it.
  /// - Throws: what JavaScript would throw at the call.
  package func call(
    _ method: String, _ arguments: [ScriptValue], slot: UInt32, atEnd: (@Sendable () -> Void)? = nil
  ) throws(BridgeError) -> ClosedRange<UInt64> {
    try bind()
    guard let number = instance.details.methods.firstIndex(where: { $0.name == method }) else {
      throw BridgeError(.notFound, "module '\(instance.definition.name)' has no method '\(method)'")
    }
    let encoder = try Self.encoder(of: arguments, for: instance.details.methods[number], in: instance.definition.name)
    let first = session.nextCall()
    let mistake = encoder.withReader { begin(number, slot: slot, $0.copy()) }
    encoder.sideValues.beginLoans()
    if let mistake { throw mistake }
    if let atEnd { instance.enqueue(atEnd) }
    session.startCalls()
    return first...session.nextCall()
  }

  /// - Returns: what is wrong with the arguments, if anything.
  private func begin(_ number: Int, slot: UInt32, _ reader: consuming ValueReader) -> BridgeError? {
    guard let bound = session.dispatchTable.method(number, ofModule: instance.id) else { return nil }
    var invocation = Invocation(reader: reader, slot: slot, of: bound)
    return bound._withUnsafeGuaranteedRef { bound in
      do throws(ConversionError) {
        try bound.call(&invocation)
        return nil
      } catch { return invocation.describe(error) }
    }
  }

  /// The arguments as JavaScript's encoder sends them: all that the method has, what was left out as `undefined`.
  private static func encoder(
    of arguments: [ScriptValue], for method: ModuleDetails.Method, in module: String
  ) throws(BridgeError) -> CommandEncoder {
    let callbacks = method.parameters.filter(\.isCallback).count
    let values = Array(method.parameters.dropLast(callbacks))
    if let words = values.misfit(ofCount: arguments.count) {
      throw BridgeError(.argument, "\(module).\(method.name): \(words)")
    }
    var encoder = CommandEncoder()
    for index in values.indices { encoder.append(index < arguments.count ? arguments[index] : .undefined) }
    // Of two the first is for failure.
    for index in 0..<callbacks { encoder.append(callback: callbacks - index == 2 ? 0 : 1) }
    return encoder
  }

  /// Makes a call that JavaScript waits for.
  package func callSynchronously(_ method: String, _ arguments: [ScriptValue]) throws(BridgeError) -> Outcome {
    session.synchronousAnswer.pointee.removeAll()
    _ = try call(method, arguments, slot: Invocation.synchronousSlot)
    var decoder = ReplyDecoder(session.synchronousAnswer.pointee.copy())
    guard case .answer(_, let outcome)? = decoder.nextRecord() else { return .value(.undefined) }
    return outcome
  }

  /// Hands over the answers that are there, by the slots of their calls.
  package func takeAnswers(_ body: (UInt32, Outcome) -> Void) {
    session.mailbox.take(into: &session.answers.pointee)
    session.withAnswers { writer in
      var decoder = ReplyDecoder(writer.copy())
      while let record = decoder.nextRecord() {
        if case .answer(let slot, let outcome) = record { body(slot, outcome) }
      }
    }
  }

  /// Whether one of the calls still runs as a task.
  package func hasTask(among calls: ClosedRange<UInt64>) -> Bool { session.mailbox.hasTask(among: calls) }
}

/// What a module finds in its context where there is no bridge.
package protocol BridgeStandIn: AnyObject, Sendable {
  func emit(_ event: String, of module: String, _ value: ScriptValue)
  func call(_ path: String, _ arguments: [ScriptValue]) async throws -> ScriptValue
}

extension BridgeStandIn {
  func call<each Argument: BridgeEncodable, Result: BridgeDecodable>(
    _ path: String, encoding arguments: repeat each Argument, as: Result.Type
  ) async throws -> Result {
    try await call(path, ScriptValue.encode(repeat each arguments)).decoded(as: Result.self)
  }
}

extension ScriptValue {
  static func encode<each Argument: BridgeEncodable>(_ arguments: repeat each Argument) throws -> [ScriptValue] {
    var values: [ScriptValue] = []
    for argument in repeat each arguments { values.append(try ScriptValue(encoding: argument)) }
    return values
  }
}
