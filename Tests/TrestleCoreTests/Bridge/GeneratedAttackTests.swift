import EventLoop
import Glibc
import TestSupport
import Testing

@testable import TrestleCore

/// Every own property of every built-in, replaced in each of some ways by a script that then uses each feature.
///
/// Whatever the attack does to the script's own calls: nothing of the runtime is handed to it, each call of Swift's comes to an
/// end, and once the properties are as they were, everything works as before. Where nothing was asked of them, or all was answered as
/// ever, calls come to the right thing meanwhile, too. Some modules are touched for the first time while the properties are replaced.
///
/// One after the other: together they would take the processors from all other tests.
@Suite(.serialized) struct GeneratedAttackTests {
  /// Where the properties are replaced.
  private enum Place {
    /// In a script, before it calls anything.
    case script
    /// By a listener, in the middle of what native code sends: events, answers, elements of streams.
    case delivery
    /// Beside modules whose own scripts call native code.
    case moduleScript
  }

  /// How many modules are alike: one bridge is attacked as often.
  private static let modulesOfABridge = 48

  @Test(arguments: Wire.allCases, AttackKind.allCases)
  func inAScript(wire: Wire, kind: AttackKind) async throws { try await attack(.script, wire, kind, stride: 1) }

  @Test(arguments: Wire.allCases, AttackKind.allCases)
  func inADelivery(wire: Wire, kind: AttackKind) async throws { try await attack(.delivery, wire, kind, stride: 5) }

  @Test(arguments: Wire.allCases, AttackKind.allCases)
  func besideModuleScripts(wire: Wire, kind: AttackKind) async throws {
    try await attack(.moduleScript, wire, kind, stride: 5)
  }

  /// - Parameter stride: one group in so many is tried; all of them with `TRESTLE_ALL_ATTACKS` in the environment.
  private func attack(_ place: Place, _ wire: Wire, _ kind: AttackKind, stride: Int) async throws {
    var hits = 0
    // On a machine that has become busy all of them may be ended before they come to it.
    for patience in [1, 4, 16] where hits == 0 {
      hits = try await hitsOfAttacks(place, wire, kind, stride: stride, patience)
    }
    // They would not be attacks otherwise.
    #expect(hits > 0)
  }

  private func hitsOfAttacks(
    _ place: Place, _ wire: Wire, _ kind: AttackKind, stride: Int, _ patience: Int
  ) async throws -> Int {
    let triesAll = getenv("TRESTLE_ALL_ATTACKS") != nil
    let stride = triesAll || kind == .planting ? 1 : stride
    // Those take the longest.
    let strideAlone = triesAll ? 1 : kind.isEnded ? 5 : min(stride, 3)
    var plan: AttackPlan?
    var isOver = false
    while !isOver {
      let lab = Lab()
      let names = (0..<Self.modulesOfABridge).map { "Lab\($0)" } + ["Canary"]
      let modules = names.map { name in
        let module = lab.module(named: name)
        return place == .moduleScript ? module.with(script: Lab.moduleScript) : module
      }
      (plan, isOver) = try await withBridge(modules, wire: wire) { bridge, _ in
        try await bridge.installForeignCheck()
        for script in [attackHarness, Lab.exercise, Lab.useFreely, Lab.attackInDelivery, Lab.meddling] {
          try await bridge.evaluate(script)
        }
        let count = try await bridge.evaluate("attacks.count", as: Int.self)
        #expect(count > 2000)
        var current =
          plan
          ?? AttackPlan(
            count: count, inGroupsOf: 64, stride: stride, first: AttackKind.allCases.firstIndex(of: kind) ?? 0,
            strideAlone: strideAlone)
        let isOver = try await attack(place, kind, bridge, lab, &current, patience)
        return (current, isOver)
      }
    }
    let tried = try #require(plan)
    #expect(tried.tried > 2000 / stride)
    return tried.hits
  }

