import Glibc
import Trestle
import TrestleModules

/// One run of a script in a bridge of its own.
struct ScriptRun {
  let script: Script
  let arguments: [String]
  let timeout: Duration?
  /// In bytes.
  let memoryLimit: Int?

  /// Returns when nothing is left to do. An error that the script does not handle ends the process at once.
  func run() async -> ExitStatus {
    let deadline = timeout.map { endProcess(after: $0) }
    defer { deadline?.cancel() }
    do {
      let bridge = try await Bridge(modules: .standard + .files + process + .linked, configuration: configuration)
      try await bridge.evaluate(script.text, sourceURL: script.name)
      await bridge.waitUntilIdle()
      await bridge.close()
    } catch { fail(error) }
    return .success
  }

  private var process: ModuleSelection {
    .process(script: script.name, arguments: arguments) { code in ExitStatus(code: code).exit() }
  }

  /// A script that the user runs may do what the user may.
  static let capabilities: Set<Capability> = [.files, .processes, .network]

  private var configuration: BridgeConfiguration {
    var configuration = BridgeConfiguration()
    configuration.name = "trestle"
    configuration.capabilities = Self.capabilities
    configuration.limits = memoryLimit.map { ExecutionLimits(residentMemory: $0) }
    configuration.isDevelopment = true
    configuration.onError = { [self] error in fail(error) }
    return configuration
  }

  /// Says what happened and ends the process: whichever thread it happens on, nothing else runs after it.
  private func fail(_ error: any Error) -> Never {
    let report = ErrorReport(error).rendered(hasColor: Terminal.hasColor) { name in
      name == script.name ? script.text : try? Script(file: name).text
    }
    Terminal.write(report)
    let isMemory = (error as? JSException)?.code == .terminated(.residentMemory)
    (isMemory ? ExitStatus.memoryLimit : .uncaughtError).exit()
  }

  /// A script may be in an endless loop by then: only ending the process is sure to end it.
  private func endProcess(after timeout: Duration) -> Task<Void, any Error> {
    Task.detached {
      try await Task.sleep(for: timeout)
      Terminal.write("trestle: \(script.name) has not ended after \(timeout)\n")
      ExitStatus.timeout.exit()
    }
  }
}
