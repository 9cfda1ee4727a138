import Foundation
import Testing

/// `--watch`, through the real binary.
@Suite struct WatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A program that goes on until it is told to end.
  private func watching(
    _ arguments: [String], _ body: (_ wait: (String) async throws -> Void, _ process: pid_t) async throws -> Void
  ) async throws -> Program.Outcome {
    let program = Program(name: Program.trestle, folder: folder)
    let process = try program.start(arguments)
    do {
      try await body(wait(for:), process)
    } catch {
      kill(process, SIGKILL)
      _ = try await program.finish(process)
      throw error
    }
    kill(process, SIGINT)
    return try await program.finish(process)
  }

  /// Until the program has written that.
  private func wait(for text: String) async throws {
    let deadline = Date(timeIntervalSinceNow: Program.patience)
    while !written.contains(text) {
      if Date() > deadline { throw Silence(wanted: text, written: written) }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private struct Silence: Error { let wanted, written: String }

  private var written: String { folder.read(".output") + folder.read(".error") }

  @Test func aChangedImportRunsTheScriptAgain() async throws {
    folder.write("export const name = 'one';", to: "lib.mjs")
    folder.write(
      "import { name } from './lib.mjs'; console.log('hello', name, NativeModules.Process.arguments); setInterval(() => {}, 1000);",
      to: "main.mjs")
    let outcome = try await watching(["run", "--watch", "main.mjs", "--watch"]) { wait, _ in
      try await wait("hello one [ '--watch' ]")
      folder.write("export const name = 'two';", to: "lib.mjs")
      try await wait("hello two")
      // As editors save.
      folder.write("export const name = ;", to: "lib.new")
      rename(folder.url.path + "/lib.new", folder.url.path + "/lib.mjs")
      try await wait("ended with 1; waiting for a change")
      folder.write("export const name = 'three';", to: "lib.mjs")
      try await wait("hello three")
    }
    #expect(outcome.code == 130)
    #expect(outcome.error.contains("lib.mjs has changed: running again"))
    #expect(outcome.error.contains("SyntaxError"))
  }

  @Test func aScriptThatDoesNotExistYetIsWaitedFor() async throws {
    let outcome = try await watching(["--watch", "main.js"]) { wait, _ in
      try await wait("ended with 3; waiting")
      folder.write("console.log('there')", to: "main.js")
      try await wait("there")
      try await wait("ended; waiting")
    }
    #expect(outcome.code == 130)
  }

  @Test func aWorkersScriptIsWatched() async throws {
    folder.write("postMessage('one')", to: "w.js")
    folder.write(
      "const worker = new Worker('w.js'); worker.onmessage = ({ data }) => { console.log('got', data); worker.terminate(); };",
      to: "main.js")
    _ = try await watching(["--watch", "main.js"]) { wait, _ in
      try await wait("got one")
      try await wait("ended; waiting")
      folder.write("postMessage('two')", to: "w.js")
      try await wait("got two")
    }
  }

  /// One that never looks up cannot keep its successor waiting.
  @Test func aRunThatIsAtWorkIsEnded() async throws {
    folder.write("console.log('busy'); for (;;);", to: "main.js")
    let outcome = try await watching(["--watch", "main.js"]) { wait, _ in
      try await wait("busy")
      folder.write("console.log('free')", to: "main.js")
      try await wait("free")
    }
    #expect(outcome.code == 130)
  }

  @Test func testsRunAgain() async throws {
    folder.write("export const sum = (a, b) => a - b;", to: "sum.mjs")
    folder.write(
      "import { sum } from './sum.mjs'; test('adds', () => expect(sum(1, 2)).toBe(3));", to: "sum.test.mjs")
    let outcome = try await watching(["test", "--watch"]) { wait, _ in
      try await wait("ended with 1; waiting")
      folder.write("export const sum = (a, b) => a + b;", to: "sum.mjs")
      try await wait("ended; waiting")
    }
    #expect(outcome.output.contains("1 passed"))
  }

  /// Links may lead elsewhere by then.
  @Test func whatIsGrantedStaysSo() async throws {
    for name in ["public", "secret"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
      folder.write("text of \(name)", to: "\(name)/file")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.path + "/link", withDestinationPath: "public")
    folder.write("export default 1", to: "number.mjs")
    folder.write(
      """
      import number from './number.mjs';
      const { Files, Processes } = NativeModules;
      console.log(number, await Files.readText('link/file').catch(({ code }) => code));
      await Processes.run('ln', ['-sfn', 'secret', 'link']);
      """, to: "main.mjs")
    let outcome = try await watching(["--watch", "--no-prompt", "--allow-read=link", "--allow-run=ln", "main.mjs"]) {
      wait, _ in
      try await wait("ended; waiting")
      folder.write("export default 2", to: "number.mjs")
      try await wait("2 ")
    }
    #expect(outcome.output == "1 text of public\n2 ERR_PERMISSION\n", "\(outcome)")
  }

  @Test(arguments: [["--watch", "-"], ["--watch", "-e", "1"], ["--watch", "-p", "1"], ["run", "--watch"]])
  func thereMustBeAFile(arguments: [String]) async throws {
    let outcome = try await Program(name: Program.trestle, folder: folder).run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.error.contains("--watch needs a file to run."))
  }

  @Test(arguments: [
    ["{}"], ["", "--sandbox"], ["{", "--sandbox"], [#"{"read":[]}"#, "--sandbox"],
    [#"{"write":[["/"],[],[]]}"#, "--sandbox"],
  ])
  func grantedPathsAreForWatchingAlone(_ arguments: [String]) async throws {
    folder.write("console.log(1)", to: "main.js")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(
      ["--granted-paths"] + arguments + ["main.js"])
    let isRefused = outcome.code == 2 && outcome.error.contains("--granted-paths is for --watch alone.")
    #expect(isRefused, "\(outcome)")
  }

  @Test func theChannelIsForWatchingAlone() async throws {
    folder.write("console.log(1)", to: "main.js")
    for number in ["1", "2", "900"] {
      let outcome = try await Program(name: Program.trestle, folder: folder).run([
        "--loaded-files-to", number, "main.js",
      ])
      #expect(outcome.code == 2)
    }
  }
}
