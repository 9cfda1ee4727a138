import Trestle

/// What React Native's `ExceptionsManager` reports: an error that no script handles, or one that it wants to be known.
public struct ReportedException: Error, Sendable, CustomStringConvertible {
  /// Name, message and stack.
  public var error: JavaScriptError
  /// React Native's own host ends the program then.
  public var isFatal: Bool
  /// Numbered by JavaScript.
  public var id: Int
  /// Tells more of what was reported under this number before, such as a stack that was traced back to the sources.
  public var isUpdate = false
  /// Of React components.
  public var componentStack: String?
  /// What else JavaScript tells of it.
  public var extraData: JSONValue?

  public var description: String { error.description }
}

extension ReportedException: WrappingError {
  package var wrapped: JavaScriptError { error }
}

extension ModuleDefinition {
  /// Tells the bridge's `onError` what JavaScript reports.
  static let exceptionsManager = ModuleDefinition("ExceptionsManager", make: { $0 }) {
    Member<BridgeContext>.void("reportException", "data") { (context, data: ExceptionData) in
      context.report(data.exception)
    }
    Member<BridgeContext>.void("reportFatalException", "message", "stack", "id") {
      (context, message: String, stack: [ExceptionFrame], id: Int) in
      context.report(ReportedException(message, stack, isFatal: true, id: id))
    }
    Member<BridgeContext>.void("reportSoftException", "message", "stack", "id") {
      (context, message: String, stack: [ExceptionFrame], id: Int) in
      context.report(ReportedException(message, stack, isFatal: false, id: id))
    }
    Member<BridgeContext>.void("updateExceptionMessage", "message", "stack", "id") {
      (context, message: String, stack: [ExceptionFrame], id: Int) in
      var exception = ReportedException(message, stack, isFatal: false, id: id)
      exception.isUpdate = true
      context.report(exception)
    }
    // There is no box to dismiss.
    Member<BridgeContext>.void("dismissRedbox") { _ in }
  }
}

/// A line of a stack as React Native's JavaScript has read it.
@Record struct ExceptionFrame {
  var file: String?
  var methodName: String?
  var lineNumber: Double?
  var column: Double?

  /// As the engine writes it.
  fileprivate var line: String {
    guard let file else { return methodName ?? "" }
    let numbers = [lineNumber, column].compactMap { $0.flatMap(Int.init(exactly:)) }
    return (["\(methodName ?? "")@\(file)"] + numbers.map(String.init)).joined(separator: ":")
  }
}

/// What `reportException` is given.
@Record struct ExceptionData {
  var message: String
  /// As it was before JavaScript put more into it.
  var originalMessage: String?
  var name: String?
  var componentStack: String?
  var stack: [ExceptionFrame]
  var id: Int
  var isFatal: Bool
  var extraData: JSONValue?

  fileprivate var exception: ReportedException {
    var exception = ReportedException(originalMessage ?? message, stack, isFatal: isFatal, id: id)
    exception.error.name = name ?? "Error"
    exception.componentStack = componentStack
    exception.extraData = extraData
    return exception
  }
}

extension ReportedException {
  fileprivate init(_ message: String, _ frames: [ExceptionFrame], isFatal: Bool, id: Int) {
    error = JavaScriptError(message: message, stack: frames.map(\.line).joined(separator: "\n"))
    self.isFatal = isFatal
    self.id = id
  }
}
