extension ValueWriter {
  /// Any error, as JavaScript shall see it.
  mutating func append(error: any Error) {
    append(.error)
    append(String(describing: type(of: error)))
    append(String(describing: error))
    append(.undefined)
    append(.undefined)
    append(.object)
    append(.undefined)
  }
}
