import EventLoop

/// An event of a module, as a member of it.
///
/// ```swift
/// @NativeModule actor Files {
///   @Exported let changed = EventSource<Change>()
///   …changed.emit(Change(path: path))
/// ```
/// ```js
/// const subscription = NativeModules.Files.changed.addListener(change => console.log(change.path));
/// for await (const { path } of NativeModules.Files.changed) if (path === 'done') break;
/// ```
///
/// What is emitted while nobody listens crosses nothing and costs about 20 ns. Of an instance that several bridges share,
/// the listeners of all of them get it. From any thread; what one thread emits arrives in its order, and after the bridge
/// has closed goes nowhere.
///
/// Over React Native's wire its `NativeEventEmitter` listens too. As that does not tell whom it forgets, the number of its
/// listeners is asked of `RCTDeviceEventEmitter`, by the event's name alone; where that cannot tell, it counts as listening to
/// all that it ever listened to in the module, until it has forgotten all.
public final class EventSource<Value: Sendable>: Sendable {
  let listening: EventListening

  /// - Parameters:
  ///   - replaysLast: whether a new listener is first given the last value, whenever that was emitted.
  ///   - keepsAlive: whether a bridge is not idle while one of its scripts listens (`Bridge.waitUntilIdle`): for events that a script is
  ///     run for, such as the requests that a server takes. Else a run ends when nothing but listeners is left.
  public init(replaysLast: Bool = false, keepsAlive: Bool = false) {
    listening = EventListening(replaysLast: replaysLast, keepsAlive: keepsAlive)
  }

  /// Whether anyone listens.
  public var isObserved: Bool { listening.isObserved }

  /// Has `start` called when there is a first listener, and `stop` when the last one is gone, because it was removed or its
  /// bridge closed: in turns, never at the same time, on the JS thread. They take the place of those given before.
  ///
  /// The source keeps them: they must not keep the module in their turn.
  public func onObservation(start: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void) {
    listening.tell(start: start, stop: stop)
  }

  /// Runs `operation` as a task while anyone listens: from the first listener on, cancelled with the last one. It is begun
  /// anew once the one before has ended.
  public func whileObserved(_ operation: @escaping @Sendable () async -> Void) {
    let task = Lock<Task<Void, Never>?>(nil)
    onObservation {
      task.withLock { task in
        task = Task { [before = task] in
          await before?.value
          if !Task.isCancelled { await operation() }
        }
      }
    } stop: {
      task.withLock { $0?.cancel() }
    }
  }
}

extension EventSource where Value: BridgeEncodable {
  /// Gives the listeners a value. One that does not convert is an error for the bridge's `onError`.
  public func emit(_ value: Value) { listening.emit(value) }
}

extension EventSource where Value: Encodable {
  @_disfavoredOverload
  public func emit(_ value: Value) { listening.emit(EncodedValue(value)) }
}

extension EventSource where Value == Void {
  public func emit() { listening.emit(Undefined()) }
}

extension Member {
  /// An event that the module's source emits.
  public static func event<Value: BridgeEncodable>(
    _ name: String, documentation: String? = nil,
    source: @escaping @Sendable (Module) throws -> EventSource<Value>
  ) -> Member {
    event(name, Value.typeSchema, documentation, source)
  }

  @_disfavoredOverload
  public static func event<Value: Encodable>(
    _ name: String, documentation: String? = nil,
    source: @escaping @Sendable (Module) throws -> EventSource<Value>
  ) -> Member {
    event(name, .codable(name: "\(Value.self)"), documentation, source)
  }

  public static func event(
    _ name: String, documentation: String? = nil,
    source: @escaping @Sendable (Module) throws -> EventSource<Void>
  ) -> Member {
    event(name, .void, documentation, source)
  }

  private static func event<Value>(
    _ name: String, _ schema: TypeSchema, _ documentation: String?,
    _ source: @escaping @Sendable (Module) throws -> EventSource<Value>
  ) -> Member {
    Member(
      name: name, documentation: documentation,
      content: .event(schema, source: { module in try source(module).listening }))
  }
}
