/// What a tree knows of a subtree without looking into it: a sum over its leaves.
///
/// Laws: `+` is associative, `.zero` its identity, and `-=` undoes `+=`.
protocol Summary: Sendable, Equatable {
  static var zero: Self { get }
  /// The measure by which a tree is sliced: how much of the sequence the subtree covers.
  var length: Int { get }
  static func += (left: inout Self, right: Self)
  static func -= (left: inout Self, right: Self)
}

/// One of the measures that a summary holds, by which a tree can be sought.
///
/// Law: `measure(a + b) == measure(a) + measure(b)`, and never negative.
protocol Dimension<Summary> {
  associatedtype Summary
  static func measure(_ summary: Summary) -> Int
}

/// Which of two adjacent things a position between them belongs to.
package enum Bias: Sendable {
  case left, right
}
