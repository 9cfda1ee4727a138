/// The members of a JSON object, in the order in which they were written; names are unique.
///
/// Equality ignores the order. Lookup is a scan up to 16 members, a hash table beyond.
public struct JSONObject: Sendable {
  public struct Member: Sendable, Hashable {
    public let key: String
    public var value: JSONValue

    public init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  private static let scannedCount = 16

  private var members: [Member] = []
  /// Empty up to `scannedCount` members.
  private var positions: [String: Int] = [:]

  public init() {}

  /// Of members with the same name the last value stands, in the place of the first.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    for (key, value) in members { self[key] = value }
  }

  public var keys: [String] { members.map(\.key) }

  /// Setting `nil` removes the member.
  public subscript(key: String) -> JSONValue? {
    get { position(of: key).map { members[$0].value } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): members[position].value = value
      case (let position?, nil): remove(at: position)
      case (nil, let value?): append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  private func position(of key: String) -> Int? {
    if members.count > Self.scannedCount { return positions[key] }
    return members.firstIndex { $0.key == key }
  }

  private mutating func append(_ member: Member) {
    if members.isEmpty { members.reserveCapacity(4) }
    members.append(member)
    if members.count == Self.scannedCount + 1 {
      indexPositions()
    } else if members.count > Self.scannedCount {
      positions[member.key] = members.count - 1
    }
  }

  private mutating func remove(at position: Int) {
    members.remove(at: position)
    indexPositions()
  }

  private mutating func indexPositions() {
    positions.removeAll()
    guard members.count > Self.scannedCount else { return }
    for (position, member) in members.enumerated() { positions[member.key] = position }
  }
}

extension JSONObject: RandomAccessCollection {
  public var startIndex: Int { members.startIndex }
  public var endIndex: Int { members.endIndex }
  public subscript(position: Int) -> Member { members[position] }
}

extension JSONObject: Hashable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(members.reduce(0) { $0 ^ $1.hashValue })
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }
}
