import CJavaScriptCore

/// What went wrong in a script, or on the way to it.
///
/// Everything but the thrown value itself is copied out of the script when the exception is made, so that it can be read
/// on any thread.
public struct JSException: Error, @unchecked Sendable {
  // Unchecked for the sake of `thrown` alone, which `thrownValue(in:)` hands out on its own thread only.

  /// What kind of failure it is.
  public enum Code: Sendable, Equatable {
    /// A script threw.
    case thrown
    /// A limit ended the script.
    case terminated(ExecutionLimits.Exceeded)
    /// The context has been closed.
    case contextClosed
    /// A value of one context was used in another.
    case wrongContext
    /// A value is not of the kind that the operation needs.
    case wrongType
    /// A buffer is detached, shared, or may be resized.
    case buffer
    /// The engine failed without saying why.
    case engine
  }

  public var code: Code
  /// The error's `name`, such as `TypeError`; empty if what was thrown has none.
  public var name: String
  /// The error's `message`; the text of what was thrown if that is no error.
  public var message: String
  /// The error's `code`, where that is a string.
  public var errorCode: String?
  /// The error's `stack`: a line for each frame, the innermost first, `function@source:line:column`. Of a script that cannot be
  /// parsed it begins with the place, at column 0 if that is not known.
  public var stack: String?
  public var sourceURL: String?
  /// From 1.
  public var line: Int?
  /// From 1, in UTF-16 units.
  public var column: Int?
  /// The chain of the error's `cause`, the nearest first, at most eight.
  public var causes: [JSException] = []
  /// The Swift error that was thrown into the script, if this is where it came out again.
  public var underlying: (any Error)?

  /// The script could not be parsed: it never ran.
  package var isUnparsed = false

  private var thrown: JSValue?

  /// An exception that no script threw. Thrown by a host function, it reaches the script as an `Error` of this name.
  public init(_ code: Code = .thrown, _ message: String, name: String = "Error", underlying: (any Error)? = nil) {
    self.code = code
    self.name = name
    self.message = message
    self.underlying = underlying
  }

  static var contextClosed: JSException { JSException(.contextClosed, "the JavaScript context is closed") }

  /// The very value that was thrown: on the context's own thread, `nil` for another context or once it is closed.
  public func thrownValue(in context: JSContext) -> JSValue? {
    guard let thrown, thrown.context === context, !context.isClosed else { return nil }
    return thrown
  }
}

extension JSException: CustomStringConvertible {
  public var description: String {
    let title = name.isEmpty ? message : "\(name): \(message)"
    guard let sourceURL, let line else { return title }
    return "\(title) (\(sourceURL):\(line):\(column ?? 0))"
  }
}

extension JSException {
  private static let causeLimit = 8

  /// What a script threw; or the limit, where that has ended the script's own code that is run to read it.
  init(reading value: JSValue) {
    let exception = JSException(thrown: value)
    self = value.context.endOfTurn ?? exception
  }

  /// Copies what a script threw. Reading it may run the script's own getters.
  init(thrown value: JSValue, chain: Int = JSException.causeLimit) {
    let error = ErrorReader(value)
    self.init(.thrown, error.message, name: error.text("name") ?? "")
    thrown = value
    errorCode = error.text("code")
    stack = error.text("stack")
    sourceURL = error.text("sourceURL")
    line = error.integer("line")
    column = error.integer("column")
    underlying = value.context.carriedError(by: value)
    if chain > 0, let cause = error.cause {
      let first = JSException(thrown: cause, chain: chain - 1)
      causes = [first] + first.causes
    }
  }
}

/// Reads members that may be missing, or throw. What they throw is not read in its turn: that has members, too.
private struct ErrorReader {
  let value: JSValue

  init(_ value: JSValue) { self.value = value }

  private func member(_ name: String) -> JSValue? {
    guard value.isObject else { return nil }
    let member = value.context.quietly { context, exception in
      withJSString(name) { JSObjectGetProperty(context, value.reference, $0, exception) }
    }
    return member.map { JSValue(adopting: $0, in: value.context) }
  }

  func text(_ name: String) -> String? { member(name)?.beginning }
  func integer(_ name: String) -> Int? { member(name)?.number.flatMap { Int(exactly: $0) } }

  var cause: JSValue? {
    guard value.isObject else { return nil }
    let context = value.context
    let name = withJSString("cause") { JSValueMakeString(context.reference, $0) }
    let hasCause = context.quietly { reference, exception in
      var arguments = [value.reference, name]
      return JSObjectCallAsFunction(reference, context.intrinsics.has, nil, 2, &arguments, exception)
    }
    guard let hasCause, !context.isClosed, JSValueToBoolean(context.reference, hasCause) else { return nil }
    return member("cause")
  }

  var message: String {
    if let text = text("message") { return text }
    let text = value.context.quietly { JSValueToStringCopy($0, value.reference, $1) }
    if let text { return String(adoptingBeginningOf: text) }
    return value.kind == .symbol ? "a symbol" : "an object without text"
  }
}