  /// - Returns: whether nothing is left to be tried.
  private func attack(
    _ place: Place, _ kind: AttackKind, _ bridge: Bridge, _ lab: Lab, _ plan: inout AttackPlan,
    _ patience: Int
  ) async throws -> Bool {
    let time = kind.isEnded ? try await timeToEnd(bridge) * patience : .seconds(2)
    for module in 0..<Self.modulesOfABridge {
      guard let group = plan.next() else { return true }
      try await bridge.setLimits(limits(time))
      // What becomes of the script's own calls is its own affair; that they end is not.
      let name = module % 2 == 0 ? "Lab\(module)" : "Canary"
      let attack = "\(group), '\(kind.rawValue)'"
      let during = try? await bridge.evaluate(
        place == .delivery
          ? "attackInDelivery('\(name)', \(attack))" : "attacks.begin(\(attack)); exercise(NativeModules.\(name))",
        as: String.self)
      _ = try? await bridge.evaluate("useFreely(NativeModules.\(name))")
      _ = try? await lab.kept.withLock { $0.take() }?(4)
      _ = try? await bridge.call("exercise", 1, as: String.self)
      // Still with some: what the attack has left runs now.
      try await bridge.setLimits(limits(.seconds(2)))
      let asked = try await bridge.evaluate("attacks.end()", as: [Int].self)
      let leaks = try await bridge.evaluate("attacks.takeLeaks()", as: String.self)
      try await bridge.setLimits(nil)
      let what = "after \(kind) attacks on \(group), of which \(asked) were asked"
      #expect(leaks == "", "\(what)")
      if kind.isTrue || asked.isEmpty && !kind.isEnded { #expect(during == Lab.exerciseResult, "\(what)") }
      let text = try await bridge.evaluate("exercise(NativeModules.Canary)", as: String.self)
      #expect(text == Lab.exerciseResult, "\(what)")
      #expect(try await lab.kept.withLock { $0.take() }?(4) == 5, "\(what)")
      plan.note(group, asked: asked)
      // A script may have broken itself for good.
      if text != Lab.exerciseResult { break }
    }
    return false
  }

  private func limits(_ time: Duration) -> ExecutionLimits {
    .ofProcessor(time)
  }

  /// What attacks are ended after: longer than what is attacked takes just now, so that they come to it on a busy machine, too.
  private func timeToEnd(_ bridge: Bridge) async throws -> Duration {
    var longest = Duration.zero
    for _ in 0..<2 {
      let start = ContinuousClock.now
      _ = try await bridge.evaluate(
        "attacks.begin([], 'watching'); exercise(NativeModules.Canary); attacks.end()", as: [Int].self)
      longest = max(longest, .now - start)
    }
    return min(max(.milliseconds(10), longest * 2), .milliseconds(100))
  }

  /// By the script of a module, before those of others run: no limit holds for what a host brings along, so that none is endless.
  @Test(arguments: Wire.allCases, AttackKind.allCases.filter { !$0.isEnded })
  func beforeModuleScripts(wire: Wire, kind: AttackKind) async throws {
    let lab = Lab()
    var plan = AttackPlan(
      count: try await count(wire), inGroupsOf: 512, stride: 1, first: 0, strideAlone: 3)
    while let group = plan.next() {
      // Modules are opened in the order of their names.
      let modules = [
        Lab.foreignModule(named: "A"),
        ModuleDefinition(
          "B",
          script: ModuleScript(sourceURL: "b.js") {
            "() => { \(attackHarness)\n\(Lab.exercise)\nattacks.begin(\(group), '\(kind.rawValue)'); }"
          }),
        lab.module(named: "Canary").with(script: Lab.moduleScript), lab.module(named: "Lab"),
      ]
      try await withBridge(modules, wire: wire) { bridge, _ in
        let during = try? await bridge.evaluate("exercise(NativeModules.Canary)", as: String.self)
        _ = try? await bridge.evaluate("exercise(NativeModules.Lab)", as: String.self)
        let asked = try await bridge.evaluate("attacks.end()", as: [Int].self)
        #expect(try await bridge.evaluate("attacks.takeLeaks()", as: String.self) == "", "\(kind) \(group)")
        if kind.isTrue || asked.isEmpty { #expect(during == Lab.exerciseResult, "\(kind) \(group)") }
        for name in ["Canary", "Lab"] {
          let text = try await bridge.evaluate("exercise(NativeModules.\(name))", as: String.self)
          #expect(text == Lab.exerciseResult, "after \(kind) attacks on \(group), of which \(asked) were asked")
        }
        plan.note(group, asked: asked)
      }
    }
    #expect(plan.hits > 0)
  }

  private func count(_ wire: Wire) async throws -> Int {
    try await withBridge([], wire: wire) { bridge, _ in
      try await bridge.installForeignCheck()
      try await bridge.evaluate(attackHarness)
      return try await bridge.evaluate("attacks.count", as: Int.self)
    }
  }
}
