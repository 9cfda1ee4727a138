import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion

@testable import TrestleMacros

/// What the macros make of a source text.
struct Expansion {
  let text: String
  /// Each as `line:column message`, notes and fix-its after it.
  let mistakes: [String]

  init(of source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Sample", fullFilePath: "Sample.swift")])
    let specs = [
      "NativeModule": MacroSpec(
        type: NativeModuleMacro.self,
        conformances: ["NativeModule", "_Expansion.LinkedModule", "_Expansion.ModuleActor"]),
      "SharedObject": MacroSpec(
        type: SharedObjectMacro.self, conformances: ["SharedObject", "_Expansion.ModuleActor"]),
      "JSInterface": MacroSpec(type: InterfaceMacro.self),
      "Exported": MacroSpec(type: ExportedMacro.self),
      "Record": MacroSpec(type: RecordMacro.self, conformances: ["BridgeDecodable", "BridgeEncodable", "Sendable"]),
    ]
    let expanded = file.expand(
      macroSpecs: specs,
      contextGenerator: { node in
        BasicMacroExpansionContext(sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
      },
      indentationWidth: .spaces(2))
    text = expanded.description
    mistakes = context.diagnostics.flatMap { diagnostic in
      let place = context.location(for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "")
      let notes = diagnostic.notes.map { note in
        let place = context.location(for: note.position, anchoredAt: note.node, fileName: "")
        return "note \(place.line): \(note.message)"
      }
      let fixes = diagnostic.fixIts.map { "fix: \($0.result)" }
      return ["\(place.line):\(place.column) \(diagnostic.message)"] + notes + fixes
    }
  }

  /// The lines that are in `text` one after another, whatever their common indentation.
  func contains(_ lines: String) -> Bool {
    func stripped(_ text: String) -> String {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
    }
    return stripped(text).contains(stripped(lines))
  }
}

extension FixIt {
  /// The text that stands there when the fix-it is applied.
  fileprivate var result: String {
    changes.map { change in
      switch change {
      case .replace(_, let new): new.trimmedDescription
      default: "?"
      }
    }.joined()
  }
}
