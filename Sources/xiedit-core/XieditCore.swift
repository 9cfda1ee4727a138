import EditorCore
import EventLoop
import Glibc
import JSONRPC

/// `xiedit-core [--record FILE]`: serves a front end over standard input and output, until the input ends.
@main struct XieditCore {
  static func main() { exit(Stack.run(serve)) }

  @Sendable private static func serve() -> CInt {
    Allocator.shareOneArena()
    let loop = Loop()
    var transport: any Transport = PipeTransport(input: STDIN_FILENO, output: STDOUT_FILENO, on: loop)
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "--record" {
      do throws(ResponseError) {
        transport = try RecordingTransport(transport, path: arguments[2])
      } catch {
        log("\(error)")
        return 1
      }
    } else if arguments.count > 1 {
      log("usage: xiedit-core [--record FILE]")
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
    let line = Array("xiedit-core: \(message)\n".utf8)
    write(STDERR_FILENO, line, line.count)
  }
}
