import TestSupport

@testable import TrestleCore

/// Calls `body` with a bridge that finds these modules in memory.
///
/// - Parameter time: of the processor's, that each turn has.
func withModules<Result: Sendable>(
  _ sources: [String: String], time: Duration? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
  _ body: (Bridge) async throws -> Result
) async throws -> Result {
  try await withBridge([]) {
    $0.moduleLoader = loader(of: sources.merging(["/warm.mjs": "await 0"]) { a, _ in a })
    if let onError { $0.onError = onError }
  } _: { bridge, _ in
    if let time {
      // The loader itself takes a while the first time.
      try await bridge.importModule("/warm.mjs")
      try await bridge.setLimits(ofCPU(time))
    }
    return try await body(bridge)
  }
}

func loader(of sources: [String: String]) -> FileModuleLoader {
  FileModuleLoader(given: .init(uniqueKeysWithValues: sources.map { ($0, ModuleSource($1, format: .init(of: $0))) }))
}

/// As measured on the clock it would end what waits for a busy machine.
func ofCPU(_ time: Duration) -> ExecutionLimits {
  var limits = ExecutionLimits(time: time)
  limits.timeOnClock = .seconds(600)
  return limits
}

extension ModuleSource.Format {
  fileprivate init(of key: String) {
    self = key.hasSuffix(".cjs") ? .commonJS : key.hasSuffix(".json") ? .json : key.hasSuffix(".js") ? .script : .module
  }
}
