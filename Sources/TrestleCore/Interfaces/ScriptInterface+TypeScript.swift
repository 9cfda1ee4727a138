extension ScriptInterface {
  var namedTypes: [TypeSchema] {
    makeFunctions().flatMap { $0.parameters.flatMap(\.schema.namedTypes) + ($0.result?.namedTypes ?? []) }
  }
}

extension TypeDeclarations {
  /// What a script implements.
  func declaration(of interface: ScriptInterface) -> String {
    let functions = interface.makeFunctions().map { function in
      DocComment(function.documentation).text(indentation: "  ") + "  \(signature(of: function));\n"
    }
    return DocComment(interface.documentation).text()
      + "interface \(interface.name.scriptIdentifier) {\n\(functions.joined())}\n"
  }

  private func signature(of function: ScriptInterface.Function) -> String {
    let parameters = function.parameters.map { "\($0.name.scriptIdentifier): \($0.schema.scriptType(names))" }
    let result = function.result?.scriptType(names, isArgument: true)
    return "\(function.name.scriptMemberName)(\(parameters.joined(separator: ", "))): "
      + (result.map { "\($0) | Promise<\($0)>" } ?? "void")
  }
}
