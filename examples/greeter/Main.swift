import Trestle
import TrestleModules

@NativeModule actor Greeter {
  init() {}
  @Exported func greet(_ name: String) -> String { "Hello, \(name)!" }
}

@main struct Program {
  static func main() async throws {
    let bridge = try await Bridge(modules: .standard + .linked)
    try await bridge.evaluate("NativeModules.Greeter.greet('world').then(console.log)")
    await bridge.waitUntilIdle()
    await bridge.close()
  }
}
