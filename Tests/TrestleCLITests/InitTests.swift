import Foundation
import Testing

/// `trestle init`.
@Suite struct InitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let files = [
    "Package.swift", "README.md", "Sources", "Sources/LogTool", "Sources/LogTool/Main.swift", "script.test.ts",
    "script.ts",
    "texts.d.ts", "tsconfig.json",
  ]

  private func trestle(_ arguments: String...) async throws -> Program.Outcome {
    try await Program(name: Program.trestle, folder: folder).run(arguments)
  }

  /// `trestle` in one of the folders here.
  private func trestle(in name: String, _ arguments: String...) async throws -> Program.Outcome {
    let path = Program.products.appendingPathComponent(Program.trestle).path
    return try await Program(name: "/usr/bin/env", folder: folder).run(["-C", name, path] + arguments)
  }

  private func make(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  /// What there is, but for what the tests keep here.
  private func found(in name: String = ".") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.appendingPathComponent(name).path)
      .filter { ![".input", ".output", ".error"].contains($0) }.sorted()
  }

  @Test func theFilesAreMadeAndTheNextStepsTold() async throws {
    let outcome = try await trestle("init", "new/log-tool/")
    #expect(outcome.code == 0 && outcome.error == "")
    #expect(try found(in: "new/log-tool") == Self.files)
    for words in [
      "Made the tool LogTool in new/log-tool/:\n", "\n  cd new/log-tool/\n  swift run LogTool 'to be",
      "\n  trestle test\n",
    ] {
      #expect(outcome.output.contains(words), "\(outcome)")
    }
    #expect(!outcome.output.contains("\u{1B}"))
    // What is said of each file is said of all.
    for file in Self.files where file.contains(".") { #expect(outcome.output.contains("  \(file) ")) }
  }

  @Test func anEmptyFolderIsFilledWhereItIs() async throws {
    try make("log_tool")
    let outcome = try await trestle(in: "log_tool", "init")
    #expect(outcome.code == 0 && outcome.output.hasPrefix("Made the tool LogTool in this folder:\n"), "\(outcome)")
    #expect(!outcome.output.contains("  cd "))
    #expect(try found(in: "log_tool") == Self.files)
  }

  @Test(arguments: ["README.md", "Sources/LogTool/Main.swift", "script.ts"])
  func nothingIsWrittenOver(_ file: String) async throws {
    try make("log-tool/Sources/LogTool")
    folder.write("mine", to: "log-tool/\(file)")
    let before = try found()
    let outcome = try await trestle("init", "log-tool")
    let message = "trestle: log-tool/\(file) is there already, and is not written over; nothing was made\n"
    #expect(outcome == .init(code: 2, output: "", error: message))
    #expect(try found() == before && folder.read("log-tool/\(file)") == "mine")
  }

  @Test func aLinkThatLeadsNowhereIsNotWrittenThrough() async throws {
    try make("log-tool")
    let link = folder.url.appendingPathComponent("log-tool/script.ts").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../elsewhere")
    #expect(try await trestle("init", "log-tool").code == 2)
    #expect(try found() == ["log-tool", "log-tool/script.ts"])
  }

  @Test func whereAFileStandsInTheWayOfAFolderNothingIsLeft() async throws {
    try make("log-tool")
    folder.write("", to: "log-tool/Sources")
    let outcome = try await trestle("init", "log-tool")
    #expect(
      outcome.code == 2 && outcome.error == "trestle: log-tool/Sources is there already, and no folder\n", "\(outcome)")
    #expect(try found() == ["log-tool", "log-tool/Sources"])
    folder.write("", to: "file")
    #expect(try await trestle("init", "file").code == 2)
    #expect(try found() == ["file", "log-tool", "log-tool/Sources"])
  }

  /// The limit on what a process may write is a full disk as well.
  @Test func whatCannotBeWrittenWholeIsTakenAway() async throws {
    let path = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run([
      "-c", "trap '' XFSZ; ulimit -f 2; exec \"$0\" init new/log-tool", path,
    ])
    #expect(outcome.code == 1 && outcome.output == "", "\(outcome)")
    #expect(outcome.error == "trestle: new/log-tool/Sources/LogTool/Main.swift: File too large\n")
    #expect(try found() == [])
  }

  @Test(arguments: ["3d", "größe", "a+b", "-", "trestle", "JSON", "any", ""])
  func aNameThatIsNoneOfSwiftIsRefused(_ name: String) async throws {
    let outcome = try await trestle("init", "--", name)
    #expect(outcome.code == 2 && outcome.output == "" && outcome.error.contains("name"), "\(outcome)")
    #expect(try found() == [])
  }

  /// Two modules of one name do not build.
  @Test func namesOfOurOwnModulesAreRefused() async throws {
    let manifest = try String(contentsOf: Program.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    let targets = manifest.matches(of: /\.(?:systemLibrary|target|executableTarget|macro)\(\s*name: "([A-Z]\w*)"/)
    #expect(targets.count > 40)
    for target in targets {
      let outcome = try await trestle("init", String(target.output.1))
      #expect(outcome.code == 2 && outcome.error.contains("something else has"), "\(target.output.1)")
    }
    #expect(try found() == [])
  }

  @Test func thePackageIsTheOneThatIsSaid() async throws {
    let url = try await trestle("init", "a", "--package", "https://example.org/x/Trestle.git")
    #expect(url.code == 0 && url.output.contains("Trestle from https://example.org/x/Trestle.git, branch main\n"))
    let manifest = folder.read("a/Package.swift")
    #expect(manifest.contains(".package(url: \"https://example.org/x/Trestle.git\", branch: \"main\")"))
    #expect(manifest.contains(".product(name: \"Trestle\", package: \"Trestle\")"))
    try make("it \"is\"")
    folder.write("", to: "it \"is\"/Package.swift")
    #expect(try await trestle("init", "b", "--package", "it \"is\"").code == 0)
    #expect(folder.read("b/Package.swift").contains("/it \\\"is\\\"\")"))
    // What this program was built in.
    #expect(try await trestle("init", "c").output.contains("Trestle from \(Program.package.path); --package says"))
  }

  @Test(arguments: [
    ("none", "No such file or directory"), (".", "there is no Package.swift in it"), ("a://b c", "no URL"),
    ("://", "no URL"),
  ])
  func aPackageThatIsNoneIsRefused(_ package: String, _ words: String) async throws {
    let outcome = try await trestle("init", "a", "--package", package)
    #expect(outcome.code == 2 && outcome.output == "" && outcome.error.hasPrefix("trestle: --package: "), "\(outcome)")
    #expect(outcome.error.contains(words), "\(outcome)")
    #expect(try found() == [])
  }

  @Test func namesDoWithoutWhatTerminalsObey() async throws {
    let outcome = try await trestle("init", "it's \u{1B}[31m/log-tool")
    #expect(outcome.code == 0 && outcome.output.contains("\n  cd 'it'\\''s \\u001B[31m/log-tool'\n"), "\(outcome)")
  }

  @Test func theHelpNamesTheOptionAndCompletionsTheCommand() async throws {
    #expect(try await trestle("init", "--help").output.contains("--package <path|url>"))
    for shell in ["bash", "zsh", "fish"] {
      #expect(try await trestle("--generate-completion-script", shell).output.contains("init"), "\(shell)")
    }
  }
}
