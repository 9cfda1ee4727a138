import EventLoop
import Glibc
import TestSupport
import Testing

@testable import EditorCore

/// Random sessions that die at some system call, or meet one that fails.
///
/// `XIEDIT_SCRIPTS=10000` runs so many scripts instead of a few hundred, divided among the tests.
@Suite(.offThePool) struct SessionDeathTests {
  private static let count = (getenv("XIEDIT_SCRIPTS").flatMap { Int(String(cString: $0)) } ?? 300) / 5

  /// How many calls the script of each seed makes.
  private static let callCounts = (0..<UInt64(count)).map { seed in
    let script = SessionScript(seed: seed)
    script.run(.none)
    return script.disk.calls.count
  }

  private func check(
    _ script: SessionScript, losingPower: Bool, isEnded: Bool = false, _ seed: UInt64, _ what: String
  ) {
    if let problem = script.problem(losingPower: losingPower, isEnded: isEnded) {
      Issue.record("seed \(seed), \(what): \(problem)\n\(script.log.joined(separator: "\n"))")
    }
  }

  @Test(arguments: [false, true])
  func aDeathLosesNothingThatWasPromised(losingPower: Bool) {
    for seed in 0..<UInt64(Self.count) {
      var random = SplitMix64(state: seed ^ 0x5EED)
      let call = Int.random(in: 0...Self.callCounts[Int(seed)], using: &random)
      let script = SessionScript(seed: seed)
      script.run(.death(atCall: call))
      check(script, losingPower: losingPower, seed, "death at \(call), \(script.disk.calls.last ?? "")")
    }
  }

  @Test(arguments: [EIO, ENOSPC])
  func aRefusalLosesNothingThatWasPromised(error: CInt) {
    for seed in 0..<UInt64(Self.count) {
      var random = SplitMix64(state: seed ^ 0xBAD)
      let call = Int.random(in: 0...Self.callCounts[Int(seed)], using: &random)
      let script = SessionScript(seed: seed)
      script.run(.error(error, atCall: call))
      check(script, losingPower: false, seed, "error at \(call), \(script.disk.calls.dropFirst(call).first ?? "")")
    }
  }

  /// Thousands of sessions in one process would use up its descriptors and threads.
  @Test(arguments: [false, true])
  func aSessionThatIsGoneKeepsNothing(isDying: Bool) {
    struct Weak { weak var loop: Loop? }
    var loops: [Weak] = []
    for seed in 0..<UInt64(100) {
      let script = SessionScript(seed: seed)
      script.onDriver = { loops.append(Weak(loop: $0.loop)) }
      script.run(isDying ? .death(atCall: 20) : .none)
      check(script, losingPower: false, seed, "death at 20")
    }
    #expect(loops.count >= 200)
    // The threads of the files end by themselves.
    let deadline = ContinuousClock.now + patience
    while loops.contains(where: { $0.loop != nil }), ContinuousClock.now < deadline { usleep(1000) }
    #expect(loops.filter { $0.loop != nil }.isEmpty)
  }

  /// With the power going at once.
  @Test func anEndLosesNothing() {
    for seed in 0..<UInt64(Self.count) {
      let script = SessionScript(seed: seed)
      script.run(.none)
      script.finish()
      check(script, losingPower: true, isEnded: true, seed, "end")
    }
  }
}
