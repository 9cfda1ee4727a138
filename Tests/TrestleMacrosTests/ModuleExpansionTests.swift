import Testing

/// The code that `@NativeModule` writes, for each kind of type.
struct ModuleExpansionTests {
  @Test func writesWholeDefinitionOfAnActor() {
    let expansion = Expansion(
      of: """
        /// Databases.
        @NativeModule
        actor SQLManager {
          init(_ context: BridgeContext) throws {}
          @Exported let version = "3.45"
          /// Runs a query.
          @Exported func query(_ sql: String, limit: Int = 100) async throws -> [Row] { [] }
        }
        """)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.text == """
        /// Databases.
        actor SQLManager {
          init(_ context: BridgeContext) throws {}
          let version = "3.45"
          /// Runs a query.
          func query(_ sql: String, limit: Int = 100) async throws -> [Row] { [] }

          nonisolated static var moduleDefinition: ModuleDefinition {
            _Expansion.module(
              "SQLManager", documentation: "Databases.", home: { .executor($0.moduleExecutor) },
              fileID: "Sample/Sample.swift", line: 2, make: { context in try SQLManager(context) }
            ) {
              Member.constant("version") { $0.version }
              Member._method("query", .promise, [.init("sql", String.self), .init("limit", Int.self, hasDefault: true)], result: [Row].self, documentation: "Runs a query.") { module in
                { (call) throws(ConversionError) in
                  let sql = try call.next(String.self)
                  let limit = try call.next(Int.self, default: 100)
                  let reply = call.uncheckedReply()
                  call.enqueue {
                    module.assumeIsolated { module in
                      reply.start {
                        _ = module
                        await reply.answer { try await module.query(sql, limit: limit) }
                      }
                    }
                  }
                }
              }
            }
          }

          nonisolated let moduleExecutor = _Expansion.ModuleExecutor()

          nonisolated var unownedExecutor: UnownedSerialExecutor {
            moduleExecutor.asUnownedSerialExecutor()
          }

          private enum _TypeChecks: _Expansion.TypeChecks {
            @available(*, unavailable, message: "'[Row]' cannot go to JavaScript: mark 'Row' '@Record', or make it 'Encodable & Sendable'") @discardableResult static func toJavaScript(_: [Row].Type) -> _Expansion.Refusal<0> { .init() }
            static func check() {
              #sourceLocation(file: "Sample.swift", line: 7)
              toJavaScript([Row].self)
              #sourceLocation()
            }
          }
        }

        extension SQLManager: NativeModule, _Expansion.LinkedModule, _Expansion.ModuleActor {}
        """)
  }

  @Test func tellsEventsFromConstants() {
    let expansion = Expansion(
      of: """
        @NativeModule final class Files {
          /// One has changed.
          @Exported let changed = EventSource<Change>()
          @Exported("gone") let removed: Trestle.EventSource<String>
          @Exported static let ended = Trestle.EventSource<Void>(replaysLast: true)
          @Exported var store: EventSource<Int> { get throws { try Store.shared().changed } }
          @Exported let name = "a"
        }
        """)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.contains(
        """
        Member._event("changed", Change.self, documentation: "One has changed.") { $0.changed }
        Member.event("gone") { $0.removed }
        Member.event("ended") { _ in Files.ended }
        Member.event("store") { try $0.store }
        Member.constant("name") { $0.name }
        """))
  }

  @Test func keepsExecutorOfItsOwn() {
    let expansion = Expansion(
      of: """
        @NativeModule actor Own {
          nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
          @Exported func run() {}
        }
        """)
    #expect(!expansion.text.contains("moduleExecutor"))
    #expect(expansion.contains("home: { .actor($0) },"))
  }

  @Test func startsMethodsOfClassesOnTheJSThread() {
    let expansion = Expansion(
      of: """
        @NativeModule("Counter", dependencies: ["Files"], capabilities: [.files])
        public final class CounterModule {
          @Exported func increment(by step: Int = 1) -> Int { 0 }
        }
        """)
    #expect(expansion.contains(#""Counter", dependencies: ["Files"], capabilities: [.files],"#))
    #expect(expansion.contains("make: { _ in CounterModule() }"))
    #expect(expansion.contains("public nonisolated static var moduleDefinition"))
    #expect(
      expansion.contains(
        """
        let step = try call.next(Int.self, default: 1)
        call.answer { module.increment(by: step) }
        """))
  }

  @Test func makesInstanceOnItsGlobalActor() {
    let expansion = Expansion(
      of: """
        @NativeModule @MainActor final class Panel {
          init() throws {}
          @Exported nonisolated static let kind = "main"
          @Exported func title(_ name: String) throws -> String { name }
        }
        """)
    #expect(expansion.contains("make: { _Expansion.GlobalActorInstance<Panel>($0) }"))
    #expect(expansion.contains(#"Member.constant("kind") { _ in Panel.kind }"#))
    #expect(
      expansion.contains(
        """
        reply.start { @MainActor in
          do {
            let instance = try module.value { _ in try Panel() }
            reply.answer { try instance.title(name) }
          } catch { reply.reject(error) }
        }
        """))
  }

  @Test func startsAsyncMethodsOfStructsAsTasks() {
    let expansion = Expansion(
      of: """
        @NativeModule struct Mathematics {
          @Exported func slow(_ a: Double) async -> Double { a }
        }
        """)
    #expect(
      expansion.contains(
        """
        let reply = call.uncheckedReply()
        reply.startConcurrently {
          await reply.answer { await module.slow(a) }
        }
        """))
  }

  @Test func tellsThatTheHostGivesTheInstance() {
    let expansion = Expansion(of: "@NativeModule final class Given { init(database: Database) {} }")
    #expect(expansion.text.contains("extension Given: NativeModule, _Expansion.LinkedModule {}"))
    #expect(expansion.contains("needsInstance: true,"))
    #expect(expansion.contains("make: { (_) throws -> Given in throw BridgeError(.module,"))
  }

  @Test func leavesModuleOffTheListOnDemand() {
    let expansion = Expansion(of: "@NativeModule(isLinked: false) struct Hidden {}")
    #expect(expansion.text.contains("extension Hidden: NativeModule {}"))
  }

  @Test func writesCallbackMethods() {
    let expansion = Expansion(
      of: """
        @NativeModule final class Store {
          @Exported func find(_ key: String, failure: Callback<StoreError>, success: Callback<Int>?) throws {}
        }
        """)
    #expect(
      expansion.contains(
        """
        Member._method("find", .callbacks, [.init("key", String.self), .callback("failure", StoreError.self), \
        .callback("success", Int.self, isOptional: true)]) { module in
          { (call) throws(ConversionError) in
            let key = try call.next(String.self)
            let failure = try call.callback(StoreError.self)
            let success = try call.optionalCallback(Int.self)
            do { try module.find(key, failure: failure, success: success) } catch { failure.reject(error) }
        """))
  }

  @Test func answersMethodsWithoutResultOnlyWhereNeeded() {
    let expansion = Expansion(
      of: """
        @NativeModule final class Log {
          @Exported func write(_ line: String) {}
          @Exported func flush() throws {}
          @Exported(.promise) func sync() {}
        }
        """)
    #expect(expansion.contains("module.write(line)"))
    #expect(expansion.contains(#"Member._method("flush", .promise)"#))
    #expect(expansion.contains("call.complete { try module.flush() }"))
    #expect(expansion.contains("call.complete { module.sync() }"))
  }

  @Test func namesAreThoseOfJavaScript() {
    let expansion = Expansion(
      of: """
        @NativeModule struct Odd {
          @Exported func `default`(in call: Int, _ module: Int, _: Int, `for` name: Int) -> Int { 0 }
          @Exported("other") static func named() -> Int { 0 }
        }
        """)
    #expect(expansion.contains(#"Member._method("default", .promise, [.init("call", Int.self)"#))
    #expect(expansion.contains(#".init("argument3", Int.self)"#))
    #expect(
      expansion.contains(
        "call.answer { module.`default`(in: callArgument, moduleArgument, argument3, `for`: name) }"))
    #expect(expansion.contains(#"Member._method("other", .promise, result: Int.self) { _ in"#))
    #expect(expansion.contains("call.answer { Odd.named() }"))
  }

  @Test func keepsConditionsOfMembers() {
    let expansion = Expansion(
      of: """
        @NativeModule struct Odd {
          #if os(Linux)
          @Exported static let a = 1
          #elseif DEBUG
          @Exported static let a = 2
          #else
          func other() {}
          #endif
          #if DEBUG
          func hidden() {}
          #endif
        }
        """)
    #expect(expansion.mistakes == [])
    #expect(
      expansion.contains(
        """
        #if os(Linux)
        Member.constant("a") { _ in Odd.a }
        #elseif DEBUG
        Member.constant("a") { _ in Odd.a }
        #else
        #endif
        }
        """))
  }

  @Test func tellsOfAnErrorThatHasNoCallback() {
    let expansion = Expansion(
      of: """
        @NativeModule actor Store {
          @Exported func find(failure: Callback<StoreError>?, success: Callback<Int>?) throws {}
        }
        """)
    #expect(
      expansion.contains(
        """
        let reply = call.uncheckedReply()
        call.enqueue {
          module.assumeIsolated { module in
            do { try module.find(failure: failure, success: success) } catch { \
        failure?.reject(error) ?? success?.reject(error) ?? reply.reject(error) }
          }
        }
        """))
  }

  @Test func endsTaskOfVoidMethodOnAGlobalActor() {
    let expansion = Expansion(of: "@NativeModule @StageActor final class Stage { @Exported func enter() {} }")
    #expect(expansion.contains("reply.complete { instance.enter() }"))
  }
}
