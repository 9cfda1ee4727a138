import EventLoop
import Glibc
import TestSupport
import Testing

@testable import TrestleCore

/// Every own property of every built-in, replaced in each of five ways by a script that then uses each feature once.
///
/// On React Native's wire no attack is endless: there an ended turn can cost a later event of the script's (seen once, not
/// understood).
///
/// Whatever the attack does to the script's own calls: nothing of the runtime is handed to it, each call of Swift's comes to an
/// end, and once the property is as it was, everything works as before. Some modules are touched for the first time while the
/// property is replaced.
///
/// One after the other: together they would take the processors from all other tests.
@Suite(.serialized) struct GeneratedAttackTests {
  enum Kind: String, CaseIterable, Sendable {
    /// Watches, and otherwise does what the built-in does.
    case watching
    /// Throws when it is read, written or called.
    case throwing
    /// Never returns: a limit ends it.
    case endless
    /// Calls modules meanwhile.
    case reentering
    /// Answers nonsense.
    case lying
  }

  /// How many modules are alike: one bridge is attacked as often.
  private static let modulesOfABridge = 24
  private static let shards = 4
  /// On the shared wire two or three of the five ways are tried for each property, on React Native's, which takes longer, every
  /// second property is attacked in one; all of them with `TRESTLE_ALL_ATTACKS` in the environment.
  private static func stride(_ wire: Wire) -> Int {
    getenv("TRESTLE_ALL_ATTACKS") != nil ? 1 : wire == .shared ? 2 : 9
  }

  /// What a re-entering attack does.
  private static let meddling = """
    const { Canary } = NativeModules;
    let meddled = 0;
    const meddle = () => {
      if (meddled++ > 200) return;
      Canary.add(1, 2); Canary.echo({ x: 1, y: 2, name: '' }); Canary.keep(() => 1, 2); };
    """

  @Test(arguments: Wire.allCases, Array(0..<shards)) func everyBuiltInInEveryWay(wire: Wire, shard: Int) async throws {
    var (next, count, cases, hits) = (shard, Int.max, 0, 0)
    while next < count {
      let lab = Lab()
      let modules = (0..<Self.modulesOfABridge).map { lab.module(named: "Lab\($0)") } + [lab.module(named: "Canary")]
      (next, count, cases, hits) = try await withBridge(modules, wire: wire) { bridge, _ in
        let outcome = try await attack(bridge, lab, wire, from: next, cases)
        return (outcome.0, outcome.1, outcome.2, hits + (try await bridge.evaluate("attacks.hits", as: Int.self)))
      }
    }
    // They would not be attacks otherwise.
    #expect(hits > 0)
    #expect(cases * Self.shards >= (wire == .shared ? 5000 : 1000), "\(cases)")
  }

  /// - Returns: the next case, how many there are, and how many were tried.
  private func attack(_ bridge: Bridge, _ lab: Lab, _ wire: Wire, from first: Int, _ triedBefore: Int) async throws -> (
    Int, Int, Int
  ) {
    try await bridge.installForeignCheck()
    try await bridge.evaluate("\(attackHarness)\n\(Self.meddling)\n\(Lab.exercise)")
    let kinds = Kind.allCases.filter { wire == .shared || $0 != .endless }
    let count = try await bridge.evaluate("attacks.count", as: Int.self) * kinds.count
    var (next, tried) = (first, triedBefore)
    for module in 0..<Self.modulesOfABridge where next < count {
      let kind = kinds[next % kinds.count]
      let index = next / kinds.count
      next += Self.shards * Self.stride(wire)
      tried += 1
      // What becomes of the script's own calls is its own affair; that they end is not.
      let name = module % 2 == 0 ? "Lab\(module)" : "Canary"
      try await bridge.setLimits(ExecutionLimits(time: .milliseconds(30)))
      _ = try? await bridge.evaluate(
        "attacks.begin(\(index), '\(kind.rawValue)', meddle); exercise(NativeModules.\(name))", as: String.self)
      _ = try? await lab.kept.withLock { $0.take() }?(4)
      _ = try? await bridge.call("exercise", 1, as: String.self)
      try await bridge.setLimits(nil)
      let leaks = try await bridge.evaluate("attacks.end()", as: String.self)
      #expect(leaks == "", "\(kind) \(leaks)")
      let text = try await bridge.evaluate("exercise(NativeModules.Canary)", as: String.self)
      #expect(text == Lab.exerciseResult, "after \(kind) of attack \(index)")
      #expect(try await lab.kept.withLock { $0.take() }?(4) == 5, "after \(kind) of attack \(index)")
      // A script may have broken itself for good.
      if text != Lab.exerciseResult { break }
    }
    return (next, count, tried)
  }
}
