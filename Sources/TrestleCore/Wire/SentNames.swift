/// The names of events that JavaScript has been sent, which go by number from then on: there, a string that was just made
/// costs as much to look up as the rest of its event. On the JS thread.
struct SentNames {
  private var numbers: [String: UInt32] = [:]
  private var last: (name: String, number: UInt32)?
  /// Names made up by the program may be without end: so many are kept.
  var limit: UInt32 = 1024

  /// - Returns: nil if no more names are kept.
  mutating func number(of name: String) -> (number: UInt32, isNew: Bool)? {
    if let last, last.name == name { return (last.number, false) }
    let known = numbers[name]
    guard let number = known ?? (numbers.count < limit ? UInt32(numbers.count) : nil) else { return nil }
    if known == nil { numbers[name] = number }
    last = (name, number)
    return (number, known == nil)
  }

  /// Some of the names may not have been sent after all: they are all sent anew.
  mutating func forget() {
    numbers = [:]
    last = nil
  }
}

extension ValueWriter {
  /// A string value that is likely to come again.
  mutating func append(name: String, among names: inout SentNames) {
    guard let (number, isNew) = names.number(of: name) else { return append(name) }
    append(.name, low: number << 1 | (isNew ? 1 : 0))
    if isNew { append(name) }
  }
}
