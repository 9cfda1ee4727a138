import ArgumentParser
import Glibc
import Trestle

/// `trestle init [FOLDER]`: a tool to begin with.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make the skeleton of a Swift tool that is scripted in TypeScript.",
    discussion: """
      A Swift package with one module for scripts, a script, its types and its test. Nothing that is there already is written over. The \
      tool has the folder's name: log-tool is LogTool in Swift.
      """)

  @Option(
    name: .customLong("package"),
    help: ArgumentHelp(
      """
      Where the package Trestle is: a folder, or the URL of a Git repository, of which it takes the branch main. If nothing is said, \
      the folder that this trestle was built in, if it still lies there, otherwise ../trestle.
      """, valueName: "path|url"), completion: .directory)
  var source: String?

  @Argument(
    help: ArgumentHelp("Where to make it; this folder, if nothing is said.", valueName: "folder"),
    completion: .directory)
  var folder = "."

  func run() async throws {
    // A run that is interrupted leaves nothing half: there is so little to write that nobody waits.
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    do throws(InitFailure) {
      let name = try ToolName(ofFolder: folder)
      let package = try PackageSource(source)
      let skeleton = Skeleton(name: name.identifier, package: package)
      try NewFiles.write(skeleton.files.map { ($0.path, $0.text) }, into: folder)
      Terminal.write(
        InitReport(skeleton: skeleton, folder: folder, hasColor: Terminal.outputHasColor).text, to: .output)
    } catch {
      Terminal.tell(error.message)
      error.status.exit()
    }
  }
}

/// Why there is no skeleton.
struct InitFailure: Error {
  let message: String
  var status = ExitStatus.usage
}
