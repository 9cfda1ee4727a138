import EventLoop

/// An error object of JavaScript that a Swift error stands for: while one of its copies lives, the object does.
///
/// Released on the JS thread, whichever thread lets go of the last copy. Both members are safe from any thread.
final class KeptError: JavaScriptError.Identity, @unchecked Sendable {
  private let loop: Loop
  private let bridge: WeakBridge

  init(number: UInt32, loop: Loop, bridge: WeakBridge) {
    self.loop = loop
    self.bridge = bridge
    super.init(number: number)
  }

  deinit {
    let (number, bridge) = (number, bridge)
    loop.perform { bridge.value?.assumeIsolated { $0.release(keptError: number) } }
  }
}
