import TestSupport
import Testing

/// Mistakes of module authors, put through the compiler: each is an error with a remedy, at the place that it is about.
///
/// A comment `// error: …` has words of the error that its line gets.
@Suite(.offThePool) struct MistakeTests {
  @Test func methods() throws {
    try expectErrors(
      """
      import Trestle
      @NativeModule actor Files {
        @Exported func map<T: Codable>(_ value: T) {}  // error: is generic, but a call from JavaScript names no types
        @Exported func both<each T>(_ values: repeat each T) {}  // error: is generic
        @Exported func opaque() -> some Encodable { 1 }  // error: write the concrete type
        @Exported func change(_ text: inout String) {}  // error: return the new value instead
        @Exported func sum(_ numbers: Int...) {}  // error: take an array
        @Exported func run(_ work: () -> Void) {}  // error: take a 'ScriptFunction<Undefined>'
        @Exported func ask(_ isBefore: (@Sendable (Int, Row) -> Bool)?) {}  // error: take a 'ScriptFunction<Int, Row, Bool>'
        @Exported func keep(_ work: @escaping (Int) async throws -> ()) {}  // error: take a 'ScriptFunction<Int, Undefined>'
        @Exported func make() -> () -> Void { {} }  // error: export a method, or emit an event
        @Exported func pair(_ both: (Int, Int)) {}  // error: declare a '@Record struct'
        @Exported func anything(_ value: Any) {}  // error: write 'JSONValue'
        @Exported func pass(_ other: isolated Other) {}  // error: JavaScript has no actors to pass
        @Exported(.sync) func size() -> Int { 3 }  // error: make it 'nonisolated'
        @Exported(.sync) nonisolated func later() async -> Int { 3 }  // error: drop '.sync', so that 'later' gives a promise
        @Exported(.void) func value() -> Int { 3 }  // error: drop '.void' or the result of 'value'
        @Exported func read() -> String { "" }
        @Exported func read(_ path: String) -> String { "" }  // error: '@Exported("read2")'
        @Exported static func + (_ a: Files, _ b: Files) {}  // error: give it one, '@Exported("add")'
        @Exported("a\\(1)") func named() {}  // error: must be a string literal
        @Exported init(_ context: BridgeContext) {}  // error: stands on a method
        init() {}
      }
      actor Other {}
      struct Row: Codable {}
      """)
  }

  @Test func lentBytes() throws {
    try expectErrors(
      """
      import Trestle
      @NativeModule actor Files {
        @Exported func sum(_ bytes: BorrowedBytes) {}  // error: 'sum' runs on its actor: make it 'nonisolated', or take '[UInt8]'
        @Exported func all(_ bytes: [BorrowedBytes]?) async {}  // error: 'all' runs on its actor: take '[UInt8]'
        @Exported nonisolated func later(_ bytes: BorrowedBytes) async {}  // error: 'later' runs as a task of its own
        @Exported @MainActor func show(_ bytes: Trestle.BorrowedBytes) {}  // error: 'show' runs on 'MainActor'
        @Exported nonisolated func count(_ bytes: BorrowedBytes) -> Int { bytes.count }
        @Exported(.sync) nonisolated func size(_ bytes: BorrowedBytes) -> Int { bytes.count }
      }
      """)
  }

  @Test func namesWithAnotherUse() throws {
    try expectErrors(
      """
      import Trestle
      @NativeModule actor Files {
        @Exported func then(_ next: String) {}  // error: 'await' takes an object that has it for a promise
        @Exported("constructor") func make() {}  // error: it is the object's class
        @Exported("__proto__") let base = 1  // error: it is the object's prototype
      }
      @SharedObject actor Document {
        @Exported let then: Int = 1  // error: another use for 'then'
      }
      """)
  }

  @Test func callbacks() throws {
    try expectErrors(
      """
      import Trestle
      @NativeModule actor Files {
        @Exported func early(done: Callback<Int>, _ path: String) {}  // error: callbacks are the last parameters
        @Exported func three(_ a: Callback<Int>, _ b: Callback<Int>, _ c: Callback<Int>) {}  // error: more than two callbacks
        @Exported func twice(done: Callback<Int>) -> Int { 1 }  // error: drop the one or the other
        @Exported(.promise) func asked(done: Callback<Int>) {}  // error: drop '.promise'
        @Exported(.callbacks) func none() {}  // error: has no callbacks
      }
      """)
  }

