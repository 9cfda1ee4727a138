import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct Plugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    NativeModuleMacro.self, SharedObjectMacro.self, InterfaceMacro.self, ExportedMacro.self, RecordMacro.self,
  ]
}
