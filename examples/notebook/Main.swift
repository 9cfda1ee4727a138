import Glibc
import Trestle
import TrestleModules
import TrestleObservables

/// Runs a script that keeps notes: `Notebook script.js`. With `--types` prints what the script is checked by.
@main
struct Program {
  static func main() async throws {
    var configuration = BridgeConfiguration()
    configuration.onError = { error in
      print(error)
      exit(1)
    }
    let bridge = try await Bridge(modules: .standard + .linked, configuration: configuration)
    if CommandLine.arguments.last == "--types" {
      let types = try await bridge.typeDeclarations(of: ["Notebook"], interfaces: [FormatterProxy.self])
      print(types, terminator: "")
    } else if let path = CommandLine.arguments.dropFirst().first {
      try await bridge.evaluate(file: path)
      await bridge.waitUntilIdle()
      // The other way round: the script has registered what it does for the program.
      print(try await FormatterProxy(bridge).format(Change(title: "all", lines: 3)))
    }
    await bridge.close()
  }
}