  @Test func constants() throws {
    try expectErrors(
      """
      import Trestle
      @NativeModule actor Files {
        @Exported var count = 3  // error: make it 'let' or computed
        @Exported var size: Int { 3 }  // error: make it 'nonisolated'
        @Exported nonisolated var late: Int { get async { 3 } }  // error: export a method
        @Exported(.sync) nonisolated var kind: Int { 3 }  // error: drop the kind
      }
      @NativeModule @MainActor final class Panel {
        @Exported let title = "a"  // error: make 'title' 'nonisolated static'
        @Exported nonisolated func name() -> String { "a" }  // error: drop 'nonisolated'
        @Exported(.sync) func height() -> Int { 3 }  // error: is isolated to 'MainActor'
      }
      """)
  }

  @Test func events() throws {
    try expectErrors(
      """
      import Trestle
      struct Handle: Sendable {}
      func makeSource() -> EventSource<Int> { EventSource() }
      @NativeModule actor Files {
        @Exported var changed = EventSource<Int>()  // error: the source of an event is read once, but 'changed' can change: make it 'let'
        @Exported(.sync) let moved = EventSource<Int>()  // error: a property is not called: drop the kind
        @Exported let pair = EventSource<(Int, Int)>()  // error: the value of event 'pair' is a tuple
        @Exported let any: EventSource<any Sendable>  // error: the value of event 'any' is 'any' something
        @Exported let (a, b) = (EventSource<Int>(), EventSource<Int>())  // error: is declared on its own
        init() { any = EventSource() }
      }
      @NativeModule @MainActor final class Panel {
        @Exported let closed = EventSource<Void>()  // error: make 'closed' 'nonisolated static'
      }
      @NativeModule final class Shelf {
        @Exported let handed = EventSource<Handle>()  // error: 'Handle' cannot go to JavaScript: mark it '@Record'
        @Exported let made = makeSource()  // error: write the type of the event
        func hand() { handed.emit(Handle()) }  // error: this type cannot go to JavaScript
      }
      """)
  }

  @Test func sharedObjects() throws {
    try expectErrors(
      """
      import Trestle
      @SharedObject struct Point {}  // error: mark what is copied '@Record'
      @SharedObject enum Choice {}  // error: mark what is copied '@Record'
      @SharedObject class Base: @unchecked Sendable {}  // error: declare it 'final class Base'
      @SharedObject final class Plain {}  // error: 'final class Plain: Sendable'
      @SharedObject actor Store<Item> {}  // error: a shared object cannot be generic
      struct Around<Item> { @SharedObject actor Inner {} }  // error: a shared object cannot be generic
      @SharedObject actor Document {
        @Exported var title: String  // error: 'title' is read on the JS thread, but is isolated to its actor
        @Exported let name = "a"  // error: write the type of 'name'
        @Exported let changed = EventSource<Int>()  // error: emit it from a module
        @Exported static func make() -> Int { 1 }  // error: export it in a module
        @Exported static let kind: Int = 1  // error: export it in a module
        @Exported nonisolated var late: Int { get async { 1 } }  // error: a property cannot be async
        @Exported nonisolated var pair: (Int, Int) { (1, 2) }  // error: declare a '@Record struct'
        @Exported(.sync) func size() -> Int { 1 }  // error: make it 'nonisolated'
        @Exported func twice() {}
        @Exported("twice") func again() {}  // error: JavaScript already has a member 'twice'
        init() { title = "" }
      }
      """)
  }

  @Test func interfaces() throws {
    try expectErrors(
      """
      import Trestle
      protocol Other {}
      @JSInterface struct Point {}  // error: '@JSInterface' stands on a protocol
      @JSInterface protocol A { var name: String { get } }  // error: declare a function
      @JSInterface protocol B { init() }  // error: a script makes its objects itself
      @JSInterface protocol C { subscript(index: Int) -> Int { get } }  // error: a script has no subscripts
      @JSInterface protocol D { associatedtype Page }  // error: no associated types
      @JSInterface protocol E: Other {}  // error: drop 'Other'
      @JSInterface protocol F { func size() -> Int }  // error: make 'size' 'async throws'
      @JSInterface protocol G { func size() async -> Int }  // error: make 'size' 'async throws'
      @JSInterface protocol H { func log() throws }  // error: make 'log' 'async throws'
      @JSInterface protocol I { func read() async throws(CancellationError) }  // error: without a type
      @JSInterface protocol J { func map<T: Codable>(_ value: T) async throws }  // error: has no type parameters
      @JSInterface protocol K { static func log() }  // error: drop 'static'
      @JSInterface protocol L { func change(_ text: inout String) }  // error: return the new value instead
      @JSInterface protocol M { func log(_: String) }  // error: give the parameter a name
      @JSInterface protocol N { func run(_ work: () -> Void) }  // error: which cannot cross as such
      @JSInterface protocol O { func ask(_ done: Callback<Int>) }  // error: return the value
      @JSInterface protocol P { func pair() async throws -> (Int, Int) }  // error: declare a '@Record struct'
      @JSInterface protocol Q {
        func read() async throws
        func read(_ path: String) async throws  // error: give this one another name
      }
      """)
  }

