/// The calls from Swift to JavaScript whose results are awaited. On the JS thread.
final class JavaScriptCalls {
  private typealias Finish = (Outcome) -> Void

  /// How a call ended: with a value to decode, an error thrown in JavaScript, or not at all.
  enum Outcome {
    case value(UnsafeMutablePointer<ValueReader>)
    case failure(any Error)
  }

  /// What a call keeps from being idle.
  enum Keeping {
    case bridge
    /// Nothing: it fails where nothing else is left to do.
    case nothing
    /// Nothing, nor does the call of a script's that waits for it and does nothing else meanwhile: it fails before those that keep nothing.
    case nothingForScript
  }

  private var waiting: [UInt32: (name: String, finish: Finish)] = [:]
  private var idle: Set<UInt32> = []
  private var idleForScript: Set<UInt32> = []
  private var last: UInt32 = 0

  /// Whether there are none that keep the bridge from being idle.
  var isEmpty: Bool { waiting.count == idle.count + idleForScript.count }
  var hasIdle: Bool { !idle.isEmpty }
  /// How many calls of scripts wait for one of these and do nothing else.
  var idleForScriptCount: Int { idleForScript.count }

  /// A number that no waiting call has.
  func nextNumber() -> UInt32 {
    repeat { last &+= 1 } while last == 0 || waiting[last] != nil
    return last
  }

  /// Keeps `finish` until the call's end, on which it is called once.
  ///
  /// - Parameters:
  ///   - name: of what is called.
  func begin(
    _ call: UInt32, of name: String, keeping: Keeping = .bridge, _ finish: @escaping (Outcome) -> Void
  ) {
    waiting[call] = (name, finish)
    switch keeping {
    case .bridge: break
    case .nothing: idle.insert(call)
    case .nothingForScript: idleForScript.insert(call)
    }
  }

  private func take(_ call: UInt32) -> (name: String, finish: Finish)? {
    idle.remove(call)
    idleForScript.remove(call)
    return waiting.removeValue(forKey: call)
  }

  /// Nothing is left to do that could end those that keep nothing going.
  ///
  /// - Returns: these calls.
  func failIdle() -> Set<UInt32> {
    let calls = idleForScript.isEmpty ? idle : idleForScript
    let subject = idleForScript.isEmpty ? "it" : "the promise of the function"
    for call in calls { fail(call, BridgeError(.unsettled, "\(subject) waits for what nothing is left to do")) }
    return calls
  }

  /// A record of JavaScript ends a call. One that does not exist is ignored: it has ended before.
  func finish(_ call: UInt32, isFailure: Bool, _ reader: inout ValueReader) {
    guard let finish = take(call)?.finish else { return }
    if !isFailure { return withUnsafeMutablePointer(to: &reader) { finish(.value($0)) } }
    do throws(ConversionError) { finish(.failure(try JavaScriptError.decode(from: &reader))) } catch {
      finish(.failure(BridgeError(.malformed, "an error that does not convert")))
    }
  }

  /// Ends a call that JavaScript will not end.
  ///
  /// - Returns: false if it has ended before.
  @discardableResult
  func fail(_ call: UInt32, _ error: any Error) -> Bool {
    guard let finish = take(call)?.finish else { return false }
    finish(.failure(error))
    return true
  }

  /// - Parameter error: what a call fails with, by the name of what was called.
  /// - Returns: the calls.
  @discardableResult
  func failAll(_ error: (String) -> any Error) -> some Collection<UInt32> {
    let all = waiting
    (waiting, idle, idleForScript) = ([:], [], [])
    for (name, finish) in all.values { finish(.failure(error(name))) }
    return all.keys
  }
}
