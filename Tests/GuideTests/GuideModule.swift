import EventLoop
import Trestle
import TrestleObservables

// What the articles of the documentation show is compiled here: `.ci/check-docs` compares.

@Record struct Page: Equatable {
  var title: String
  var words: Int
  var tags: [String] = []
}

@Record enum Binding: Equatable {
  case stapled
  case sewn(threads: Int)
}

@SharedObject final class Book: Sendable {
  @Exported let title: String
  init(_ title: String) { self.title = title }

  @Exported func pages() async -> [Page] { [Page(title: title, words: 3)] }
}

@NativeModule(isLinked: false) actor Press {
  @Exported let printed = EventSource<Page>(replaysLast: true)
  private let progress = Subject<Double>()

  init() {}

  @Exported func print(_ page: Page, _ binding: Binding = .stapled) throws -> String {
    guard page.words > 0 else { throw PressError.empty(title: page.title) }
    printed.emit(page)
    progress.next(1)
    return "\(page.title), \(binding)"
  }

  @Exported(.sync) nonisolated func quarters() -> Observable<Double> {
    progress.observable.map { $0 * 4 }
  }

  @Exported(.sync) nonisolated func countdown(_ start: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in (0...start).reversed() { continuation.yield(number) }
      continuation.finish()
    }
  }

  @Exported func total(_ numbers: ScriptSequence<Int>) async throws -> Int {
    var sum = 0
    for try await number in numbers { sum += number }
    return sum
  }

  @Exported func dry(_ time: Duration) async throws {
    try await Task.sleep(for: time)
  }

  @Exported(.sync) nonisolated func checksum(_ bytes: BorrowedBytes) throws -> Int {
    try bytes.withBytes { bytes in
      (0..<bytes.byteCount).reduce(0) { $0 + Int(bytes.unsafeLoad(fromByteOffset: $1, as: UInt8.self)) }
    }
  }

  @Exported(.sync) nonisolated func arrange(
    _ pages: [Page], by isBefore: ScriptFunction<Page, Page, Bool>
  ) throws -> [Page] {
    try pages.sorted { try isBefore.callNow($0, $1) }
  }

  @Exported func twice(_ duration: Duration) -> Duration { duration * 2 }

  @Exported func store(_ bytes: TransferredBytes) -> Int { bytes.count }

  @Exported func blank(_ count: Int) -> TransferredBytes {
    TransferredBytes(count: count) { memory in memory.initializeMemory(as: UInt8.self, repeating: 255) }
  }

  @Exported func open(_ title: String) -> Book { Book(title) }

  @Exported func typeset(_ pages: Int, _ progress: ScriptFunction<Double, Undefined>) async {
    for page in 1...pages { progress.notify(Double(page) / Double(pages)) }
  }

  @Exported func sort(_ pages: [Page], by isBefore: ScriptFunction<Page, Page, Bool>) async throws -> [Page] {
    guard pages.count == 2, try await isBefore(pages[1], pages[0]) else { return pages }
    return pages.reversed()
  }
}

enum PressError: Error { case empty(title: String) }

@JSInterface protocol Plugin {
  func transform(_ page: Page) async throws -> Page
}

let released = Lock(false)

/// Lets go of what the next generation wants.
@NativeModule(isLinked: false) actor Port: InvalidatableModule {
  init() {}
  @Exported(.sync) nonisolated func number() -> Int { 80 }
  func invalidate() async { released.withLock { $0 = true } }
}
