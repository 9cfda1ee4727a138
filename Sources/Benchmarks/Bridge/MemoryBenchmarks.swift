import EventLoop
import Glibc
import JSEngine
import Trestle

/// What idle bridges take of memory, each number of them in a process of its own: what a first context makes the engine load
/// is in all of them.
struct IdleMemory {
  struct Failure: Error {}

  /// The argument that makes this program the child.
  static let argument = "--idle"

  private enum Content: String, CaseIterable {
    case context, bridge, twoBridges, workers, endedWorkers
  }

  static func printTable() throws {
    let sizes = try Content.allCases.map { content in
      let sizes = try (0..<5).map { _ in try measure(content) }
      return Size(resident: median(sizes.map(\.resident)), anonymous: median(sizes.map(\.anonymous)))
    }
    print("a bare context, all told: \(sizes[0].words)")
    print("a bridge in its place: +\((sizes[1] - sizes[0]).words)")
    print("a second bridge: +\((sizes[2] - sizes[1]).words)")
    print("20 workers: +\((sizes[3] - sizes[1]).words)")
    print("two seconds after their end: +\((sizes[4] - sizes[1]).words)")
  }

  private static func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }

  /// In KB.
  private struct Size {
    var resident: Int
    /// Not mapped from a file, such as the code of programs.
    var anonymous: Int

    var words: String { "\(resident) KB resident, \(anonymous) KB of it anonymous" }

    static func - (a: Size, b: Size) -> Size {
      Size(resident: a.resident - b.resident, anonymous: a.anonymous - b.anonymous)
    }
  }

  private static func measure(_ content: Content) throws -> Size {
    guard let program = realpath("/proc/self/exe", nil) else { throw Failure() }
    defer { free(program) }
    let child = try ChildProcess(
      String(cString: program), arguments: [argument, content.rawValue], company: .parent)
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = read(child.output, &buffer, buffer.count)
    let line = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
    let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard numbers.count == 2 else { throw Failure() }
    return Size(resident: numbers[0], anonymous: numbers[1])
  }

  /// The child: opens what it is told, makes a first call, and prints its size.
  static func serve(_ content: String?) async throws {
    let modules = ModuleSelection.definitions([Bench.moduleDefinition, BenchData.moduleDefinition])
    var bridges: [Bridge] = []
    switch content.flatMap(Content.init) {
    case .context: try await openBareContext()
    case .bridge: bridges = [try await Bridge(modules: modules)]
    case .twoBridges: bridges = [try await Bridge(modules: modules), try await Bridge(modules: modules)]
    case .workers: bridges = [try await openWorkers()]
    case .endedWorkers:
      bridges = [try await openWorkers()]
      _ = try await bridges[0].evaluate("endWorkers()", as: Int.self)
      // The engine gives freed memory back when it gets to it, within a second.
      try await Task.sleep(for: .seconds(2))
    case nil: throw Failure()
    }
    for bridge in bridges { try await bridge.evaluate("NativeModules.Bench.area(1, 2, 'abc')") }
    print(kilobytes("Rss"), kilobytes("Anonymous"))
    for bridge in bridges { await bridge.close() }
  }

  private static func openWorkers() async throws -> Bridge {
    var configuration = BridgeConfiguration()
    configuration.capabilities = [.files]
    let bridge = try await Bridge(
      modules: .definitions([Bench.moduleDefinition, BenchData.moduleDefinition]) + .workers(),
      configuration: configuration)
    _ = try await bridge.evaluate(
      """
      const workers = Array.from({ length: 20 }, () => new Worker('postMessage(1)', { eval: true }));
      const endWorkers = () => Promise.all(workers.map(worker => worker.terminate())).then(() => 1);
      Promise.all(workers.map(worker => new Promise(resolve => { worker.onmessage = resolve }))).then(() => 1)
      """, as: Int.self)
    return bridge
  }

  private static func openBareContext() async throws {
    let thread = try LoopThread(name: "bare")
    await withCheckedContinuation { continuation in
      thread.loop.perform {
        let context = Unmanaged.passRetained(JSContext(on: thread.loop))
        consume(try? context.takeUnretainedValue().evaluate("1 + 1"))
        continuation.resume()
      }
    }
  }

  private static func kilobytes(_ field: String) -> Int {
    guard let file = fopen("/proc/self/smaps_rollup", "r") else { return 0 }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = fread(&buffer, 1, buffer.count, file)
    let lines = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: "\n")
    let line = lines.first { $0.hasPrefix(field + ":") }
    return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }
}
