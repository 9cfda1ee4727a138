/// The words for what went wrong, found by walking the record again along the schema.
extension ConversionError {
  /// What JavaScript is told of arguments that do not convert: `Files.read, argument 2 'options.encoding': expected
  /// "utf8" | "latin1", got number 3`.
  ///
  /// - Parameters:
  ///   - arguments: a reader at the first argument, with the start that the failed reader had.
  ///   - count: how many arguments JavaScript passed.
  func described(
    of method: MethodReference, parameters: [Parameter], arguments: consuming ValueReader, count: Int
  ) -> BridgeError {
    if let words = parameters.misfit(ofCount: count) { return BridgeError(.argument, "\(method): \(words)") }
    let failure = arguments.sideValues.takeDecodingFailure()
    for (index, parameter) in parameters.prefix(count).enumerated() {
      let words = words(for: parameter, in: &arguments, failure)
      guard let words else { continue }
      return BridgeError(code, "\(method), argument \(index + 1) \(words)", cause: failure)
    }
    return BridgeError(code, "\(method): the arguments do not convert (\(reason))")
  }

  /// The same for one value: what a JavaScript function returned, or an event brought.
  ///
  /// - Parameter name: stands for the value in messages, as in `plugin.transform, 'result[2]': expected …`.
  func described(
    of source: String, named name: String, schema: TypeSchema, value: consuming ValueReader
  ) -> BridgeError {
    let failure = value.sideValues.takeDecodingFailure()
    let parameter = Parameter(name: name, schema: schema, hasDefault: false)
    let words = words(for: parameter, in: &value, failure)
    return BridgeError(code, "\(source), \(words ?? "'\(name)': does not convert (\(reason))")", cause: failure)
  }

  private var code: BridgeError.Code { reason == .malformed ? .malformed : .argument }

  /// - Returns: nil if the next value is not the one that failed; then the reader stands behind it.
  private func words(
    for parameter: Parameter, in reader: inout ValueReader, _ failure: (any Error)?
  ) -> String? {
    let (name, schema) = (parameter.name, parameter.schema)
    let first = reader.copy()
    do {
      var validator = SchemaValidator()
      let misfit = try validator.misfit(of: schema, isOptional: parameter.isOptional, in: &reader)
      if let misfit { return misfit.words(named: name) }
      guard first.byteOffset..<reader.byteOffset ~= byteOffset else { return nil }
      if let failure { return failure.words(named: name) }
      // It fits the schema, but its type refused it.
      validator = SchemaValidator(culprit: byteOffset)
      var again = first.copy()
      if let misfit = try validator.misfit(of: schema, in: &again) { return misfit.words(named: name) }
      return "'\(name)': expected \(schema.expectedDescription), got \(first.nextDescription())"
    } catch {
      return "'\(name)': \(error.reason == .tooDeep ? BridgeError.tooDeep.message : "malformed value")"
    }
  }
}

extension SchemaValidator.Misfit {
  fileprivate func words(named name: String) -> String { "'\(name)\(path.description)': \(words)" }
}

extension [Parameter] {
  /// What is wrong with that number of arguments, if anything.
  func misfit(ofCount count: Int) -> String? {
    let fewest = (lastIndex { !$0.isOptional } ?? -1) + 1
    guard count < fewest || count > self.count else { return nil }
    let expected =
      fewest == self.count ? "\(self.count)" : "\(fewest) to \(self.count)"
    return "expected \(expected) argument\(self.count == 1 ? "" : "s"), got \(count)"
  }
}

extension SideValues {
  /// The failure of the last `Codable` value, once.
  fileprivate final func takeDecodingFailure() -> (any Error)? {
    defer { decodingFailure = nil }
    return decodingFailure
  }
}

extension Error {
  /// Where and why a `Codable` value refused what it was given.
  fileprivate func words(named name: String) -> String {
    guard let context = (self as? DecodingError)?.context else { return "'\(name)': \(self)" }
    var path = ValuePath()
    for key in context.codingPath { path.append(key.intValue.map { .index($0) } ?? .key(key.stringValue)) }
    if case .keyNotFound(let key, _)? = self as? DecodingError { path.append(.key(key.stringValue)) }
    return "'\(name)\(path.description)': \(context.debugDescription)"
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: nil
    }
  }
}
