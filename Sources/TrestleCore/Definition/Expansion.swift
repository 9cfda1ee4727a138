/// What the code that macros write names, and what the package's products share. For nobody else: it changes with them.
public enum _Expansion {
  /// Reads the arguments of one call, and answers it or passes it on.
  public typealias Call = (inout Invocation) throws(ConversionError) -> Void
  /// Ties a method to the module instance that it is called on. Run once for each instance, on the JS thread.
  public typealias Bind<Module> = @Sendable (Module) -> Call
}

package typealias ElementKind = _Expansion.ElementKind
package typealias GlobalActorInstance = _Expansion.GlobalActorInstance
package typealias Invocation = _Expansion.Invocation
package typealias ModuleActor = _Expansion.ModuleActor
package typealias ModuleExecutor = _Expansion.ModuleExecutor
package typealias ModuleHome = _Expansion.ModuleHome
package typealias Parameter = _Expansion.Parameter
package typealias RecordShape = _Expansion.RecordShape
package typealias Reply = _Expansion.Reply
package typealias ScriptInterface = _Expansion.ScriptInterface
package typealias ScriptModule = _Expansion.ScriptModule
package typealias SharedClass = _Expansion.SharedClass
package typealias SharedReference = _Expansion.SharedReference
package typealias UnionShape = _Expansion.UnionShape

extension _Expansion {
  /// A module whose methods may have a home of their own, and which nobody but the host may be able to make.
  public static func module<Module>(
    _ name: String, documentation: String? = nil, dependencies: [String] = [], capabilities: Set<Capability> = [],
    needsInstance: Bool = false, home: @escaping @Sendable (Module) -> ModuleHome = { _ in .jsThread },
    fileID: String, line: Int, make: @escaping @Sendable (BridgeContext) throws -> Module,
    @MemberBuilder<Module> members: @escaping @Sendable () -> [Member<Module>]
  ) -> ModuleDefinition {
    ModuleDefinition(
      name, documentation: documentation, dependencies: dependencies, capabilities: capabilities,
      needsInstance: needsInstance, home: home, fileID: fileID, line: line, make: make, members: members)
  }
}
