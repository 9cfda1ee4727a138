import Glibc
import Trestle

/// Says which modules are linked, loads the shared libraries that it is given, and asks for the weather.
@main
struct Host {
  static func main() async throws {
    let bridge = try await Bridge(modules: .linked)
    var known = ModuleDefinition.linked.map(\.name)
    print("linked:", known)
    for library in CommandLine.arguments.dropFirst() {
      guard dlopen(library, RTLD_NOW | RTLD_LOCAL) != nil else { return print(String(cString: dlerror())) }
      for module in ModuleDefinition.linked where !known.contains(module.name) {
        try await bridge.register(module)
        known.append(module.name)
        print("loaded:", module.name, "of", module.origin)
      }
    }
    let script =
      "NativeModules.Weather.temperature('Rome').then(report => NativeModules.Weather.station + report.degrees)"
    print(try await bridge.evaluate(script, as: String.self))
    await bridge.close()
  }
}
