import ArgumentParser
import CBundledTest
import Trestle
import TrestleModules

/// `trestle types`: what scripts can use, for `tsc` and editors.
struct TypesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types", abstract: "Print TypeScript declarations of what scripts can use.",
    discussion:
      "With them, tsc --strict checks a script: trestle types > trestle.d.ts; tsc --lib ES2022 trestle.d.ts script.ts")

  @Argument(
    help: ArgumentHelp(
      "The modules to declare, beside what every script has; without any, all. Test is what trestle test gives.",
      valueName: "name"))
  var names: [String] = []

  func run() async throws {
    let text = try await ModulesCommand.withBridge { bridge in try await Self.declarations(of: names, in: bridge) }
    Terminal.write(text, to: .output)
  }

  /// What scripts have where they are tested, and there alone.
  static let testDeclarations = "\n" + String(cString: bundled_test_declarations())

  /// What scripts see of the standard modules is not what their definitions say: they have JavaScript of their own.
  static func declarations(of names: [String], in bridge: Bridge) async throws -> String {
    let test = names.contains("Test") ? testDeclarations : ""
    let names = names.isEmpty ? try await bridge.moduleNames() : names.filter { $0 != "Test" }
    try await bridge.requireModules(names)
    let generated = try await bridge.typeDeclarations(of: names.filter { !StandardModules.names.contains($0) })
    return StandardModules.typeDeclarations(of: names) + (generated.isEmpty ? "" : "\n" + generated) + test
  }
}
