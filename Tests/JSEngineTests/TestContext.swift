import EventLoop
import TestSupport
import Testing

@testable import JSEngine

/// How a test's context behaves: as it is, or with a garbage collection at every call into the engine.
enum Collecting: String, CaseIterable, CustomTestStringConvertible {
  case normally, always
  var testDescription: String { rawValue }
}

/// Runs `body` with a fresh context on a thread of its own.
func withContext(
  _ collecting: Collecting = .normally, _ body: @escaping (JSContext) throws -> Void
) async throws {
  let body = UncheckedBody(body: body)
  let thread = try LoopThread(name: "JavaScript")
  let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
    thread.loop.perform { [loop = thread.loop] in
      let context = JSContext(on: loop, name: "test", collectsAtEveryCall: collecting == .always)
      let result = Result { try body.body(context) }
      context.close()
      continuation.resume(returning: result)
    }
  }
  thread.stop()
  thread.join()
  try result.get()
}

/// Runs the loop of the calling thread until `condition` holds; records an issue when it never does.
func run(
  _ context: JSContext, until condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) rethrows {
  let deadline = MonotonicTime.now + patience
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

/// The caller waits until the body has run: it may touch the caller's variables.
private struct UncheckedBody: @unchecked Sendable {
  let body: (JSContext) throws -> Void
}
