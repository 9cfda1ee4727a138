extension _Expansion {
  /// What JavaScript sees of the objects of one Swift type. One instance per type, kept for the life of the process.
  public final class SharedClass: Sendable, Hashable {
    package let name: String
    /// Which class it is, in this process. Never 0.
    let id: UInt32
    /// Its methods, each of which takes the object it is called on first.
    let definition: ModuleDefinition

    private static let all = NumberedTypes<SharedClass>()

    /// - Parameter members: methods. A synchronous one without parameters named `get title` is the property `title`, one with a
    ///   parameter named `set title` assigns to it. Evaluated at first use in each bridge.
    public init<Object: SharedObject>(
      _ name: String, of: Object.Type, documentation: String? = nil, fileID: String = #fileID, line: Int = #line,
      @MemberBuilder<Object> members: @escaping @Sendable () -> [Member<Object>]
    ) {
      self.name = name
      definition = ModuleDefinition(
        name, documentation: documentation, fileID: fileID, line: line, make: { _ in () }
      ) {
        members().compactMap(\.takingReceiver)
      }
      id = Self.all.nextID()
      Self.all[id] = self
    }

    /// The class of that number, if there is one. JavaScript asks for it when it first meets the number.
    static func sharedClass(id: UInt32) -> SharedClass? { all[id] }

    public static func == (one: SharedClass, other: SharedClass) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
}

extension Member where Module: SharedObject {
  /// The same for all objects: the one that it is called on is read first. Nil for what is no method.
  fileprivate var takingReceiver: Member<Void>? {
    guard case .method(let kind, let parameters, let result, let bind) = content else { return nil }
    return Member<Void>(
      name: name, documentation: documentation,
      content: .method(kind: kind, parameters: parameters, result: result) { _ in
        { (call) throws(ConversionError) in
          let object = try call.next(Module.self)
          try bind(object)(&call)
        }
      })
  }
}
