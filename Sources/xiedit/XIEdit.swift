import EditorCore
import Glibc
import TerminalUI

/// `xiedit [options] [[+LINE[:COLUMN]] FILE …]`, and the core that it starts.
@main struct XIEdit {
  static func main() {
    if CommandLine.arguments.first?.pathName == CoreProgram.name {
      exit(CoreProgram.run(CommandLine.arguments.dropFirst()))
    }
    do throws(Launch.Misuse) {
      let launch = try Launch(arguments: CommandLine.arguments.dropFirst())
      exit(launch.run(coreName: CoreProgram.name, settingsPath: SettingsFolder.ofUser.map(SettingsFolder.file(in:))))
    } catch {
      exit(error.report())
    }
  }
}
