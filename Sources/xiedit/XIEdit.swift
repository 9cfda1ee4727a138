import Glibc
import TerminalUI

/// `xiedit [options] [[+LINE[:COLUMN]] FILE …]`
@main struct XIEdit {
  static func main() {
    do throws(Launch.Misuse) {
      exit(try Launch(arguments: CommandLine.arguments.dropFirst()).run())
    } catch {
      exit(error.report())
    }
  }
}
