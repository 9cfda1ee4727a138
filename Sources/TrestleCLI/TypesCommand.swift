import ArgumentParser
import Glibc
import Trestle
import TrestleModules

/// `trestle types`: what scripts can use, for `tsc` and editors.
struct TypesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types", abstract: "Print TypeScript declarations of all that scripts can use.",
    discussion:
      "With them, tsc --strict checks a script: trestle types > trestle.d.ts; tsc --lib ES2022 trestle.d.ts script.ts")

  func run() async throws {
    var configuration = BridgeConfiguration()
    configuration.capabilities = ScriptRun.capabilities
    let bridge = try await Bridge(modules: .linked, configuration: configuration)
    let linked = try await bridge.typeDeclarations()
    await bridge.close()
    Terminal.write(StandardModules.typeDeclarations + (linked.isEmpty ? "" : "\n" + linked), to: STDOUT_FILENO)
  }
}