  @Test func types() throws {
    try expectErrors(
      """
      import Trestle
      @NativeModule enum Choice {}  // error: stands on an actor, a class or a struct
      @NativeModule actor Store<Item> {}  // error: a module cannot be generic
      struct Around<Item> { @NativeModule actor Inner {} }  // error: a module cannot be generic
      @NativeModule final class Slow { @Exported func wait() async {} }  // error: 'final class Slow: Sendable'
      @NativeModule public struct Point { @Exported func wait() async {} }  // error: 'struct Point: Sendable'
      @NativeModule struct Counter {
        @Exported mutating func increment() {}  // error: make the module an actor or a class
      }
      @NativeModule final class Perhaps {
        init?() {}  // error: throw an error that says why
      }
      @NativeModule final class Lazy {
        init() async {}  // error: do the work in a method
      }
      actor Plain {
        @Exported func read() {}  // error: put '@NativeModule' or '@SharedObject' on the type around it
      }
      @NativeModule actor Split {}
      extension Split {
        @Exported func read() {}  // error: move this one there
      }
      """)
  }

  @Test func records() throws {
    try expectErrors(
      """
      import Trestle
      @Record final class Row {}  // error: make this a struct
      @Record struct Box<Value> { var value: Value }  // error: a record cannot be generic
      struct Outer<Value> { @Record struct Inner { var id: Int } }  // error: a record cannot be generic
      @Record struct Late { lazy var id: Int = 3 }  // error: make 'id' computed
      @Record struct Pair { var both: (Int, Int) }  // error: declare a '@Record struct'
      @Record struct Switched {
        #if os(Linux)
        var id: Int
        #endif  // error: cannot depend on '#if'
      }
      @Record enum Mode { case read, write }  // error: 'enum Mode: String'
      @Record enum Move { case to(Int, Int) }  // error: give each a label
      @Record enum Event { case key(type: Int) }  // error: '@Record(discriminator: "kind")'
      """)
  }

  @Test func typesThatCannotCross() throws {
    try expectErrors(
      """
      import Trestle
      struct Handle {}
      @NativeModule final class Files {
        @Exported func open(
          _ handle: Handle,  // error: 'Handle' cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'
          _ more: [Handle?],  // error: '[Handle?]' cannot come from JavaScript: mark 'Handle' '@Record'
          last: Handle = Handle(),  // error: 'Handle' cannot come from JavaScript
          done: Callback<Handle>  // error: 'Handle' cannot go to JavaScript by a callback: mark it '@Record'
        ) {}
        @Exported func all() -> [String: Handle] { [:] }  // error: '[String: Handle]' cannot go to JavaScript: mark 'Handle' '@Record'
        @Exported var handle: Handle { Handle() }  // error: 'Handle' cannot go to JavaScript: mark it '@Record'
        @Exported var handles: [Handle] { [] }  // error: '[Handle]' cannot go to JavaScript: mark 'Handle' '@Record'
        @Exported static let shared = Handle()  // error: this type cannot go to JavaScript
        #if !os(Windows)
        @Exported func close(_ handle: Handle) {}  // error: 'Handle' cannot come from JavaScript
        #endif
        @Exported func count(_ names: [String]) -> [String: Int] { [:] }
      }
      @NativeModule actor Cabinet {
        @Exported func first() -> Handle { Handle() }  // error: 'Handle' cannot go to JavaScript
        @Exported func next() async -> Handle { Handle() }  // error: 'Handle' cannot go to JavaScript
      }
      @SharedObject final class Book: @unchecked Sendable {
        @Exported var handle: Handle = Handle()  // error: 'Handle' cannot cross the bridge: mark it '@Record', or make it 'Codable & Sendable'
        @Exported func take(_ handle: Handle) -> Int { 1 }  // error: 'Handle' cannot come from JavaScript
      }
      """)
  }

