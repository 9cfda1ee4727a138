import Foundation
import Testing

/// `trestle check`.
@Suite struct CheckCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ arguments: String...) async throws -> Program.Outcome {
    try await Program(name: Program.trestle, folder: folder).run(["check"] + arguments)
  }

  @Test func scriptsWithoutMistakesAreWell() async throws {
    folder.write("export const twice = (value: number) => value * 2;", to: "twice.ts")
    folder.write(
      """
      import { readText } from 'trestle:files';
      import { twice } from './twice';
      readText('a.txt').then((text) => console.log(twice(text.length)));
      setTimeout(() => {}, 1);
      """, to: "main.ts")
    #expect(try await check("main.ts") == .init(code: 0, output: "", error: ""))
  }

  @Test func mistakesAreToldOfWithTheirPlaces() async throws {
    folder.write(
      "import { readText } from 'trestle:files';\nreadText(3);\nNativeModules.Fles.readText('a');\n", to: "main.ts")
    folder.write("/** @param {number} count */\nfunction f(count) {}\nf('1');\n", to: "@plain.js")
    let outcome = try await check("main.ts", "@plain.js")
    #expect(outcome.code == 1 && outcome.error == "")
    for words in ["main.ts(2,10): error TS2345", "main.ts(3,15): error TS2551", "@plain.js(3,3): error TS2345"] {
      #expect(outcome.output.contains(words), "\(outcome)")
    }
  }

  @Test func testsAreCheckedByWhatTestsHave() async throws {
    let text = "import { fn } from 'trestle:test';\ntest('a', () => expect(fn()).not.toHaveBeenCalled());\n"
    for name in ["main.test.ts", "main.ts"] { folder.write(text, to: name) }
    #expect(try await check("main.test.ts") == .init(code: 0, output: "", error: ""))
    #expect(try await check("main.ts").code == 1)
  }

  @Test func aFileThatIsNotThereIsNamed() async throws {
    let outcome = try await check("none.ts")
    #expect(outcome == .init(code: 3, output: "", error: "trestle: none.ts: No such file or directory\n"))
  }

  @Test(.timeLimit(.minutes(1))) func whatIsNoFileIsNotWaitedFor() async throws {
    #expect(mkfifo(folder.url.appendingPathComponent("pipe.ts").path, 0o600) == 0)
    #expect(try await check("pipe.ts") == .init(code: 3, output: "", error: "trestle: pipe.ts: not a file\n"))
  }

  @Test func withoutTheCompilerItsPackageIsNamed() async throws {
    folder.write("", to: "main.ts")
    let path = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/usr/bin/env", folder: folder).run(["PATH=/none", path, "check", "main.ts"])
    #expect(outcome.code == 1 && outcome.output == "")
    #expect(outcome.error.contains("tsc") && outcome.error.contains("apt-get install node-typescript"), "\(outcome)")
  }

  @Test func withoutFilesItSaysWhatIsMissing() async throws { #expect(try await check().code == 2) }
}
