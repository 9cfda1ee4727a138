/// One thing that a module exports: a constant, a method or an event.
///
/// Data: the registry interprets it. `@NativeModule` writes the same members that one can write by hand.
public struct Member<Module>: Sendable {
  enum Content: Sendable {
    case constant(@Sendable (Module, inout ValueWriter) throws -> Void, TypeSchema)
    case method(kind: MethodKind, parameters: [Parameter], result: TypeSchema, bind: _Expansion.Bind<Module>)
    /// `source` is none for an event that the module emits by its name.
    case event(TypeSchema, source: (@Sendable (Module) throws -> EventListening)?)
  }

  package let name: String
  /// What a reader of the declarations is told, in Markdown.
  package let documentation: String?
  let content: Content

  /// A value that is read once for each bridge, when JavaScript first touches the module.
  public static func constant<Value: BridgeEncodable>(
    _ name: String, documentation: String? = nil, _ value: @escaping @Sendable (Module) throws -> Value
  ) -> Member {
    Member(
      name: name, documentation: documentation,
      content: .constant({ module, writer in try value(module).encode(into: &writer) }, Value.typeSchema))
  }

  @_disfavoredOverload
  public static func constant<Value: Encodable & Sendable>(
    _ name: String, documentation: String? = nil, _ value: @escaping @Sendable (Module) throws -> Value
  ) -> Member {
    Member(
      name: name, documentation: documentation,
      content: .constant(
        { module, writer in try EncodedValue(try value(module)).encode(into: &writer) },
        .codable(name: "\(Value.self)")))
  }

  /// A method whose call is written out: what `@NativeModule` makes.
  ///
  /// - Parameter result: what a promise or a synchronous call gives; nothing for the other kinds.
  public static func _method(
    _ name: String, _ kind: MethodKind, _ parameters: [_Expansion.Parameter] = [], documentation: String? = nil,
    bind: @escaping _Expansion.Bind<Module>
  ) -> Member {
    Member(
      name: name, documentation: documentation,
      content: .method(kind: kind, parameters: parameters, result: .void, bind: bind))
  }

  public static func _method<Result: BridgeEncodable>(
    _ name: String, _ kind: MethodKind, _ parameters: [_Expansion.Parameter] = [], result: Result.Type,
    documentation: String? = nil, bind: @escaping _Expansion.Bind<Module>
  ) -> Member {
    Member(
      name: name, documentation: documentation,
      content: .method(kind: kind, parameters: parameters, result: Result.typeSchema, bind: bind))
  }

  @_disfavoredOverload
  public static func _method<Result: Encodable & Sendable>(
    _ name: String, _ kind: MethodKind, _ parameters: [_Expansion.Parameter] = [], result: Result.Type,
    documentation: String? = nil, bind: @escaping _Expansion.Bind<Module>
  ) -> Member {
    let schema = TypeSchema.codable(name: "\(Result.self)")
    return Member(
      name: name, documentation: documentation,
      content: .method(kind: kind, parameters: parameters, result: schema, bind: bind))
  }

  /// An event that the module emits by its name (`BridgeContext.emit`), with the type of its value.
  public static func event<Value: BridgeEncodable>(
    _ name: String, _: Value.Type, documentation: String? = nil
  ) -> Member {
    Member(name: name, documentation: documentation, content: .event(Value.typeSchema, source: nil))
  }
}

/// Collects the members of a module definition.
@resultBuilder
public enum MemberBuilder<Module> {
  public static func buildExpression(_ member: Member<Module>) -> [Member<Module>] { [member] }
  public static func buildExpression(_ members: [Member<Module>]) -> [Member<Module>] { members }
  public static func buildBlock(_ members: [Member<Module>]...) -> [Member<Module>] { members.flatMap { $0 } }
  public static func buildArray(_ members: [[Member<Module>]]) -> [Member<Module>] { members.flatMap { $0 } }
  public static func buildOptional(_ members: [Member<Module>]?) -> [Member<Module>] { members ?? [] }
  public static func buildEither(first members: [Member<Module>]) -> [Member<Module>] { members }
  public static func buildEither(second members: [Member<Module>]) -> [Member<Module>] { members }
}
