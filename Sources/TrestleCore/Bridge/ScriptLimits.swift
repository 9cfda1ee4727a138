import JSEngine

/// What the scripts of one bridge may use, for bridges that they open: workers.
package struct ScriptLimits: Sendable {
  private let execution: ExecutionLimits?
  private let configuration: BridgeConfiguration

  init(execution: ExecutionLimits?, configuration: BridgeConfiguration) {
    self.execution = execution
    self.configuration = configuration
  }

  /// Of each limit the narrower one holds; the total time is one for both, and so are the calls that wait and what shared objects
  /// keep.
  package func narrow(_ other: inout BridgeConfiguration) {
    if let execution { other.limits = other.limits.map { $0.narrowed(to: execution) } ?? execution }
    other.messageLimit = min(other.messageLimit, configuration.messageLimit)
    other.stringLimit = min(other.stringLimit, configuration.stringLimit)
    other.nestingLimit = min(other.nestingLimit, configuration.nestingLimit)
    let isNarrower = other.sharedMemoryLimit < configuration.sharedMemoryLimit
    other.memoryBudget =
      isNarrower
      ? MemoryBudget(limit: other.sharedMemoryLimit, within: configuration.memoryBudget) : configuration.memoryBudget
    other.sharedMemoryLimit = min(other.sharedMemoryLimit, configuration.sharedMemoryLimit)
    other.callLimit = min(other.callLimit, configuration.callLimit)
    other.callBudget = configuration.callBudget
    other.permissionGate = configuration.permissionGate
    other.allowsWebAssembly = other.allowsWebAssembly && (execution == nil || configuration.allowsWebAssembly)
  }
}

/// For native code that scripts wait for. On the JS thread; true once the bridge is closed.
extension BridgeContext {
  /// Whether the turn has been ended, or is past its time. Costs a clock read.
  package var isTurnOver: Bool {
    bridge.value?.assumeIsolated { try? $0.openRuntime().context.gate.isTurnOver() } ?? true
  }

  /// Whether the process uses more memory than it may, looked at now.
  package var isMemoryUsedUp: Bool {
    bridge.value?.assumeIsolated { try? $0.openRuntime().context.gate.isMemoryUsedUp() } ?? true
  }
}

extension BridgeContext {
  /// On the JS thread; nil once the bridge is closed.
  package var scriptLimits: ScriptLimits? { bridge.value?.assumeIsolated { try? $0.openRuntime().scriptLimits } }
}
