import EventLoop
import Glibc
import JSONRPC

/// `xiedit-core [--record FILE]`: serves a front end over standard input and output, until the input ends.
///
/// `xiedit` is this program, too, when it is called by that name: what both processes run is in memory once.
package enum CoreProgram {
  package static let name = "xiedit-core"

  /// - Returns: The exit code.
  package static func run(_ arguments: some Sequence<String>) -> CInt {
    let arguments = Array(arguments)
    return Stack.run(as: name) { serve(arguments) }
  }

  @Sendable private static func serve(_ arguments: [String]) -> CInt {
    Allocator.shareOneArena()
    DescriptorReserve.raiseLimit()
    let loop = Loop()
    var transport: any Transport = PipeTransport(input: STDIN_FILENO, output: STDOUT_FILENO, on: loop)
    if arguments.count == 2, arguments[0] == "--record" {
      do throws(ResponseError) {
        let recording = try RecordingTransport(transport, path: arguments[1])
        recording.onFailure = { log("the record \(arguments[1]) ends here: \($0)") }
        transport = recording
      } catch {
        log("\(error)")
        return 1
      }
    } else if !arguments.isEmpty {
      log("usage: \(name) [--record FILE]")
      return 2
    }
    // A file above the limit is an error of the save, told to the user.
    signal(SIGXFSZ, SIG_IGN)
    // Signals of the terminal are for the front end.
    setsid()
    let session = EditorSession(
      transport: transport, on: loop, recoveryFolder: RecoveryFolder(system: LinuxFileSystem()),
      settingsFolder: SettingsFolder.ofUser, log: log)
    session.warnOfMissingRecovery()
    session.onEnd = { loop.stop() }
    session.start()
    loop.run()
    session.finish()
    return 0
  }

  private static func log(_ message: String) {
    let line = Array("\(name): \(message)\n".utf8)
    write(STDERR_FILENO, line, line.count)
  }
}
