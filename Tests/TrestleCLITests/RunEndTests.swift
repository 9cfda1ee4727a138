import Foundation
import TestSupport
import Testing

/// How a run ends that does not come to its end by itself, and what it leaves behind: nothing.
@Suite struct RunEndTests: ScriptSuite {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    "for (;;);", "const again = () => Promise.resolve().then(again); again();", "for (;;) performance.now();",
    "/(a+)+$/.test('a'.repeat(100) + 'b');", "setInterval(() => {}, 1000);",
  ])
  func timeout(_ loop: String) async throws {
    let outcome = try await run(loop, options: ["--timeout", "0.3"])
    let error = "trestle: script.js has not ended after 0.3 seconds\n"
    #expect(outcome == Program.Outcome(code: 124, output: "", error: error))
  }

  /// A search in megabytes is a single step, here one of minutes: SQLite looks at nothing meanwhile. Nobody waits for it.
  @Test(arguments: [
    "db.get(step, end.signal)", "db.transaction(tx => tx.get(step), end.signal)",
    "(end.abort(), db.transaction(tx => tx.get(step), end.signal))",
    "worker.terminate().then(() => { throw new DOMException('', 'AbortError'); })",
  ])
  func longStepsAreGivenUp(_ call: String) async throws {
    let outcome = try await run(
      """
      const step = "WITH z AS (SELECT replace(hex(zeroblob(2000000)), '00', 'a') AS a) SELECT instr(a || a || a || a, a || a || 'b') FROM z";
      const end = new AbortController, { SQLite } = NativeModules, db = await SQLite.open(':memory:');
      const code = `NativeModules.SQLite.open(':memory:').then(db => { db.get("${step}").catch(() => {}); postMessage(1); })`;
      const worker = new Worker(code, { eval: true });
      await new Promise(resolve => { worker.onmessage = resolve; });
      setTimeout(() => end.abort(), 100);
      await new Promise(resolve => setTimeout(resolve, 50));
      await \(call).catch(error => console.log(error.name));
      worker.terminate();
      """)
    #expect(outcome == Program.Outcome(code: 0, output: "AbortError\n", error: ""))
  }

  /// Nobody is at the other end.
  @Test(arguments: [["pipe"], ["--trace", "pipe", "-e", "1"]])
  func timeoutsBeforeTheScriptIsRead(arguments: [String]) async throws {
    mkfifo(folder.url.path + "/pipe", 0o600)
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["--timeout", "0.3"] + arguments)
    let name = arguments.count == 1 ? "pipe" : "[eval]"
    let error = "trestle: \(name) has not ended after 0.3 seconds\n"
    #expect(outcome == Program.Outcome(code: 124, output: "", error: error))
  }

  @Test func timeoutsThatAreNotReached() async throws {
    #expect(try await run("console.log('done')", options: ["--timeout", "100"]).code == 0)
  }

  /// No script runs meanwhile.
  @Test(arguments: ["Files.readBytes('/dev/zero')", "Processes.run('cat', ['/dev/zero'])"])
  func memoryThatModulesUse(call: String) async throws {
    let outcome = try await run(
      "const { Files, Processes } = NativeModules; for (let i = 0; i < 20; i++) await \(call).catch(() => {});",
      options: ["--memory-limit", "300"])
    #expect(outcome.code == 125)
    #expect(outcome.error.contains("more than its memory"), "\(outcome.error)")
  }

  @Test func memoryLimit() async throws {
    let outcome = try await run(
      "const all = []; for (;;) all.push(new Array(1000).fill(1));", options: ["--memory-limit", "300"])
    #expect(outcome.code == 125)
    #expect(
      outcome.error.contains("more than its memory") && outcome.error.contains("script.js has used more than 300 MB"))
  }

  /// To describe what was thrown runs the script's own code, which a limit ends as any other.
  @Test(
    arguments: [
      "throw thrown", "throw { thrown }", "Promise.reject(thrown)",
      "queueMicrotask(() => { throw new Proxy(new Error('a'), { getPrototypeOf: eat }); })",
      "new Worker(`${code}; throw thrown`, { eval: true })",
    ], ["shared", "react-native"])
  func memoryLimitWhileAnErrorIsDescribed(_ failure: String, wire: String) async throws {
    let code = "const eat = () => { const a = []; for (;;) a.push({}); }, thrown = new Proxy({}, { ownKeys: eat })"
    let outcome = try await run(
      "const code = '\(code)'; \(code); \(failure)", options: ["--wire", wire, "--memory-limit", "300"])
    #expect(outcome.code == 125)
    #expect(outcome.error.contains("more than its memory"), "\(outcome.error)")
  }

  @Test func interrupts() async throws {
    let outcome = try await interrupted("console.log('ready'); for (;;);")
    #expect(outcome == Program.Outcome(code: 130, output: "ready\n", error: ""))
  }

  /// Nobody is at the other end of what the profile is for, whether the script has ended or not.
  @Test(arguments: ["console.log('ready')", "console.log('ready'); for (;;);"])
  func interruptsWhileNobodyTakesTheProfile(_ script: String) async throws {
    mkfifo(folder.url.path + "/pipe", 0o600)
    let outcome = try await interrupted(script, options: ["--cpu-prof", "pipe"])
    let error = "trestle: pipe: nobody takes the profile\n"
    #expect(outcome == Program.Outcome(code: 130, output: "ready\n", error: error))
  }

  /// Ends a run once it has written that it is ready.
  private func interrupted(_ script: String, options: [String] = []) async throws -> Program.Outcome {
    folder.write(script, to: "script.js")
    let program = Program(name: Program.trestle, folder: folder)
    let process = try program.start(options + ["script.js"])
    let deadline = Date(timeIntervalSinceNow: Program.patience)
    while folder.read(".output") != "ready\n", Date() < deadline { try await Task.sleep(for: .milliseconds(2)) }
    kill(process, SIGINT)
    return try await program.finish(process)
  }

  /// Whatever is under way as the run ends.
  @Test(arguments: [
    ("for (let i = 0;; i++) await Files.writeText(path + '/' + i % 200, 'x')", ["--timeout", "2"], 124),
    ("for (;;) await Files.makeTemporaryDirectory()", ["--timeout", "2"], 124),
    ("for (let i = 0; i < 200; i++) Files.writeText(path + '/' + i, 'x'); throw 1", [], 1),
    ("for (let i = 0; i < 200; i++) Files.makeTemporaryDirectory(); throw 1", [], 1),
  ])
  func temporaryDirectoriesGoWithTheRun(_ end: String, _ options: [String], _ code: Int32) async throws {
    folder.write(
      """
      const { Files } = NativeModules, path = await Files.makeTemporaryDirectory();
      console.log(path);
      \(end);
      """, to: "script.mjs")
    let kept = folder.url.appending(path: "kept")
    try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
    let program = Program(name: "/bin/sh", folder: folder)
    let outcome = try await program.run(
      [
        "-c",
        "TMPDIR='\(kept.path)' exec '\(Program.products.path)/trestle' \(options.joined(separator: " ")) script.mjs",
      ])
    #expect(outcome.code == code && (code == 124 || outcome.output.hasPrefix(kept.path)), "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: kept.path) == [])
  }

  /// Half of a copy, and what was to take a file's place, are nobody's.
  @Test(arguments: [
    "NativeModules.Process.exit(5)", "NativeModules.Processes.run('kill', [`${NativeModules.Process.id}`])",
  ])
  func filesThatAreNotFinishedGoWithTheRun(_ end: String) async throws {
    folder.write(
      """
      const { Files } = NativeModules, text = 'x'.repeat(2e7);
      await Files.makeDirectory('kept');
      await Files.writeText('large', text);
      setTimeout(() => \(end), 30);
      const copies = (async () => { for (let i = 0; ; i++) { await Files.copy('large', 'kept/copy'); await Files.remove('kept/copy'); } })();
      for (;;) await Files.replaceText('kept/replaced', text);
      """, to: "script.mjs")
    for _ in 0..<4 {
      let outcome = try await Program(name: Program.trestle, folder: folder).run(["script.mjs"])
      #expect(outcome.code == (end.contains("exit") ? 5 : 128 + SIGTERM), "\(outcome)")
      let kept = folder.url.appending(path: "kept")
      for name in try FileManager.default.contentsOfDirectory(atPath: kept.path) {
        #expect(["copy", "replaced"].contains(name))
        let size = try FileManager.default.attributesOfItem(atPath: kept.path + "/" + name)[.size] as? Int
        #expect(size == 20_000_000, "\(name)")
      }
      try FileManager.default.removeItem(at: kept)
    }
  }

  /// Programs that a script has started end with the run, however that ends, and what they have started with them; temporary directories go.
  @Test(arguments: [
    ("throw new Error('end')", [], 1),
    ("await new Promise(() => setInterval(() => {}, 1000))", ["--timeout", "10"], 124),
    ("process.kill()", [], 128 + SIGTERM), ("NativeModules.Process.exit(5)", [], 5),
    ("process.kill('ALRM')", [], 128 + SIGALRM), ("process.kill('QUIT')", [], 128 + SIGQUIT),
    ("process.kill('PROF')", [], 128 + SIGPROF), ("process.kill('XCPU')", [], 128 + SIGXCPU),
    ("process.kill('USR1')", [], 128 + SIGUSR1), ("process.kill('USR2')", [], 128 + SIGUSR2),
    ("await process.kill('XFSZ'); NativeModules.Process.exit(7)", [], 7),
  ])
  func programsEndWithTheRun(_ end: String, _ options: [String], _ code: Int32) async throws {
    folder.write(
      """
      import { run, start } from 'trestle:processes';
      const { Process } = NativeModules, process = { kill: (signal = 'TERM') => run('kill', ['-' + signal, `${Process.id}`]) };
      const program = await start('sh', ['-c', 'trap "" TERM; sleep 1000 & echo $!; wait'], { stderr: 'ignore' });
      const path = await NativeModules.Files.makeTemporaryDirectory();
      await NativeModules.Files.writeText(path + '/a', 'a');
      console.log(program.id, (await program.lines().next()).value, path);
      \(end);
      """, to: "script.mjs")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(options + ["script.mjs"])
    #expect(outcome.code == code, "\(outcome)")
    let processes = outcome.output.split { $0.isWhitespace }.compactMap { pid_t($0) }
    let path = outcome.output.split { $0.isWhitespace }.last.map(String.init) ?? "."
    #expect(processes.count == 2 && access(path, F_OK) != 0, "\(outcome)")
    for process in processes { try await expectEnd(of: process) }
  }

  private func expectEnd(of process: pid_t) async throws {
    let deadline = Date(timeIntervalSinceNow: Program.patience)
    while !hasEnded(process), Date() < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(hasEnded(process), "\(process) was left behind")
  }

  /// The end of a run ends its programs, and no script makes anything of that.
  @Test(arguments: [
    "await run('sleep', ['1000']).catch(() => {})",
    "for await (const line of (await start('sleep', ['1000'])).lines());",
    "await (await start('sleep', ['1000'])).status()",
    "await new Promise(resolve => { new Worker(`NativeModules.Processes.run('sleep', ['1000']).then(postMessage)`, { eval: true }).onmessage = resolve })",
    "await Promise.race(Array.from({ length: 20 }, () => run('sleep', ['1000'])))",
  ])
  func noScriptGoesOnBehindTheEnd(_ wait: String) async throws {
    folder.write(
      """
      import { run, start } from 'trestle:processes';
      const { Files, Process } = NativeModules;
      if (Process.arguments[0]) setTimeout(() => run('kill', ['-' + Process.arguments[0], `${Process.id}`]), 300);
      \(wait);
      await Files.writeText('after', 'x');
      Process.exit(0);
      """, to: "script.mjs")
    let program = Program(name: Program.trestle, folder: folder)
    for (options, code) in [
      (["--timeout", "0.7", "script.mjs"], 124), (["script.mjs", "TERM"], 128 + SIGTERM),
      (["script.mjs", "INT"], 128 + SIGINT), (["script.mjs", "HUP"], 128 + SIGHUP),
    ] {
      #expect(try await program.run(options).code == code, "\(options)")
      #expect(access(folder.url.path + "/after", F_OK) != 0, "\(options)")
    }
  }

  /// Nobody reads what is written: the end is that of the signal, and nothing is left behind.
  @Test(arguments: ["console.log('more')", "console.error('more')"]) func programsEndWhereNobodyReads(_ write: String)
    async throws
  {
    folder.write(
      """
      import { start } from 'trestle:processes';
      const program = await start('sh', ['-c', 'trap "" TERM; sleep 1000 & wait'], { stderr: 'ignore' });
      const path = await NativeModules.Files.makeTemporaryDirectory();
      await NativeModules.Files.writeText(path + '/a', 'a');
      await NativeModules.Files.writeText('left', `${program.id} ${path}`);
      console.error('one');
      console.log('one');
      setInterval(() => \(write), 1);
      """, to: "script.mjs")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let reads = write.contains("error") ? "2>&1 >/dev/null" : "2>/dev/null"
    let outcome = try await Program(name: "/bin/sh", folder: folder).run(
      ["-c", "{ '\(trestle)' script.mjs \(reads); echo $? >code; } | head -1"])
    #expect(outcome.output == "one\n", "\(outcome)")
    #expect(folder.read("code") == "141\n")
    let left = folder.read("left").split(separator: " ").map(String.init)
    #expect(left.count == 2 && access(left.last ?? "/", F_OK) != 0, "\(left)")
    try await expectEnd(of: left.first.flatMap { pid_t($0) } ?? getpid())
  }

  /// A reader that goes away ends the run without a word.
  @Test(arguments: ["", "trap '' PIPE; "])
  func closedPipes(_ prefix: String) async throws {
    folder.write("for (let i = 0; ; i++) console.log('line', i);", to: "script.js")
    folder.write("\(prefix)(\"$1\" script.js; echo \"code $?\" >&2) | head -n 1", to: "pipe.sh")
    let shell = Program(name: "/bin/sh", folder: folder)
    let outcome = try await shell.run(["pipe.sh", Program.products.appendingPathComponent(Program.trestle).path])
    #expect(outcome == Program.Outcome(code: 0, output: "line 0\n", error: "code 141\n"))
  }

  /// Nobody reads what the run writes until it has ended.
  @Test(arguments: ["", "--metrics"]) func timeoutsWhileNobodyReads(option: String) async throws {
    folder.write("for (;;) console.log('x'.repeat(4095));", to: "script.js")
    folder.write(
      """
      { "$1" --timeout 0.3 \(option) script.js 2>&1; echo $? > code; mv code done; } \
        | { until [ -e done ]; do sleep 0.05; done; }
      """, to: "pipe.sh")
    let shell = Program(name: "/bin/sh", folder: folder)
    _ = try await shell.run(["pipe.sh", Program.products.appendingPathComponent(Program.trestle).path])
    #expect(folder.read("done") == "124\n")
  }

  /// A run that is being ended ends as it is to, whatever its script makes of it.
  @Test func timeoutsWhileErrorsAreTold() async throws {
    let outcome = try await run(
      "for (;;) try { throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } }) } catch (e) { throw e }",
      options: ["--timeout", "0.3", "--leaks"])
    #expect(outcome.code == 124)
  }

  @Test(arguments: [256, 300, -1]) func exitCodesThatThereAreNot(_ code: Int) async throws {
    let outcome = try await run(
      "try { NativeModules.Process.exit(\(code)) } catch (error) { console.log(error instanceof RangeError) }")
    #expect(outcome == Program.Outcome(code: 0, output: "true\n", error: ""))
  }

  private static let emptyModule = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])"

  /// The engine compiles beside the loop.
  @Test(arguments: RunTests.wires) func webAssemblyKeepsARunAlive(options: [String]) async throws {
    let outcome = try await run(
      """
      WebAssembly.compile(\(Self.emptyModule)).then((module) => WebAssembly.instantiate(module))
        .then((instance) => { console.log(instance instanceof WebAssembly.Instance); throw new Error('seen') });
      """, options: options)
    #expect(outcome.code == 1 && outcome.output == "true\n" && outcome.error.hasPrefix("Uncaught Error: seen\n"))
    let unhandled = try await run("WebAssembly.instantiate(new Uint8Array(3))", options: options)
    #expect(unhandled.code == 1 && unhandled.error.hasPrefix("Uncaught CompileError: "), "\(unhandled.error)")
  }
}
