import EventLoop

extension _Expansion {
  /// The members of a record type, in order, under a number that both sides of the wire use for it.
  ///
  /// One instance per type, kept for the life of the process: a record type's `static let`.
  public final class RecordShape: Sendable, Hashable {
    /// One member: its name and type. A member that is missing in JavaScript reads as `undefined`.
    public struct Member: Sendable {
      package let name: String
      package let schema: TypeSchema
      /// Whether JavaScript may leave it out.
      package let isOptional: Bool
      /// What a reader of the declarations is told, in Markdown.
      package let documentation: String?

      /// - Parameter hasDefault: the Swift property has an initial value.
      public init<Value: BridgeDecodable>(
        _ name: String, _: Value.Type, hasDefault: Bool = false, documentation: String? = nil
      ) {
        self.init(name: name, schema: Value.typeSchema, hasDefault: hasDefault, documentation: documentation)
      }

      @_disfavoredOverload
      public init<Value: Decodable & Sendable>(
        _ name: String, _: Value.Type, hasDefault: Bool = false, documentation: String? = nil
      ) {
        let schema = TypeSchema.codable(name: "\(Value.self)")
        self.init(name: name, schema: schema, hasDefault: hasDefault, documentation: documentation)
      }

      /// The member that a property is.
      public init<Root, Value: BridgeDecodable>(
        _ name: String, _: KeyPath<Root, Value>, hasDefault: Bool = false, documentation: String? = nil
      ) {
        self.init(name, Value.self, hasDefault: hasDefault, documentation: documentation)
      }

      @_disfavoredOverload
      public init<Root, Value: Decodable & Sendable>(
        _ name: String, _: KeyPath<Root, Value>, hasDefault: Bool = false, documentation: String? = nil
      ) {
        self.init(name, Value.self, hasDefault: hasDefault, documentation: documentation)
      }

      init(name: String, schema: TypeSchema, hasDefault: Bool, documentation: String?) {
        self.name = name
        self.schema = schema
        self.documentation = documentation
        if case .optional = schema { isOptional = true } else { isOptional = hasDefault }
      }
    }

    package let name: String
    /// What a reader of the declarations is told, in Markdown.
    package let documentation: String?
    /// Which shape it is, in this process. Never 0.
    @usableFromInline package let id: UInt32
    private let makeMembers: @Sendable () -> [Member]
    private let cached = Lock<[Member]?>(nil)

    /// - Parameter members: evaluated at first use, so that a record may hold records of its own type.
    public init(_ name: String, documentation: String? = nil, members: @escaping @Sendable () -> [Member]) {
      self.name = name
      self.documentation = documentation
      makeMembers = members
      id = Self.all.nextID()
      Self.all[id] = self
    }

    package var members: [Member] {
      if let members = cached.withLock({ $0 }) { return members }
      let members = makeMembers()
      cached.withLock { $0 = members }
      return members
    }

    @usableFromInline var memberNames: [String] { members.map(\.name) }

    private static let all = NumberedTypes<RecordShape>()

    /// The shape of that number, if there is one. JavaScript asks for it when it first meets the number.
    static func shape(id: UInt32) -> RecordShape? { all[id] }

    public static func == (one: RecordShape, other: RecordShape) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }
}

extension _Expansion {
  /// The cases of an enumeration with payloads: in JavaScript, objects with a member that names the case.
  public final class UnionShape: Sendable, Hashable {
    /// One case and the members that its objects have beside the discriminator.
    public struct Case: Sendable {
      package let name: String
      package let members: [RecordShape.Member]
      /// What a reader of the declarations is told, in Markdown.
      package let documentation: String?

      public init(_ name: String, _ members: [RecordShape.Member] = [], documentation: String? = nil) {
        self.name = name
        self.members = members
        self.documentation = documentation
      }
    }

    package let name: String
    /// What a reader of the declarations is told, in Markdown.
    package let documentation: String?
    /// The member that tells the cases apart.
    package let discriminator: String
    /// Which union it is, in this process. Never 0.
    let id: UInt32
    private let makeCases: @Sendable () -> [Case]
    private let cached = Lock<[Case]?>(nil)

    public init(
      _ name: String, discriminator: String = "type", documentation: String? = nil,
      cases: @escaping @Sendable () -> [Case]
    ) {
      self.name = name
      self.documentation = documentation
      self.discriminator = discriminator
      makeCases = cases
      id = Self.all.nextID()
      Self.all[id] = self
    }

    private static let all = NumberedTypes<UnionShape>()

    /// The union of that number, if there is one. JavaScript asks for it when it first meets the number.
    static func union(id: UInt32) -> UnionShape? { all[id] }

    package var cases: [Case] {
      if let cases = cached.withLock({ $0 }) { return cases }
      let cases = makeCases()
      cached.withLock { $0 = cases }
      return cases
    }

    func memberNames(ofCase name: String) -> [String]? {
      cases.first { $0.name == name }?.members.map(\.name)
    }

    public static func == (one: UnionShape, other: UnionShape) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}
