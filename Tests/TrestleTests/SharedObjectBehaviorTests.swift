import EventLoop
import Testing
import Trestle
import TrestleTesting

/// Shared objects written with the macro: where their methods run, in which order, and what is seen of them.
struct SharedObjectBehaviorTests {
  private let modules = ModuleSelection.definitions([Shop.moduleDefinition])

  @Test func objectsOfEveryKindAnswer() async throws {
    try await withTestBridge(modules) { (test) async throws in
      let shown = try await test.bridge.evaluate(
        """
        (async () => {
          const { Shop } = NativeModules;
          const cart = await Shop.cart('mine'), window = await Shop.window(), price = await Shop.price(3);
          cart.put('a');
          cart.put('b', 2);
          const shown = [cart.owner, cart.label(), (await cart.items()).join(), await cart.slowly(2), price.amount, price.text];
          price.text = 'three';
          shown.push(price.text, await window.show(cart), await price.plus(price), await price.later());
          shown.push(await Shop.same(cart, [cart]), await new Promise(resolve => cart.ask(resolve)));
          return shown.map(String);
        })()
        """, as: [String].self)
      #expect(
        shown == ["mine", "mine's", "a,b,b", "4", "3", "", "three", "mine on main", "6", "3", "true", "3"])
      #expect(test.errorTexts == [])
    }
  }

  @Test func callsOfOneObjectStartInOrder() async throws {
    try await withTestBridge(modules) { (test) async throws in
      for kind in ["cart", "heavyCart"] {
        let script = """
          (async () => {
            const carts = await Promise.all(Array.from({ length: 5 }, () => NativeModules.Shop.\(kind)('a')));
            for (let i = 0; i < 2000; i++) i % 7 ? carts[i % 5].put(`${i}`) : carts[i % 5].putSlowly(`${i}`);
            const all = await Promise.all(carts.map(cart => cart.items()));
            return all.every((items, k) => items.length === 400 && items.every((item, i) => item === `${i * 5 + k}`));
          })()
          """
        #expect(try await test.bridge.evaluate(script, as: Bool.self))
      }
      #expect(test.errorTexts == [])
    }
  }

  @Test func errorsReachScriptsAndTheHost() async throws {
    try await withTestBridge(modules) { (test) async throws in
      try await test.run(
        "NativeModules.Shop.cart('a').then(async cart => { cart.refuse(); await cart.refuseLater().catch(e => cart.put(e.code)); })"
      )
      #expect(test.errorTexts.count == 1 && test.errorTexts[0].contains("Cart.refuse: Trouble"))
      let lines = test.queue.lines
      #expect(
        lines.contains("Cart.refuse(Cart)") && lines.contains { $0.hasPrefix("Cart.put(Cart, \"ERR_") }, "\(lines)")
    }
  }

  @Test func modulesAloneTakeAndGiveObjects() async throws {
    let shop = StandaloneModule(Shop.self)
    let value = try await shop.call("cart", "mine")
    let cart = try await shop.call("cart", "mine", as: Cart.self)
    #expect("\(value)" == "Cart" && value != .shared(SharedReference(cart)))
    #expect(try await shop.call("same", .shared(SharedReference(cart)), [.shared(SharedReference(cart))]) == true)
    let error = await #expect(throws: JavaScriptError.self) {
      try await shop.call("same", .shared(SharedReference(Price(1))), [])
    }
    #expect(error?.message == "Shop.same, argument 1 'cart': expected Cart, got Price")
  }
}

private struct Trouble: Error {}

@NativeModule(isLinked: false)
private actor Shop {
  @Exported func cart(_ owner: String) -> Cart { Cart(owner) }
  @Exported func heavyCart(_ owner: String) -> HeavyCart { HeavyCart() }
  @Exported func price(_ amount: Double) -> Price { Price(amount) }
  @Exported func window() -> Window { Window() }
  @Exported func same(_ cart: Cart, _ carts: [Cart]) -> Bool { carts.allSatisfy { $0 === cart } }
}

@SharedObject
private actor Cart {
  @Exported let owner: String
  private var all: [String] = []

  init(_ owner: String) { self.owner = owner }

  @Exported func put(_ item: String, times: Int = 1) {
    preconditionIsolated()
    all += Array(repeating: item, count: times)
  }
  @Exported(.void) func putSlowly(_ item: String) async { all.append(item) }
  @Exported func items() -> [String] { all }
  @Exported func slowly(_ number: Int) async -> Int {
    await Task.yield()
    return number * 2
  }
  @Exported(.sync) nonisolated func label() -> String { owner + "'s" }
  @Exported func ask(success: Callback<Int>) { success(all.count) }
  @Exported(.void) func refuse() throws { throw Trouble() }
  @Exported func refuseLater() async throws { throw Trouble() }
}

/// On an executor of its own.
@SharedObject
private actor HeavyCart {
  private let loop: LoopThread? = try? LoopThread(name: "cart")
  private var all: [String] = []
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop?.loop.asUnownedSerialExecutor() ?? MainActor.sharedUnownedExecutor
  }

  deinit { loop?.stop() }

  @Exported func put(_ item: String) { all.append(item) }
  @Exported(.void) func putSlowly(_ item: String) async { all.append(item) }
  @Exported func items() -> [String] { all }
}

@SharedObject
private final class Price: Sendable {
  @Exported let amount: Double
  private let note = Lock("")
  @Exported var text: String {
    get { note.withLock { $0 } }
    set { note.withLock { $0 = newValue } }
  }

  init(_ amount: Double) { self.amount = amount }

  @Exported func plus(_ other: Price) -> Double { amount + other.amount }
  @Exported func later() async -> Double { amount }
}

@SharedObject @MainActor
private final class Window {
  @Exported func show(_ cart: Cart) -> String {
    MainActor.preconditionIsolated()
    return "\(cart.owner) on main"
  }
}
