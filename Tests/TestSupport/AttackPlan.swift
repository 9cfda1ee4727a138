/// What a replaced built-in does when it is asked for something (see `attackHarness`).
public enum AttackKind: String, CaseIterable, Sendable {
  /// Watches, and otherwise does what the built-in does.
  case watching
  /// Throws when it is read, written or called.
  case throwing
  /// Never returns: a limit ends it.
  case endless
  /// Calls modules again and again: a limit ends it wherever it is.
  case tireless
  /// Calls modules meanwhile.
  case reentering
  /// Answers nonsense.
  case lying
  /// Gives an object where nothing is, on the prototypes that all inherit from; otherwise does what the built-in does. Few
  /// properties are of that sort, so that none is passed over.
  case planting

  public var isEnded: Bool { self == .endless || self == .tireless }
  /// Whoever asks is answered as ever.
  public var isTrue: Bool { self == .watching || self == .reentering || self == .planting }
}

/// Which properties are to be replaced together: all that there are, in groups, as hardly any is ever asked for something. What
/// is asked is then attacked alone, and the rest of its group once more.
public struct AttackPlan: Sendable {
  private var waiting: [[Int]] = []
  private let strideAlone: Int
  /// How many were there for as long as features were used.
  public private(set) var tried = 0
  /// How many attacks were asked for something.
  public private(set) var hits = 0

  /// - Parameters:
  ///   - stride: one group in so many is tried, from the one of number `first` on.
  ///   - strideAlone: the same of those that are to be attacked alone.
  public init(count: Int, inGroupsOf size: Int, stride: Int, first: Int, strideAlone: Int) {
    self.strideAlone = strideAlone
    for start in Swift.stride(from: first % stride * size, to: count, by: size * stride).reversed() {
      waiting.append(Array(start..<min(start + size, count)))
    }
  }

  public mutating func next() -> [Int]? { waiting.popLast() }

  /// - Parameter asked: those of `group` that were asked for something.
  public mutating func note(_ group: [Int], asked: [Int]) {
    hits += asked.count
    if group.count == 1 || asked.isEmpty { return tried += group.count }
    let rest = group.filter { !asked.contains($0) }
    for index in asked where index % strideAlone == 0 { waiting.append([index]) }
    if !rest.isEmpty { waiting.append(rest) }
  }
}
