import EventLoop
import TestSupport
import Testing
import Trestle
import TrestleTesting

@testable import TrestleObservables

/// Observables as results of methods.
struct ObservableStreamTests {
  @Test func aScriptLoopsOverThem() async throws {
    let clicks = Subject<Int>()
    let modules = ModuleSelection.instance(Mouse(clicks: clicks))
    try await withTestBridge(modules) { test in
      let seen = try await test.bridge.evaluate(
        """
        (async () => {
          const { Mouse } = NativeModules, seen = [];
          for await (const number of await Mouse.squares(4)) seen.push(number);
          try { for await (const number of await Mouse.failing()) seen.push(number); } catch (error) { seen.push(error.message.length); }
          const clicks = await Mouse.doubled();
          for (let i = 1; i <= 5; i++) Mouse.click(i);
          for await (const click of clicks) { seen.push(click); if (click === 6) break; }
          return seen;
        })()
        """, as: [Double].self)
      #expect(seen.prefix(5) == [0, 1, 4, 9, 1] && seen.suffix(3) == [2, 4, 6], "\(seen)")
      let deadline = ContinuousClock.now + patience
      while clicks.hasObservers, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
      #expect(!clicks.hasObservers && test.errorTexts == [])
      #expect(try await test.bridge.typeDeclarations().contains("StreamPromise<number>"))
    }
  }

  @Test func aClosedBridgeEndsThem() async throws {
    let clicks = Subject<Int>()
    try await withTestBridge(.instance(Mouse(clicks: clicks))) { test in
      try await test.bridge.evaluate(
        "(async () => { for await (const click of await NativeModules.Mouse.doubled()); })().catch(() => {})")
      let deadline = ContinuousClock.now + patience
      while !clicks.hasObservers, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
      #expect(clicks.hasObservers)
    }
    let deadline = ContinuousClock.now + patience
    while clicks.hasObservers, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
    #expect(!clicks.hasObservers)
    clicks.next(1)
  }
}

private struct Broken: Error {}

@NativeModule(isLinked: false)
private final class Mouse: Sendable {
  private let clicks: Subject<Int>
  init(clicks: Subject<Int>) { self.clicks = clicks }

  @Exported func squares(_ count: Int) -> Observable<Int> { Observable(Array(0..<count)).map { $0 * $0 } }
  @Exported func failing() -> Observable<Int> { Observable([1]).merge(with: .failed(Broken())) }
  @Exported func doubled() -> Observable<Int> { clicks.observable.map { $0 * 2 } }
  @Exported func click(_ number: Int) { clicks.next(number) }
}
