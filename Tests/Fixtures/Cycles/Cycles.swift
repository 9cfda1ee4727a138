import Dispatch
import EventLoop
import Glibc
import Trestle

/// Opens, uses and closes bridges, and says after each how large the process is: `cycle kilobytes threads`.
@main
struct Cycles {
  static func main() async throws {
    for cycle in 1...200 {
      try await openUseAndClose()
      print(cycle, status("VmRSS:"), status("Threads:"))
    }
  }

  /// Closed with work on its way in both directions.
  private static func openUseAndClose() async throws {
    let bridge = try await Bridge(modules: .definitions([module]))
    try await bridge.evaluate(
      """
      const {Echo} = NativeModules;
      for (let i = 0; i < 100; i++) Echo.elsewhere(i).then(value => Echo.here(value));
      for (let i = 0; i < 100; i++) Echo.never().catch(() => {});
      """)
    guard await bridge.close(within: .seconds(60)) else { throw BridgeError(.limit, "a bridge does not close") }
  }

  private static let module = ModuleDefinition("Echo", make: { _ in Keeper() }) {
    Member<Keeper>.promise("here", "value") { (_, value: Double) in value }
    Member<Keeper>._method("never", .promise) { keeper in
      { (call) throws(ConversionError) in
        let reply = call.reply()
        keeper.replies.withLock { $0.append(reply) }
      }
    }
    Member<Keeper>._method("elsewhere", .promise, [.init("value", Double.self)], result: Double.self) { _ in
      { (call) throws(ConversionError) in
        let value = try call.next(Double.self)
        let reply = call.reply()
        DispatchQueue.global().async { reply.answer { value } }
      }
    }
  }

  private final class Keeper: Sendable {
    let replies = Lock<[_Expansion.Reply]>([])
  }

  /// A number of `/proc/self/status`.
  private static func status(_ name: String) -> Int {
    guard let file = fopen("/proc/self/status", "re") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, CInt(line.count), file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        .split(whereSeparator: \.isWhitespace)
      if let first = words.first, first == name { return Int(words[1]) ?? 0 }
    }
    return 0
  }
}
