import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Iterables of scripts that Swift walks.
@Suite struct ScriptSequenceTests {
  private var module: ModuleDefinition {
    ModuleDefinition("Eater", make: { _ in Nothing() }) {
      Member<Nothing>._method(
        "eat", .promise, [Parameter("food", ScriptSequence<Int>.self), Parameter("most", Int.self)], result: [Int].self
      ) { _ in
        { (call) throws(ConversionError) in
          let (food, most) = (try call.next(ScriptSequence<Int>.self), try call.next(Int.self))
          let reply = call.reply()
          reply.startConcurrently {
            await reply.answer {
              var eaten: [Int] = []
              for try await piece in food {
                eaten.append(piece)
                if eaten.count == most { break }
              }
              return eaten
            }
          }
        }
      }
    }
  }

  private func run<Value: BridgeDecodable & Sendable>(_ body: String, as: Value.Type) async throws -> Value {
    try await withBridge([module]) { bridge, log in
      let value = try await bridge.evaluate(
        "(async () => { const {Eater} = NativeModules; \(body) })()", as: Value.self)
      #expect(log.texts == [])
      return value
    }
  }

  @Test(arguments: [
    "[1, 2, 3]", "new Set([1, 2, 3])", "new Map([[1, 0], [2, 0], [3, 0]]).keys()",
    "(function* () { yield 1; yield 2; yield 3; })()",
    "(async function* () { yield 1; await null; yield 2; yield 3; })()",
    "{ [Symbol.iterator]: () => [1, 2, 3].values() }",
  ])
  func everyIterableIsTaken(iterable: String) async throws {
    #expect(try await run("return Eater.eat(\(iterable), -1)", as: [Int].self) == [1, 2, 3])
  }

  @Test func leavingTheLoopEndsTheScriptsIterator() async throws {
    let text = try await run(
      """
      let ended;
      const end = new Promise(resolve => { ended = resolve; });
      async function* all() { let number = 0; try { for (;;) yield ++number; } finally { ended(`ended after ${number}`); } }
      const eaten = await Eater.eat(all(), 4);
      return `${eaten} ${await end}`;
      """, as: String.self)
    #expect(text == "1,2,3,4 ended after 4")
  }

  @Test func whatTheIteratorThrowsEndsTheLoop() async throws {
    let text = try await run(
      "try { await Eater.eat((function* () { yield 1; throw new RangeError('empty') })(), -1) } catch (error) { return `${error}` }",
      as: String.self)
    #expect(text == "RangeError: empty")
  }

  @Test func anElementOfAnotherTypeIsNamed() async throws {
    let text = try await run(
      "try { await Eater.eat([1, 'two'], -1) } catch (error) { return `${error.message}` }", as: String.self)
    #expect(text.contains(#"expected a 64-bit integer, got string "two""#), "\(text)")
  }

  @Test(arguments: [
    ("1", "number 1"), ("'text'", #"string "text""#), ("{}", "object"), ("null", "null"), ("() => {}", "function"),
  ])
  func whatCannotBeWalkedIsRefused(value: String, description: String) async throws {
    let text = try await run(
      "try { await Eater.eat(\(value), -1) } catch (error) { return error.message }", as: String.self)
    #expect(text == "Eater.eat, argument 1 'food': expected iterable, got \(description)")
  }
}
