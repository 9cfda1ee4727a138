import EditorCore
import Glibc
import TerminalUI

/// `xiedit [options] [[+LINE[:COLUMN]] FILE …]`, and the core that it starts.
@main struct XIEdit {
  static func main() {
    if CommandLine.arguments.first?.split(separator: "/").last == Substring(CoreProgram.name) {
      exit(CoreProgram.run(CommandLine.arguments.dropFirst()))
    }
    do throws(Launch.Misuse) {
      exit(try Launch(arguments: CommandLine.arguments.dropFirst()).run(coreName: CoreProgram.name))
    } catch {
      exit(error.report())
    }
  }
}
