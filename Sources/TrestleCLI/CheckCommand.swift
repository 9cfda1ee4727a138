import ArgumentParser
import Glibc
import Trestle

/// `trestle check FILE…`: the types of scripts, by the program `tsc`.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the types of scripts, by the program tsc.",
    discussion: """
      TypeScript and, by its JSDoc, JavaScript, under tsc --strict and the declarations of trestle types. Nothing is run. With mistakes \
      the exit code is 1.
      """)

  @Argument(
    help: ArgumentHelp("The scripts; what they import is checked with them.", valueName: "file"),
    completion: .file(extensions: ["js", "mjs", "cjs", "ts", "mts", "cts", "tsx", "jsx"]))
  var files: [String]

  func run() async throws {
    for file in files {
      var status = stat()
      let isReadable = access(file, R_OK) == 0 && stat(file, &status) == 0
      // The compiler would wait for what writes into a pipe.
      if isReadable, status.st_mode & S_IFMT == S_IFREG { continue }
      Terminal.tell("\(file): \(isReadable ? "not a file" : String(cString: strerror(errno)))")
      ExitStatus.unreadableScript.exit()
    }
    guard let compiler = TypeCompiler.inPath else {
      Terminal.tell(
        "types are checked by the program tsc, which is not in PATH (Debian: apt-get install node-typescript)")
      ExitStatus.uncaughtError.exit()
    }
    let declarations = try await ModulesCommand.withBridge { bridge in
      // What is imported of a module is what scripts see of it.
      try await TypesCommand.declarations(of: [], in: bridge)
        + bridge.evaluate(Self.importable, sourceURL: "trestle:check.js", as: String.self)
        + (files.contains(where: TestFiles.isTest) ? TypesCommand.testDeclarations : "")
    }
    do { ExitStatus(code: try compiler.check(files, declarations: declarations)).exit() } catch {
      Terminal.tell("tsc: \(error)")
      ExitStatus.uncaughtError.exit()
    }
  }

  /// Makes declarations of what `import` finds of native modules.
  private static let importable = """
    trestle.moduleNames().map((name) => {
      const members = Object.keys(NativeModules[name]).filter((key) => /^[A-Za-z_$][\\w$]*$/.test(key) && key !== 'default');
      const type = `typeof NativeModules.${name}`;
      const lines = members.map((key) => `  const $${key}: (${type})['${key}']; export { $${key} as ${key} };`);
      const module = name.toLowerCase();
      return `\\ndeclare module 'trestle:${module}' {\\n${lines.join('\\n')}\\n  const all: ${type}; export default all;\\n}\\n`;
    }).join('')
    """
}
