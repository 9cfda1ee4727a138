/// A tool to begin with: its files, and what one does with them.
struct Skeleton {
  let name: String
  let package: PackageSource

  struct File {
    let path: String
    let purpose: String
    let text: String
  }

  /// Each with what it is for.
  let commands: [(command: String, purpose: String)]

  init(name: String, package: PackageSource) {
    self.name = name
    self.package = package
    commands = [
      ("swift run \(name) 'to be or not to be'", "builds the tool and runs it, which runs the script"),
      ("trestle test", "tests the script"),
      ("trestle check script.ts script.test.ts", "checks its types"),
    ]
  }

  var files: [File] {
    [
      File(path: "Package.swift", purpose: "the package", text: manifest),
      File(path: "Sources/\(name)/Main.swift", purpose: "the tool, and its module for scripts", text: Self.program),
      File(path: "script.ts", purpose: "what the tool runs", text: Self.script),
      File(path: "script.test.ts", purpose: "its test", text: Self.test),
      File(path: "texts.d.ts", purpose: "the module's types", text: Self.types),
      File(path: "tsconfig.json", purpose: "for editors", text: Self.compilerOptions),
      File(path: "README.md", purpose: "the commands", text: readme),
    ]
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      dependencies: [
        \(package.declaration)
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [
            .product(name: "Trestle", package: \(package.identity.swiftLiteral)),
            .product(name: "TrestleModules", package: \(package.identity.swiftLiteral)),
          ])
      ])

    """
  }

  private var readme: String {
    let width = (commands.map(\.command.count) + [typesCommand.count]).max() ?? 0
    let lines = (commands + [(typesCommand, "writes the types again, when the module has changed")]).map { step in
      "    \(step.command)\(String(repeating: " ", count: width - step.command.count))  # \(step.purpose)"
    }
    return """
      # \(name)

      A tool in Swift that is scripted in TypeScript. `Sources/\(name)/Main.swift` has the module `Texts` and calls `main` of `script.ts`.

      \(lines.joined(separator: "\n"))

      The script may import what lies in this folder, and has `Texts`, but no files and no programs. It is ended where it runs for ten
      seconds at a time, or the process takes 1 GB; a promise that it never settles is waited for until Control-C.

      TypeScript takes the programs `esbuild` and `tsc` (Debian: `apt-get install esbuild node-typescript`). Editors know what scripts
      have after `trestle types Test > trestle.d.ts`.

      """
  }

  private var typesCommand: String { "swift run \(name) --types > texts.d.ts" }
}
