import ArgumentParser
import Trestle
import TrestleModules

/// `trestle modules`: what scripts find in `NativeModules`.
struct ModulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modules", abstract: "List the native modules that scripts can use.")

  func run() async throws {
    for name in ModuleDefinition.linked.map(\.name).sorted() { print(name) }
  }
}
