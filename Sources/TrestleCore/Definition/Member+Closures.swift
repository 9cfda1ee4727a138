/// Methods from closures, for modules that are written without macros.
///
/// The closures' types are the methods' signatures; `names` are their parameters' names, for messages and declarations.
/// A parameter that JavaScript may leave out has an optional type.
extension Member {
  /// A method that runs on the JS thread and answers with a promise.
  public static func promise<each Argument: BridgeDecodable, Result: BridgeEncodable>(
    _ name: String, _ names: String...,
    body: @escaping @Sendable (Module, repeat each Argument) throws -> Result
  ) -> Member {
    .method(name, .promise, parameters(names, (repeat each Argument).self), result: Result.self) { module in
      { (call) throws(ConversionError) in
        let arguments = (repeat try call.next((each Argument).self))
        call.answer { try body(module, repeat each arguments) }
      }
    }
  }

  private static func parameters<each Argument: BridgeDecodable>(
    _ names: [String], _: (repeat each Argument).Type
  ) -> [Parameter] {
    var parameters: [Parameter] = []
    for type in repeat (each Argument).self {
      let index = parameters.count
      parameters.append(Parameter(index < names.count ? names[index] : "argument\(index + 1)", type))
    }
    return parameters
  }
}
