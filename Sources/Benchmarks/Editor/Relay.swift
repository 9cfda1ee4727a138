import CLinux
import Glibc

/// The floor of any editor of two processes: one that passes keys on to another and shows what that one sends back. The program
/// itself, under another name.
enum Relay {
  static let argument = "--relay"
  private static let backArgument = "--relay-back"
  static let ready = "ready"

  static func isWanted(_ argument: String?) -> Bool { argument == Self.argument || argument == backArgument }

  static func run(_ argument: String?) throws {
    if argument == backArgument { return echo(from: STDIN_FILENO, to: STDOUT_FILENO) }
    var modes = termios()
    tcgetattr(STDIN_FILENO, &modes)
    cfmakeraw(&modes)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    let back = try BenchmarkCore("/proc/self/exe", arguments: [backArgument])
    pass(Array(ready.utf8)[...], to: STDOUT_FILENO)
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else { return }
      back.send(Array(buffer[..<count]))
      pass(try back.receive(count)[...], to: STDOUT_FILENO)
    }
  }

  private static func echo(from input: CInt, to output: CInt) {
    var buffer = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = read(input, &buffer, buffer.count)
      guard count > 0 else { return }
      pass(buffer[..<count], to: output)
    }
  }

  private static func pass(_ bytes: ArraySlice<UInt8>, to output: CInt) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
