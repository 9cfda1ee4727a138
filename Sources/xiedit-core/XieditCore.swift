import EditorCore
import Glibc

@main struct XieditCore {
  static func main() { exit(CoreProgram.run(CommandLine.arguments.dropFirst())) }
}
