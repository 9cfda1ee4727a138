import ArgumentParser
import Trestle
import TrestleModules

/// `trestle mock`: stand-ins for native modules, for tests of scripts.
struct MockCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mock", abstract: "Print a script that mocks native modules, for tests of scripts.",
    discussion: """
      It runs in any engine before the script under test, and needs no native code: trestle mock Files > mocks.js. A test then says \
      NativeMocks.modules.Files.readText.mockResolvedValue('text').
      """)

  @Flag(help: "Print its declarations instead, for tsc beside those of trestle types.")
  var types = false

  @Argument(help: ArgumentHelp("The modules; without any, all that can be mocked.", valueName: "name"))
  var names: [String] = []

  func run() async throws {
    let names = names.isEmpty ? nil : names
    let text = try await ModulesCommand.withBridge { bridge in
      types ? try await bridge.mockDeclarations(of: names) : try await bridge.mockScript(of: names)
    }
    Terminal.write(text, to: .output)
  }
}
