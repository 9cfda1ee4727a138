import EventLoop
import Glibc
import Trestle
import TrestleReactNative

/// The driver of the bridge's table in a process of its own, whose engine has no compiler: that is settled before an engine
/// starts.
struct InterpretingDriver {
  struct Failure: Error {}

  /// The argument that makes this program the child.
  static let argument = "--interpreting-driver"

  private let child: ChildProcess

  init() throws {
    guard let program = realpath("/proc/self/exe", nil) else { throw Failure() }
    defer { free(program) }
    child = try ChildProcess(
      "/usr/bin/env", arguments: ["JSC_useJIT=0", String(cString: program), Self.argument], company: .parent)
  }

  /// Has the child call a function of the driver, and waits for it. A crossing of two pipes is added.
  func call(_ wire: BridgeConfiguration.Wire, _ function: String, _ rounds: Int, _ batch: Int) throws {
    let line = Array("\(wire.name) \(function) \(rounds) \(batch)\n".utf8)
    var answer: UInt8 = 0
    guard write(child.input, line, line.count) == line.count, read(child.output, &answer, 1) == 1, answer == 1
    else {
      throw Failure()
    }
  }

  /// The child: a call a line, until the input ends. What it prints of errors is no answer.
  static func serve() throws {
    let scripts = try BridgeConfiguration.Wire.allCases.map { ($0.name, try HostedScript(wire: $0)) }
    while let line = nextLine() {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4, let script = scripts.first(where: { $0.0 == words[0] })?.1, let rounds = Int(words[2]),
        let batch = Int(words[3])
      else { throw Failure() }
      script.call(words[1], rounds, batch)
      var answer: UInt8 = 1
      guard write(STDOUT_FILENO, &answer, 1) == 1 else { throw Failure() }
    }
  }

  /// `readLine` takes the end of the input for an interruption, and tries for ever, if `errno` has one of earlier on.
  private static func nextLine() -> String? {
    errno = 0
    return readLine()
  }
}