  /// A type without `@Record` is one mistake, wherever the written code names it.
  @Test func membersThatCannotCross() throws {
    try expectErrors(
      """
      import Trestle
      struct Handle: Sendable {}
      struct Half: Decodable, Sendable {}
      struct Row: Codable, Sendable {}
      @Record struct Box {
        var id = 1
        var row = Row()
        var handle: Handle  // error: 'Handle' cannot cross the bridge: mark it '@Record', or make it 'Codable & Sendable'
        var more: [Handle] = []  // error: '[Handle]' cannot cross the bridge: mark 'Handle' '@Record'
        var last = Handle()  // error: 'Handle' cannot cross the bridge
        let fixed: Handle = Handle()  // error: 'Handle' cannot cross the bridge
        var half: Half  // error: 'Half' cannot cross the bridge
        var rows: [String: [Row]?]
      }
      @JSInterface protocol Plugin {
        func open(_ handle: Handle) async throws  // error: 'Handle' cannot go to JavaScript: mark it '@Record', or make it 'Encodable & Sendable'
        func close(_ handle: Handle, _ row: Row)  // error: 'Handle' cannot go to JavaScript
        func next() async throws -> Handle  // error: 'Handle' cannot come from JavaScript: mark it '@Record', or make it 'Decodable & Sendable'
        func half() async throws -> Half
      }
      """)
    // Of an enumeration the compiler tells once all else is right.
    try expectErrors(
      """
      import Trestle
      struct Handle: Sendable {}
      struct Row: Codable, Sendable {}
      @Record enum Move {
        case to(Handle)  // error: 'Handle' cannot cross the bridge
        case along(path: [Row], of: Handle = Handle())  // error: 'Handle' cannot cross the bridge
      }
      """)
  }

  /// By `Codable` a date would be the seconds since 2001.
  @Test func typesOfFoundation() throws {
    let source = """
      import Foundation
      import Trestle
      @NativeModule actor Files {
        @Exported func touch(_ path: String, at date: Foundation.Date = Date()) {}  // error: 'import TrestleFoundation'
        @Exported func read() -> [String: Data] { [:] }  // error: 'import TrestleFoundation'
      }
      @Record struct Page { var link: URL? }  // error: 'import TrestleFoundation'
      @SharedObject final class Book: Sendable { @Exported let date: Date = Date() }  // error: 'import TrestleFoundation'
      @JSInterface protocol Plugin {
        func open(_ link: URL) async throws -> Date  // error: 'URL' is something else | 'Date' is something else
      }
      """
    try expectErrors(source)
    try expectErrors(
      """
      import Foundation
      import Trestle
      @Record enum Mark { case page(Int), date(day: Date) }  // error: 'import TrestleFoundation'
      """)
    let right = source.replacing("import Trestle\n", with: "import Trestle\nimport TrestleFoundation\n")
    #expect(try Compilation(of: right).errors.isEmpty)
  }

  /// The compiler finds these when it has expanded all macros: what they wrote must not be among the errors.
  @Test func aMistakeThatTheCompilerFindsLateIsToldAlone() throws {
    try expectErrors(
      """
      import Trestle
      @NativeModule actor Files { @Exported func open(_ path: String) async throws -> [String] { [] } }
      @NativeModule final class Store { @Exported func find(_ key: String) -> Int {
        if key == "" { return 1 }
      } }  // error: missing return
      @Record struct Row { var id: Int }
      @SharedObject actor Book { @Exported func row() -> Row { Row(id: 1) } }
      @JSInterface protocol Plugin { func open(_ row: Row) async throws -> Row }
      """)
  }

  @Test func whatIsRightCompiles() throws {
    try expectErrors(
      """
      import Trestle
      @NativeModule actor Files { @Exported func open(_ path: String) async throws -> [String] { [] } }
      struct Failure: Error {}
      struct Outer {
        @Record struct Row {
          var id: Int
          var next: [Row]?
          var half = Half()
        }
        struct Half: Codable, Sendable {}
      }
      typealias Row = Outer.Row
      @NativeModule actor Rows {
        @Exported func several(_ row: Row, _ same: Outer.Row, _ more: [Row], _ others: Array<Outer.Row>, _ byKey: [Int: Outer.Half]) -> Row { row }
        @Exported func again(done: Callback<Row>, failed: Callback<Failure>?) -> Void { done(Row(id: 1)) }
        @Exported func left(done: Callback<Void>) { done() }
        @Exported let changed = EventSource<Outer.Half>()
        @Exported let moved: EventSource<Row> = EventSource()
      }
      """)
  }
}
