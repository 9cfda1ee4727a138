import Foundation
import Testing

/// What the user reads when a script fails, and what the shell gets.
@Suite struct FailureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ script: String, options: [String] = []) async throws -> Program.Outcome {
    folder.write(script, to: "script.js")
    return try await Program(name: Program.trestle, folder: folder).run(options + ["script.js"])
  }

  private func expect(_ script: String, toFailWith error: String) async throws {
    #expect(try await run(script) == Program.Outcome(code: 1, output: "", error: error))
  }

  @Test func thrownErrors() async throws {
    try await expect(
      """
      const x = 1;
      function divide() {
      \tthrow new TypeError('cannot');
      }
      divide();
      """,
      toFailWith: """
        Uncaught TypeError: cannot
          3 | \tthrow new TypeError('cannot');
            | \t                   ^
            at divide (script.js:3:21)
            at script.js:5:7

        """)
  }

  @Test func syntaxErrors() async throws {
    try await expect(
      "let a = 1;\nlet b = (2 + ;\n",
      toFailWith: """
        Uncaught SyntaxError: Unexpected token ';'
          2 | let b = (2 + ;
            |              ^
            at script.js:2:14

        """)
  }

  @Test func whatIsNoErrorIsShown() async throws {
    try await expect("throw { a: 1 }", toFailWith: "Uncaught { a: 1 }\n")
    try await expect("Promise.reject({ b: ['x'] })", toFailWith: "Uncaught { b: [ 'x' ] }\n")
  }

  @Test func misspeltModules() async throws {
    try await expect(
      "NativeModules.Fles.readText('x')",
      toFailWith: """
        Uncaught TypeError: undefined is not an object (evaluating 'NativeModules.Fles.readText'): there is no module 'Fles'; did you mean 'Files'?
          1 | NativeModules.Fles.readText('x')
            |                   ^
            at script.js:1:19

        """)
  }

  /// What scripts for other programs take for granted.
  @Test(arguments: [
    ("require('fs')", "that is a part of Node"), ("export {}; require('fs')", "a module has import"),
    ("process.argv", "did you mean NativeModules.Process?"),
    ("Buffer.from('a')", "a Uint8Array"), ("fetch('x')", "no requests over the network"),
    ("export {}; module.exports = 1", "a file named .cjs"), ("export {}; __dirname", "import.meta.dirname"),
    ("window.x", "globalThis"), ("Files.exists('/')", "did you mean NativeModules.Files?"),
    ("consol.log(1)", "did you mean 'console'?"),
  ]) func namesThatAreNotThere(script: String, hint: String) async throws {
    let outcome = try await run(script)
    let title = outcome.error.prefix { $0 != "\n" }
    #expect(outcome.code == 1 && title.contains(hint), "\(outcome.error)")
  }

  @Test func errorsInTimersEndTheRun() async throws {
    try await expect(
      "setTimeout(() => {\n  null.foo;\n}, 0);\nsetTimeout(() => console.log('never'), 100);",
      toFailWith: """
        Uncaught TypeError: null is not an object (evaluating 'null.foo')
          2 |   null.foo;
            |       ^
            at script.js:2:7

        """)
  }

  @Test func unhandledRejections() async throws {
    try await expect(
      "async function later() {\n  await 1;\n  throw new Error('rejected');\n}\nlater();",
      toFailWith: """
        Uncaught Error: rejected
          3 |   throw new Error('rejected');
            |                  ^
            at later (script.js:3:18)

        """)
  }

  @Test func handledRejectionsAreNoErrors() async throws {
    #expect(try await run("Promise.reject(new Error('x')).catch(() => console.log('handled'))").output == "handled\n")
  }

  @Test func errorsOfNativeModules() async throws {
    let outcome = try await run("NativeModules.Files.readText('none.txt')")
    #expect(outcome.code == 1)
    #expect(outcome.error.hasPrefix("Uncaught FileError: none.txt: No such file or directory\n"), "\(outcome.error)")
  }

  @Test(arguments: [
    "for (;;);", "const again = () => Promise.resolve().then(again); again();", "for (;;) performance.now();",
    "/(a+)+$/.test('a'.repeat(100) + 'b');", "setInterval(() => {}, 1000);",
  ])
  func timeout(_ loop: String) async throws {
    let outcome = try await run(loop, options: ["--timeout", "0.3"])
    let error = "trestle: script.js has not ended after 0.3 seconds\n"
    #expect(outcome == Program.Outcome(code: 124, output: "", error: error))
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

  /// What is known before the run is wrong usage.
  @Test(arguments: ["--cpu-prof", "--trace"], ["none/a", "/"])
  func reportsThatCannotBeBegun(_ option: String, _ path: String) async throws {
    let outcome = try await run("console.log(1)", options: [option, path])
    #expect(outcome.code == 2 && outcome.output == "" && outcome.error.hasPrefix("trestle: \(path): "), "\(outcome)")
  }

  @Test(arguments: [["--cpu-prof", "/dev/full"], ["--trace", "/dev/full"]])
  func reportsThatCannotBeWritten(options: [String]) async throws {
    let outcome = try await run("console.log(1)", options: options)
    #expect(outcome.code == 1 && outcome.output == "1\n")
    #expect(outcome.error.hasPrefix("trestle: \(options[1]): "), "\(outcome.error)")
  }

  /// Whoever gives descriptors back gets a worker or an error, not the process's end.
  @Test func workersWhereDescriptorsAreFew() async throws {
    folder.write(
      """
      const open = [];
      const read = async () => {
        for (;;) {
          const lines = (await NativeModules.Files.lines('script.js'))[Symbol.asyncIterator]();
          await lines.next();
          open.push(lines);
        }
      };
      read().catch(async () => {
        for (let left = 0; left < 24; left++) {
          await new Promise((resolve) => {
            try {
              const worker = new Worker('postMessage(1)', { eval: true });
              worker.onmessage = worker.onerror = worker.onclose = resolve;
            } catch { resolve(); }
          });
          await open.pop()?.return();
        }
        console.log('alive');
        NativeModules.Process.exit(0);
      });
      """ + String(repeating: "\n// another line", count: 10_000), to: "script.js")
    for (limit, options) in [(250, ""), (251, "--memory-limit 4000"), (252, ""), (253, "--memory-limit 4000")] {
      let shell = Program(name: "/bin/sh", folder: folder)
      let trestle = "\(Program.products.path)/trestle \(options) --timeout 100 script.js"
      let outcome = try await shell.run(["-c", "ulimit -n \(limit); exec \(trestle)"])
      #expect(outcome == Program.Outcome(code: 0, output: "alive\n", error: ""))
    }
  }

  /// With so few none is run, or all goes well.
  @Test func fewDescriptors() async throws {
    // With three the program's libraries are not loaded.
    for limit in Array(4...13) + stride(from: 14, through: 60, by: 2) {
      let shell = Program(name: "/bin/sh", folder: folder)
      let outcome = try await shell.run([
        "-c", "ulimit -n \(limit); exec \(Program.products.path)/trestle -e 'console.log(1)'",
      ])
      let isRefused =
        outcome.code == 1 && outcome.error.hasPrefix("trestle: ") && outcome.error.contains("Too many open files")
      #expect(isRefused || outcome == Program.Outcome(code: 0, output: "1\n", error: ""), "\(limit): \(outcome)")
    }
  }

  /// The engine's threads open descriptors of their own, the last of them as a script's limits are first looked at.
  @Test func scriptsThatTakeAllDescriptors() async throws {
    folder.write(
      """
      const { Files } = NativeModules;
      const held = [];
      (async () => {
        try { for (;;) held.push(await Files.lines('script.js')); } catch (error) { console.log(error.message); }
        try {
          const worker = new Worker('postMessage(1)', { eval: true });
          await new Promise((resolve) => { worker.onmessage = worker.onerror = resolve; });
          worker.terminate();
        } catch {}
        setTimeout(() => console.log('end'), 1);
      })();
      """, to: "script.js")
    for limit in stride(from: 20, through: 80, by: 6) {
      let outcome = try await run(withDescriptors: limit, [])
      let isRefused =
        outcome.code == 1 && outcome.error.hasPrefix("trestle: ") && outcome.error.contains("Too many open files")
      let end = Program.Outcome(code: 0, output: "script.js: Too many open files\nend\n", error: "")
      #expect(isRefused || outcome == end, "\(limit): \(outcome)")
    }
  }

  /// What a worker needed and did not get is free again.
  @Test func aWorkerThatGetsNoDescriptorsKeepsNone() async throws {
    folder.write(
      """
      const { Files } = NativeModules;
      const held = [];
      const count = async () => (await Files.list('/proc/self/fd')).length;
      (async () => {
        const before = await count();
        try { for (;;) held.push(await Files.lines('script.js')); } catch {}
        const worker = new Worker('postMessage(1)', { eval: true });
        const { type } = await new Promise((resolve) => { worker.onerror = worker.onmessage = resolve; });
        for (const lines of held) await lines.return();
        // An engine's threads may have opened some meanwhile.
        console.log(type, await count() - before < 6);
      })();
      """, to: "script.js")
    let outcome = try await run(withDescriptors: 50, [])
    #expect(outcome == Program.Outcome(code: 0, output: "error true\n", error: ""))
  }

  /// Whether a program can be run as a user whose processes are counted: root's are not.
  private static let canBeNobody: Bool = {
    var folder = Program.products
    while folder.path != "/" {
      var status = stat()
      guard stat(folder.path, &status) == 0, status.st_mode & S_IXOTH != 0 else { return false }
      folder.deleteLastPathComponent()
    }
    return geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0
  }()

  /// The engine ends the process where it gets no thread, and tasks wait for ever.
  @Test(.enabled(if: canBeNobody), arguments: [1, 3, 8, 12, 16, 20, 28, 40, 60])
  func fewThreads(limit: Int) async throws {
    let script = """
      let ends = 0;
      const end = outcome => {
        if (outcome !== 'ok' && !outcome.includes('no threads')) console.log(outcome);
        if (++ends === 30) NativeModules.Process.exit(0);
      };
      for (let i = 0; i < 30; i++) {
        const worker = new Worker(`const a = []; for (let i = 0; i < 1e5; i++) a.push({ i }); postMessage("ok")`, { eval: true });
        worker.onmessage = ({ data }) => end(data);
        worker.onerror = ({ message }) => end(message);
      }
      """
    // Each has a user of its own: their processes are counted together.
    let nobody = "setpriv --reuid \(61_000 + limit) --regid 65534 --clear-groups"
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/bash", folder: folder).run([
      "-c", "ulimit -u \(limit); exec \(nobody) \(trestle) -e '\(script.replacing("'", with: "\""))'",
    ])
    let isRefused = outcome.code == 1 && outcome.error.hasPrefix("trestle: no threads: ")
    #expect(isRefused || outcome == Program.Outcome(code: 0, output: "", error: ""), "\(outcome)")
  }

  /// The engine would end the process with a page of addresses.
  @Test func fewAddresses() async throws {
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    for gigabytes in [1, 3, 4, 5, 6] {
      let outcome = try await Program(name: "/bin/sh", folder: folder).run([
        "-c", "ulimit -v \(gigabytes << 20); exec \(trestle) -e 'console.log(1)'",
      ])
      // Of few addresses some may be left for the engine, and none for a thread.
      let words = ["(ulimit -v)", "no threads: "]
      let isRefused = outcome.code == 1 && words.contains(where: outcome.error.contains)
      #expect(isRefused || outcome == Program.Outcome(code: 0, output: "1\n", error: ""), "\(gigabytes): \(outcome)")
    }
  }

  /// However many a script keeps, the engine's own threads and workers get some; and limits hold on.
  @Test(arguments: RunTests.wires) func aScriptLeavesDescriptors(options: [String]) async throws {
    folder.write(
      """
      (async () => {
        const keep = [];
        try { for (;;) keep.push(await NativeModules.Files.lines('script.js')) } catch (error) { console.log(error.message) }
        const script = 'for (const end = Date.now() + 100; Date.now() < end;); postMessage("alive"); setInterval(() => {}, 1000)';
        for (let i = 0; i < 64; i++) {
          const worker = new Worker(script, { eval: true });
          const { data, message } = await new Promise(resolve => { worker.onmessage = worker.onerror = resolve });
          if (i === 0 || message) console.log(data ?? message);
          if (message) break;
        }
        for (const all = []; ; ) all.push(new Array(1000).fill(1));
      })();
      """, to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let command = "ulimit -n 100; exec \(trestle) run \(options.joined(separator: " ")) --memory-limit 1000 script.js"
    let outcome = try await Program(name: "/bin/sh", folder: folder).run(["-c", command])
    #expect(outcome.code == 125)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.prefix(2) == ["script.js: Too many open files", "alive"], "\(outcome)")
    #expect(lines.count == 3 && lines[2].hasSuffix("Too many open files"), "\(outcome)")
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
    while kill(process, 0) == 0, Date() < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(kill(process, 0) != 0, "\(process) was left behind")
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

  /// Where no descriptor is left a program is not started, and one that has ended gives its own back.
  @Test func programsAreRefusedWhereNoDescriptorIsLeft() async throws {
    folder.write(
      """
      const { Processes } = NativeModules;
      (async () => {
        for (let i = 0; i < 200; i++) await Processes.run('true');
        const all = [];
        try { for (;;) all.push(await Processes.start('cat')); } catch (error) { console.log(error.message); }
        for (const program of all) program.kill();
        for (const program of all) { await program.status(); program.release(); }
        all.length = 0;
        console.log((await Processes.run('echo', ['again'])).output);
      })();
      """, to: "script.js")
    let outcome = try await run(withDescriptors: 100, [])
    #expect(outcome == Program.Outcome(code: 0, output: "cat: Too many open files\nagain\n\n", error: ""))
  }

  /// The descriptors of streams that a script forgets are there again, for the script and for its workers.
  @Test(arguments: RunTests.wires) func forgottenStreamsKeepNoDescriptors(options: [String]) async throws {
    folder.write(
      """
      const { Files } = NativeModules;
      (async () => {
        for (let i = 0; i < 2000; i++) await (await Files.lines('script.js')).next();
        for (let i = 0; i < 100; i++) await Promise.all(Array.from({ length: 20 }, () => Files.lines('script.js')));
        for (let i = 0; i < 200; i++) { await Files.lines('script.js'); await Files.list('.'); await Files.readText('script.js'); }
        for (let i = 0; i < 500; i++) await (await Files.open('script.js')).read(0, 9);
        console.log('all');
      })();
      """, to: "script.js")
    let outcome = try await run(withDescriptors: 100, options)
    #expect(outcome == Program.Outcome(code: 0, output: "all\n", error: ""))
  }

  /// Each takes maps of memory, and the engine ends the process where there are no more.
  @Test(arguments: RunTests.wires) func resizableBuffersAreRefusedBeforeTheSystemRefusesThem(options: [String])
    async throws
  {
    folder.write(
      """
      const held = [], make = () => new ArrayBuffer(1, { maxByteLength: 1e6 });
      try { for (;;) held.push(make()); } catch (error) { console.log(held.length > 1000, error instanceof RangeError); }
      try { held.push(structuredClone(held[0])); } catch (error) { console.log(error instanceof RangeError); }
      new Worker('const made = []; for (;;) made.push(new ArrayBuffer(1, { maxByteLength: 1e6 }))', { eval: true }).onerror = ({ message }) => {
        console.log(message);
        held.length = 0;
        // What is forgotten makes room, soon.
        const again = () => { try { make(); console.log('again'); } catch { setTimeout(again, 20); } };
        again();
      };
      """, to: "script.js")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["run"] + options + ["script.js"])
    #expect(outcome.code == 0 && outcome.error == "", "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 4 && lines[..<2] == ["true true", "true"] && lines.last == "again", "\(outcome)")
  }

  @Test(arguments: RunTests.wires) func forgottenResizableBuffersMakeRoom(options: [String]) async throws {
    folder.write(
      """
      let turns = 0;
      function turn() {
        for (let i = 0; i < 3000; i++) new ArrayBuffer(1, { maxByteLength: 1e6 });
        if (++turns < 20) setTimeout(turn); else console.log('all');
      }
      turn();
      """, to: "script.js")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["run"] + options + ["script.js"])
    #expect(outcome == Program.Outcome(code: 0, output: "all\n", error: ""))
  }

  /// The engine has a place of a fixed size for the bytes of all buffers, and a new engine that finds none there ends the process.
  @Test(arguments: RunTests.wires) func aWorkerIsRefusedWhereBuffersHaveTakenAllSpace(options: [String]) async throws {
    folder.write(
      """
      const held = [];
      for (let size = 2 ** 31; size >= 16; size /= 2) try { for (let i = 0; i < 1e5; i++) held.push(new ArrayBuffer(size)); } catch {}
      try { new Worker('0', { eval: true }); } catch (error) { console.log(error instanceof RangeError, error.message); }
      """, to: "script.js")
    let outcome = try await Program(name: Program.trestle, folder: folder).run(["run"] + options + ["script.js"])
    #expect(outcome == Program.Outcome(code: 0, output: "true Out of memory\n", error: ""))
  }

  /// What is open is there for as long as the script wants, and what is closed makes room.
  @Test func scriptsThatHoldAllTheFilesTheyCan() async throws {
    folder.write(
      """
      (async () => {
        const { Files } = NativeModules, all = [];
        try { for (;;) all.push(await Files.open('script.js')); } catch (error) { console.log(error.code, error.message, all.length > 20); }
        await all.pop().close();
        all.push(await Files.open('script.js'));
        console.log((await all.at(-1).read(0, 5)).length, (await all[0].read(0, 5)).length);
      })();
      """, to: "script.js")
    let outcome = try await run(withDescriptors: 100, [])
    #expect(
      outcome
        == Program.Outcome(code: 0, output: "ERR_SYSTEM script.js: Too many open files true\n5 5\n", error: ""))
  }

  private func run(withDescriptors limit: Int, _ options: [String]) async throws -> Program.Outcome {
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let command = "ulimit -n \(limit); exec \(trestle) run \(options.joined(separator: " ")) script.js"
    return try await Program(name: "/bin/sh", folder: folder).run(["-c", command])
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

  @Test func errorsThatReferToThemselves() async throws {
    try await expect(
      "const e = new Error('x'); e.a = e; e.b = { e, f: 1 }; e.cause = e; e.errors = [e]; throw e",
      toFailWith: """
        Uncaught Error: x
          1 | const e = new Error('x'); e.a = e; e.b = { e, f: 1 }; e.cause = e; e.errors = [e]; throw e
            |                    ^
            at script.js:1:20
            a: "[Circular]"
            b: {"e":"[Circular]","f":1}
          one of them: [Circular]
          caused by: [Circular]

        """)
  }

  /// A run that is being ended ends as it is to, whatever its script makes of it.
  @Test func timeoutsWhileErrorsAreTold() async throws {
    let outcome = try await run(
      "for (;;) try { throw Object.defineProperty(new Error('x'), 'message', { get() { for (;;); } }) } catch (e) { throw e }",
      options: ["--timeout", "0.3", "--leaks"])
    #expect(outcome.code == 124)
  }

  /// A script writes what it likes into a stack; that opens no file.
  @Test(arguments: ["/etc/passwd", "/dev/zero", "fifo", "-", "other.js"])
  func stacksThatNameFiles(_ name: String) async throws {
    folder.write("// secret", to: "other.js")
    mkfifo(folder.url.path + "/fifo", 0o600)
    try await expect(
      "const e = new Error('x'); e.stack = 'f@\(name):1:1'; throw e",
      toFailWith: "Uncaught Error: x\n    at f (\(name):1:1)\n")
  }

  @Test func errorsOfWorkersShowTheirLine() async throws {
    folder.write("// first\nnull.foo;", to: "worker.js")
    let outcome = try await run("new Worker('worker.js').onerror = (event) => { throw event.error ?? event }")
    #expect(outcome.error.contains("2 | null.foo;"), "\(outcome.error)")
  }

  /// Terminals obey them.
  @Test func controlCharactersAreShown() async throws {
    let outcome = try await run(#"const e = new Error('\u001b[2J\r\u009b\u202e\n\tä'); e.name = '\u0007'; throw e"#)
    #expect(outcome.error.hasPrefix("Uncaught \\u0007: \\u001B[2J\\u000D\\u009B\\u202E\n\tä\n"), "\(outcome.error)")
  }

  @Test(arguments: [
    ["run", "\u{1B}[31mno.js"], ["types", "\u{1B}[31mfoo"], ["run", "--\u{1B}[31mfoo"], ["\u{9B}31m.js"],
  ])
  func controlCharactersOfArgumentsAreShown(arguments: [String]) async throws {
    let outcome = try await Program(name: Program.trestle, folder: folder).run(arguments)
    #expect(outcome.code != 0 && outcome.error.contains("\\u00"), "\(outcome)")
    #expect(!outcome.error.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
  }

  @Test(arguments: [
    ("console.log(1); console.log(2)", "> /dev/full", "No space left on device", 1),
    (
      "NativeModules.Process.write('x'); NativeModules.Process.exit(3)", "> /dev/full", "No space left on device",
      3
    ),
    ("console.log(1)", ">&-", "Bad file descriptor", 1),
  ])
  func outputThatCannotBeWritten(_ script: String, to output: String, _ reason: String, _ code: Int32) async throws {
    folder.write(script, to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run(["-c", "exec \(trestle) script.js \(output)"])
    #expect(outcome == Program.Outcome(code: code, output: "", error: "trestle: standard output: \(reason)\n"))
  }

  @Test func descriptorsThatThereAreNot() async throws {
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run([
      "-c", "ulimit -n 12; exec \(trestle) -e 'console.log(1)'",
    ])
    #expect(outcome.code == 1 && outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix("trestle: ") && outcome.error.hasSuffix(": Too many open files\n"), "\(outcome)")
  }

  /// There is nobody to be told but who looks at the exit code.
  @Test func errorsThatCannotBeWritten() async throws {
    folder.write("console.log(1); console.error(2)", to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let outcome = try await Program(name: "/bin/sh", folder: folder).run([
      "-c", "exec \(trestle) script.js 2> /dev/full",
    ])
    #expect(outcome == Program.Outcome(code: 1, output: "1\n", error: ""))
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
