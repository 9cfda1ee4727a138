import TrestleCore

/// The async iterator that a script has of a module. Equal to itself alone; its elements are taken once.
///
/// ```swift
/// let lines = try #require(try await files.call("lines", "a.txt").stream)
/// for try await line in lines { … }
/// ```
public struct JavaScriptStream: AsyncSequence, Sendable, Equatable {
  let reference: StreamReference

  init(_ reference: StreamReference) { self.reference = reference }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reference: reference) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reference: StreamReference
    /// Elements that came with one that was asked for.
    private var elements: ArraySlice<ScriptValue> = []

    fileprivate init(reference: StreamReference) { self.reference = reference }

    /// - Throws: `JavaScriptError` as a script would get it.
    public mutating func next() async throws -> JavaScriptValue? {
      do {
        if elements.isEmpty { elements = try await reference.next()[...] }
      } catch { throw JavaScriptError(ScriptValue(error: error)) ?? error }
      return elements.popFirst().map(JavaScriptValue.init)
    }
  }
}

extension JavaScriptValue {
  /// Nil for other values.
  public var stream: JavaScriptStream? { if case .stream(let stream) = self { stream } else { nil } }
}
