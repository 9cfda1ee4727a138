/// An iterable of JavaScript's, async or not, as a sequence in Swift: a parameter of a method.
///
/// ```swift
/// @Exported func write(_ lines: ScriptSequence<String>, to path: String) async throws { for try await line in lines { … } }
/// ```
///
/// The script's iterator is asked for an element when Swift asks for one. It is begun once: a second loop goes on where the
/// first ended. When the loop is left before its end, the iterator's `return()` is called.
public struct ScriptSequence<Element: BridgeDecodable>: AsyncSequence, BridgeDecodable {
  /// Gives the next element, or none at the end; with false it ends.
  private let pull: ScriptFunction<Bool, [Element]>

  public static var bridgeSchema: BridgeSchema { BridgeSchema(.sequence(Element.typeSchema)) }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> Self {
    Self(pull: try ScriptFunction.decode(from: &reader))
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(ending: Ending(pull)) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let ending: Ending

    /// - Throws: what the script's iterator throws; `BridgeError` for an element that does not convert.
    public mutating func next() async throws -> Element? {
      guard !ending.isOver else { return nil }
      do {
        let element = try await ending.pull(true).first
        if element == nil { ending.isOver = true }
        return element
      } catch {
        // An iterator that threw has ended; one that gave what does not convert has not.
        ending.isOver = error is JavaScriptError
        throw error
      }
    }
  }

  /// What is left of an iterator tells the script.
  fileprivate final class Ending {
    let pull: ScriptFunction<Bool, [Element]>
    var isOver = false

    init(_ pull: ScriptFunction<Bool, [Element]>) { self.pull = pull }

    deinit { if !isOver { pull.notify(false) } }
  }
}

@available(*, unavailable)
extension ScriptSequence.AsyncIterator: Sendable {}
