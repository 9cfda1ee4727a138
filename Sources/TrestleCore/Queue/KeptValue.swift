import EventLoop

/// A function or an error object of JavaScript that Swift refers to: while one of its copies lives, the object does.
///
/// Released on the JS thread, whichever thread lets go of the last copy. Safe from any thread.
final class KeptValue: JavaScriptError.Identity, @unchecked Sendable {
  private let loop: Loop
  let bridge: WeakBridge

  init(number: UInt32, loop: Loop, bridge: WeakBridge) {
    self.loop = loop
    self.bridge = bridge
    super.init(number: number)
  }

  deinit {
    let (number, bridge) = (number, bridge)
    loop.perform { bridge.value?.assumeIsolated { $0.release(keptValue: number) } }
  }
}
