/// Tests of scripts that `trestle` runs in a folder of their own.
protocol ScriptSuite {
  var folder: TemporaryFolder { get }
}

extension ScriptSuite {
  func run(_ script: String, options: [String] = []) async throws -> Program.Outcome {
    folder.write(script, to: "script.js")
    return try await Program(name: Program.trestle, folder: folder).run(options + ["script.js"])
  }
}
