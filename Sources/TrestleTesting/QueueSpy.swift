import EventLoop
import TrestleCore

/// What went over a bridge's message queue, in order. From any thread.
///
/// A call that JavaScript refuses by itself, as its arguments do not fit, never gets as far as the queue.
public final class QueueSpy: Sendable {
  /// One message.
  public enum Message: Sendable, Equatable, CustomStringConvertible {
    /// JavaScript calls a method.
    case call(Call)
    /// The answer to a call: of a promise, of a callback, or of a synchronous call.
    case answer(to: Call, JavaScriptValue)
    /// An error for the answer, or what a failure callback was given.
    case failure(of: Call, JavaScriptValue)
    case event(String, JavaScriptValue)
    /// Native code calls a JavaScript function.
    case callOfJavaScript(path: String, arguments: [JavaScriptValue])

    /// `Files.readText("a")`, `Files.readText → "text"`, `Files.readText ✗ Error: …`.
    public var description: String {
      switch self {
      case .call(let call): call.description
      case .answer(let call, let value): "\(call.place) → \(value)"
      case .failure(let call, let value): "\(call.place) ✗ \(value)"
      case .event(let name, let value): "event \(name) \(value)"
      case .callOfJavaScript(let path, let arguments): "→ \(Call(function: path, arguments))"
      }
    }
  }

  /// A call of a module's method. Callbacks are among the arguments; what may be left out and was is not, at the end.
  public struct Call: Sendable, Equatable, CustomStringConvertible {
    public var module: String
    public var method: String
    public var arguments: [JavaScriptValue]

    public init(_ module: String, _ method: String, _ arguments: JavaScriptValue...) {
      self.init(module: module, method: method, arguments: arguments)
    }

    public init(module: String, method: String, arguments: [JavaScriptValue]) {
      (self.module, self.method, self.arguments) = (module, method, arguments)
    }

    fileprivate init(function path: String, _ arguments: [JavaScriptValue]) {
      self.init(module: "", method: path, arguments: arguments)
    }

    fileprivate var place: String { module.isEmpty ? method : "\(module).\(method)" }
    public var description: String { place + "(" + arguments.map(\.description).joined(separator: ", ") + ")" }
  }

  private struct State {
    var messages: [Message] = []
    /// The calls that wait for an answer, by slot.
    var open: [UInt32: Call] = [:]
  }

  private let state = Lock(State())

  init() {}

  /// All messages so far.
  public var messages: [Message] { state.withLock { $0.messages } }
  /// The calls among them.
  public var calls: [Call] {
    messages.compactMap { if case .call(let call) = $0 { call } else { nil } }
  }
  /// The messages in words, which fit on one line each.
  public var lines: [String] { messages.map(\.description) }

  /// Forgets the messages so far; their answers will still be recognized.
  public func clear() { state.withLock { $0.messages = [] } }
}

extension QueueSpy: QueueObserver {
  package func willMake(_ method: MethodReference, slot: UInt32, arguments: () -> [ScriptValue]) {
    var arguments = arguments().map(JavaScriptValue.init)
    while arguments.last == .undefined { arguments.removeLast() }
    let call = Call(module: method.module, method: method.name, arguments: arguments)
    state.withLock { state in
      state.messages.append(.call(call))
      if slot != 0 { state.open[slot] = call }
    }
  }

  package func willDeliver(_ record: ReplyDecoder.Record) {
    state.withLock { state in
      switch record {
      case .answer(let slot, .value(let value)):
        guard let call = state.open.removeValue(forKey: slot) else { return }
        state.messages.append(.answer(to: call, JavaScriptValue(value)))
      case .answer(let slot, .failure(let value)):
        guard let call = state.open.removeValue(forKey: slot) else { return }
        state.messages.append(.failure(of: call, JavaScriptValue(value)))
      case .event(let name, _, let value): state.messages.append(.event(name, JavaScriptValue(value)))
      case .call(_, let path, let arguments):
        state.messages.append(.callOfJavaScript(path: path, arguments: arguments.map(JavaScriptValue.init)))
      case .abort, .listener: break
      }
    }
  }
}
