/// What a tree knows of a subtree without looking into it: a sum over its leaves, in their order.
///
/// Laws: `+` is associative, `.zero` its identity. Nothing undoes it: a summary may hold a maximum.
protocol Summary: BitwiseCopyable, Sendable, Equatable {
  /// The measures it holds, by each of which a tree can be sought. A value and not a type parameter: generic code that the compiler
  /// cannot specialize across modules is forty times slower.
  associatedtype Dimension
  static var zero: Self { get }
  /// The measure by which a tree is sliced: how much of the sequence the subtree covers.
  var length: Int { get }
  /// Law: `(a + b).measure(d) == a.measure(d) + b.measure(d)`, and never negative.
  func measure(_ dimension: Dimension) -> Int
  static func += (left: inout Self, right: Self)
}

/// Which of two adjacent things a position between them belongs to.
package enum Bias: Sendable {
  case left, right
}
