import ArgumentParser
import Glibc
import Trestle
import TrestleModules

/// `trestle modules`: what scripts find in `NativeModules`.
struct ModulesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modules", abstract: "List the native modules that scripts can use, and their members.")

  func run() async throws {
    var configuration = BridgeConfiguration()
    configuration.capabilities = ScriptRun.capabilities
    let bridge = try await Bridge(
      modules: .standard + .files + .process(script: "", arguments: []) { _ in } + .linked, configuration: configuration
    )
    let lines = try await bridge.evaluate(Self.listing, sourceURL: "trestle:modules.js", as: [String].self)
    await bridge.close()
    for line in lines { Terminal.write(line + "\n", to: STDOUT_FILENO) }
  }

  private static let listing = """
    trestle.moduleNames().map(name => {
      const module = NativeModules[name];
      const members = Object.keys(module).map(key => typeof module[key] === 'function' ? `${key}()` : key);
      return `${name}: ${members.join(', ')}`;
    })
    """
}
