import ArgumentParser
import Trestle
import TrestleModules

/// `trestle modules`: what scripts find in `NativeModules`.
struct ModulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modules", abstract: "List the native modules that scripts can use, and their members.")

  @Flag(help: "Print all that is known of them as one JSON object, see trestle(1).")
  var json = false

  func run() async throws {
    let text = try await Self.withBridge { bridge in
      json ? try await description(of: bridge).description : try await ModuleListing(of: bridge).text
    }
    Terminal.write(text + "\n", to: .output)
  }

  /// Lends a bridge with all modules that scripts find.
  ///
  /// - Throws: for one that is not there, a mistake in the command's arguments.
  static func withBridge<Result: Sendable>(_ body: (Bridge) async throws -> Result) async throws -> Result {
    var configuration = BridgeConfiguration()
    configuration.capabilities = ScriptRun.capabilities
    let bridge = try await Bridge(
      modules: .standard + .files + .processes + .sqlite + .process(script: "", arguments: []) { _ in } + .workers()
        + .linked,
      configuration: configuration)
    do {
      let result = try await body(bridge)
      await bridge.close()
      return result
    } catch {
      await bridge.close()
      throw (error as? BridgeError).map { ValidationError($0.message) } ?? error
    }
  }

  /// Our own schema, and beside it React Native's table.
  private func description(of bridge: Bridge) async throws -> JSONValue {
    let schemas = try await bridge.moduleSchemas().object ?? [:]
    let table = try await bridge.configTable().object ?? [:]
    return .object(JSONObject((Array(schemas) + Array(table)).map { ($0.key, $0.value) }))
  }
}
