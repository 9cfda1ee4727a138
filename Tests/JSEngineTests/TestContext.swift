import EventLoop
import Testing

@testable import JSEngine

/// How a test's context behaves: as it is, or with a garbage collection at every call into the engine.
enum Collecting: String, CaseIterable, CustomTestStringConvertible {
  case normally, always
  var testDescription: String { rawValue }
}

/// Runs `body` with a fresh context on a thread of its own.
func withContext(
  _ collecting: Collecting = .normally, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping (JSContext) throws -> Void
) throws {
  let thread = try LoopThread(name: "JavaScript")
  let body = UncheckedBody(body: body)
  let failure = Lock<(any Error)?>(nil)
  thread.loop.perform { [loop = thread.loop] in
    let context = JSContext(on: loop, name: "test", collectsAtEveryCall: collecting == .always)
    defer { context.close() }
    do { try body.body(context) } catch { failure.withLock { $0 = error } }
  }
  thread.stop()
  #expect(thread.join(within: .seconds(120)), "the test never ended", sourceLocation: sourceLocation)
  if let error = failure.withLock({ $0 }) { throw error }
}

/// Runs the loop of the calling thread until `condition` holds; records an issue after 20 seconds.
func run(
  _ context: JSContext, until condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) rethrows {
  let deadline = MonotonicTime.now + .seconds(20)
  let tick = context.loop.every(.milliseconds(5)) {}
  defer { tick.cancel() }
  while !(try condition()) {
    guard MonotonicTime.now < deadline else {
      Issue.record("the condition never held", sourceLocation: sourceLocation)
      return
    }
    context.loop.iterate(waiting: true)
  }
}

/// The calling thread waits until the body has run: it may touch the caller's variables.
private struct UncheckedBody: @unchecked Sendable {
  let body: (JSContext) throws -> Void
}
