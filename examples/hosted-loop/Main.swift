import EventLoop
import Foundation
import Trestle
import TrestleModules

/// Lends the main thread to a bridge, in between the events of its own: `HostedLoopExample script.js`.
@main
struct HostedLoopExample {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: HostedLoopExample script.js")
      exit(2)
    }
    let loop = Loop()
    let hosted = try HostedLoop(loop)
    let host = ModuleDefinition("Host", make: { _ in () }) { Member<Void>.event("line", String.self) }
    let bridge = try Bridge.hosted(on: loop, modules: .standard + .definitions([host]))
    try bridge.assumeIsolated { try $0.evaluate(file: CommandLine.arguments[1]) }

    // The host's own loop.
    var descriptors = [
      pollfd(fd: hosted.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
    ]
    let isIdle = Lock(false)
    while !isIdle.withLock({ $0 }) {
      hosted.step()
      poll(&descriptors, 2, -1)
      guard descriptors[1].revents != 0 else { continue }
      // `readLine` goes on for ever at the end of the input while this is EINTR, perhaps from the poll.
      errno = 0
      if let line = readLine() {
        bridge.emit("line", of: "Host", line)
      } else {
        // The end of the input: nothing more to watch but the bridge.
        descriptors[1].fd = -1
        Task.detached {
          await bridge.waitUntilIdle()
          isIdle.withLock { $0 = true }
          loop.perform {}
        }
      }
    }
    bridge.assumeIsolated { $0.shutDown() }
  }
}
