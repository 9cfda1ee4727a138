import Foundation
import Testing

/// `trestle run`, through the real binary.
@Suite struct RunTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs `script` as `script.js`.
  private func run(
    _ script: String, options: [String] = [], arguments: [String] = [], input: String = ""
  ) async throws -> Program.Outcome {
    folder.write(script, to: "script.js")
    return try await Program(name: Program.trestle, input: input, folder: folder).run(
      options + ["script.js"] + arguments)
  }

  private func trestle(_ arguments: String..., input: String = "") async throws -> Program.Outcome {
    try await Program(name: Program.trestle, input: input, folder: folder).run(arguments)
  }

  static let wires = [[], ["--wire", "react-native"]]

  /// Whoever reads it, or has it read, would wait for ever.
  @Test(arguments: [
    "Files.copy('/proc/kmsg', 'copy')", "SQLite.open('/proc/kmsg')", "(async () => SQLite.openSync('/proc/kmsg'))()",
    "SQLite.open(':memory:').then(database => database.exec(\"ATTACH '/proc/kmsg' AS k; SELECT * FROM k.t\"))",
  ])
  func filesOfTheKernelsKeepNobodyWaiting(body: String) async throws {
    let outcome = try await run(
      """
      const { Files, SQLite } = NativeModules;
      \(body).then(() => console.log('done'), ({ message }) => console.log(message)).then(() => Files.exists('script.js')).then(console.log);
      """, options: ["--timeout", "60"])
    #expect(outcome.code == 0 && outcome.output.hasSuffix("true\n") && !outcome.output.contains("done"), "\(outcome)")
    let words = ["keeps its reader waiting", "unable to open database", "ermission", "No such file", "not permitted"]
    #expect(words.contains { outcome.output.contains($0) }, "\(outcome)")
  }

  /// What looks as a signal, and is none.
  @Test(arguments: wires) func signalsOfTheScriptsOwnLoseNoAnswer(options: [String]) async throws {
    let outcome = try await run(
      """
      const { Files } = NativeModules, tell = (promise) => promise.then(console.log, ({ message }) => console.log(message));
      (async () => {
        await tell(Files.exists('script.js', { signal: { aborted: false, addEventListener() {} } }));
        await tell(Files.exists('script.js', { aborted: false, addEventListener() {}, removeEventListener() { throw new Error('mine'); } }));
      })();
      """, options: options)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines == ["true", "true"], "\(outcome)")
    #expect(outcome.code == 1 && outcome.error.contains("mine"), "\(outcome)")
  }

  @Test(arguments: wires) func runsUntilNothingIsLeftToDo(options: [String]) async throws {
    let outcome = try await run(
      """
      #!/usr/bin/env trestle
      console.log('one'); console.error('two');
      setTimeout(() => console.log('three'), 1);
      NativeModules.Files.exists('/').then(there => setTimeout(() => console.log('four', there), 20));
      """, options: options)
    #expect(outcome == Program.Outcome(code: 0, output: "one\nthree\nfour true\n", error: "two\n"))
  }

  @Test func aByteOrderMarkBeforeTheInterpreterLine() async throws {
    let outcome = try await run("\u{FEFF}#!/usr/bin/env trestle\nconsole.log(new Error().stack.split('\\n')[0])")
    #expect(outcome.code == 0 && outcome.output.contains(":2:"), "\(outcome)")
  }

  @Test func argumentsReachTheScript() async throws {
    let script = "const { Process } = NativeModules; console.log(Process.script, Process.arguments)"
    let expected = "script.js [ '--timeout', 'x', '--', '-e', 'ü' ]\n"
    #expect(try await run(script, arguments: ["--timeout", "x", "--", "-e", "ü"]).output == expected)
    folder.write(script, to: "script.js")
    #expect(try await trestle("run", "script.js", "--timeout", "x", "--", "-e", "ü").output == expected)
    #expect(try await trestle("-e", script, "a", "b").output == "[eval] [ 'a', 'b' ]\n")
    #expect(try await trestle("-", "a", input: script).output == "[stdin] [ 'a' ]\n")
  }

  @Test(arguments: wires) func whatAWorkerThrowsIsAnErrorWithAPlace(options: [String]) async throws {
    folder.write("'use strict';\nthrow new TypeError('boom');", to: "w.js")
    let outcome = try await run(
      """
      const worker = new Worker('w.js');
      worker.onerror = ({ error, message, filename, lineno }) => console.log(error instanceof Error, error.name, message, filename.split('/').pop(), lineno);
      """, options: options)
    #expect(outcome == Program.Outcome(code: 0, output: "true TypeError boom w.js 2\n", error: ""))
  }

  @Test(arguments: wires) func environmentAndInputReachTheScript(options: [String]) async throws {
    let outcome = try await run(
      """
      const { Process } = NativeModules;
      (async () => {
        console.log(await Process.readLine());
        for await (const line of Process.lines()) console.log('<' + line + '>');
        console.log(await Process.readLine(), Process.environment.PATH, Process.workingDirectory().length > 0);
      })();
      """, options: options, input: "first\nsecond\n\nlast")
    #expect(outcome.output == "first\n<second>\n<>\n<last>\nnull /usr/bin:/bin true\n")
    #expect(
      try await run("NativeModules.Process.readInput().then(text => console.log(text.length))", input: "a\nb").output
        == "3\n"
    )
  }

  @Test(arguments: wires) func inputIsTakenInAnyMixture(options: [String]) async throws {
    let outcome = try await run(
      """
      const { Process } = NativeModules;
      (async () => {
        for await (const line of Process.lines()) { console.log(line); if (line === 'b') break; }
        console.log(await Promise.all([Process.readLine(), Process.readLine()]));
        console.log([await Process.readInput(), await Process.readInput(), await Process.readLine()]);
        console.log(Object.keys(Process).filter(name => /read|lines/.test(name)).sort());
      })();
      """, options: options, input: "a\r\nb\nc\n\nd\r\n\ne")
    #expect(
      outcome.output
        == "a\nb\n[ 'c', '' ]\n[ 'd\\r\\n\\ne', '', null ]\n[ 'lines', 'readInput', 'readLine' ]\n")
  }

  /// Who asks first is served first, whatever they ask for.
  @Test(arguments: wires) func readsKeepTheirOrder(options: [String]) async throws {
    let outcome = try await run(
      """
      const { Process } = NativeModules, lines = Process.lines(), aborted = new AbortController();
      (async () => {
        console.log(await Process.readLine());
        const reads = [
          Process.readInput(aborted), Process.readLine(), lines.next().then(item => item.value), Process.readInput(), Process.readLine(),
          Process.readInput(),
        ];
        aborted.abort();
        console.log((await Promise.allSettled(reads)).map(({ value, reason }) => reason?.name ?? value));
      })();
      """, options: options, input: "a\nb\nc\nd\ne\n")
    #expect(outcome.output == "a\n[ 'AbortError', 'b', 'c', 'd\\ne\\n', null, '' ]\n", "\(outcome.error)")
  }

  @Test(arguments: wires) func inputThatIsNoTextIsAnError(options: [String]) async throws {
    folder.write(
      """
      const { Process } = NativeModules;
      (async () => {
        for (let i = 0; i < 3; i++) console.log(await Process.readLine().catch(error => `${error.code} ${error.message}`));
        console.log(await Process.readInput().catch(error => `${error.code} ${error.message}`));
      })();
      """, to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let command = "printf 'a\\n\\377\\nb\\n\\377' | '\(trestle)' \(options.joined(separator: " ")) script.js"
    let outcome = try await Program(name: "/bin/sh", folder: folder).run(["-c", command])
    let error = "ERR_NOT_TEXT standard input: not UTF-8 text"
    #expect(outcome.output == "a\n\(error)\nb\n\(error)\n", "\(outcome.error)")
  }

  /// What was read for those that are aborted is for those that ask next.
  @Test(arguments: wires) func abortedReadsTakeNothing(options: [String]) async throws {
    let outcome = try await run(
      """
      const { Process } = NativeModules, all = [], wait = () => new Promise(resolve => setTimeout(resolve, 0));
      (async () => {
        for (let i = 0; i < 50; i++) {
          const controller = new AbortController();
          const read = (i % 7 === 6 ? Process.readInput(controller) : Process.readLine(controller)).catch(error => error.name);
          if (i % 2) await wait();
          controller.abort();
          const line = await read;
          if (line && line !== 'AbortError') all.push(...line.trim().split('\\n'));
        }
        for await (const line of Process.lines()) all.push(line);
        console.log(all.length, all.every((line, i) => line === `${i}`));
      })();
      """, options: options, input: (0..<2000).map { "\($0)\n" }.joined())
    #expect(outcome == Program.Outcome(code: 0, output: "2000 true\n", error: ""))
  }

  /// Where the stack ends a read takes its line to who asked for it, or none.
  @Test(
    arguments: [
      ("Process.readLine()", ""), ("lines.next()", ".then(item => item.value)"), ("Process.readLine(controller)", ""),
      ("Process.lines().next()", ".then(item => item.value)"),
    ], wires)
  func linesWhereTheStackEnds(ask: (call: String, value: String), options: [String]) async throws {
    let outcome = try await run(
      """
      const { Process } = NativeModules, lines = Process.lines(), controller = new AbortController(), asked = [], all = [];
      let left = 1500, failed = 0;
      function deep() {
        try { deep(); } catch {}
        if (left-- > 0) try { asked.push(\(ask.call)); } catch { failed++; }
      }
      (async () => {
        deep();
        for (const line of asked) try { all.push(await line\(ask.value)); } catch { failed++; }
        all.push(await Process.readLine());
        for await (const line of lines) all.push(line);
        console.log(failed > 0, all.length > 1, all.every((line, i) => line === `${i}`), all.length);
      })();
      """, options: options, input: (0..<3000).map { "\($0)\n" }.joined())
    #expect(outcome == Program.Outcome(code: 0, output: "true true true 3000\n", error: ""))
  }

  /// What is asked for with a signal of the script's own that throws takes no line of another's.
  @Test(arguments: wires) func signalsThatThrowTakeNoLines(options: [String]) async throws {
    let outcome = try await run(
      """
      const { Process } = NativeModules, signal = { aborted: false, addEventListener() { throw new Error('mine') } };
      (async () => {
        console.log(await Process.readLine(signal).catch(error => error.message), await Process.readLine());
      })();
      """, options: options, input: "one\ntwo\n")
    #expect(outcome == Program.Outcome(code: 0, output: "mine one\n", error: ""))
  }

  /// One that is aborted as its line comes leaves that where it was.
  @Test(arguments: wires) func signalsThatAbortAtTheEndTakeNoLines(options: [String]) async throws {
    let outcome = try await run(
      """
      const { Process } = NativeModules;
      const signal = {
        aborted: false, reason: new Error('late'),
        addEventListener(type, listener) { this.listener = listener; },
        removeEventListener() { this.aborted = true; this.listener({ type: 'abort', target: this }); },
      };
      (async () => {
        const read = Process.readLine(signal).catch(error => 'aborted');
        for (const line of [read, Process.readLine(), Process.readLine(), Process.readLine()]) console.log(await line);
      })();
      """, options: options, input: "one\ntwo\n")
    #expect(outcome == Program.Outcome(code: 0, output: "aborted\none\ntwo\nnull\n", error: ""))
  }

  /// Standard input stays open; others still have what comes later.
  @Test(arguments: wires) func aRunDoesNotWaitForReadsThatWereAborted(options: [String]) async throws {
    folder.write(
      """
      const { Process } = NativeModules;
      const until = (promise) => promise.catch((error) => error.name).then((text) => console.log(text));
      (async () => {
        for (const read of [Process.readLine, Process.readInput]) {
          const [first, second] = [new AbortController(), new AbortController()];
          const reads = [until(read(first.signal)), until(read(second.signal))];
          await null;
          first.abort();
          await new Promise(setTimeout);
          second.abort();
          await Promise.all(reads);
        }
        const controller = new AbortController(), rest = Process.readInput(controller.signal), line = Process.readLine();
        controller.abort();
        await until(rest);
        await NativeModules.Files.appendText('in', 'a line\\n');
        console.log(await line);
        await until(Process.readLine(AbortSignal.timeout(20)));
      })();
      """, to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let command = "mkfifo in; exec \(trestle) run \(options.joined(separator: " ")) script.js <> in"
    let outcome = try await Program(name: "/bin/sh", folder: folder).run(["-c", command])
    let expected = String(repeating: "AbortError\n", count: 5) + "a line\nTimeoutError\n"
    #expect(outcome == Program.Outcome(code: 0, output: expected, error: ""))
  }

  /// What is no error is told as that, whatever its own answers are.
  @Test(arguments: wires) func proxiesThatThrowProxiesAreTold(options: [String]) async throws {
    let outcome = try await run(
      """
      const hostile = new Proxy({}, { getPrototypeOf() { throw new Proxy({}, { getPrototypeOf() { throw 1; } }); } });
      try { NativeModules.Process.exit(hostile); } catch (error) { console.log(error.message); }
      """, options: options)
    #expect(outcome.output == "Process.exit, argument 1 'code': expected an integer from 0 to 255, got object\n")
  }

  @Test(arguments: wires) func exitEndsAtOnce(options: [String]) async throws {
    let outcome = try await run(
      "setInterval(() => {}, 1); console.log('out'); NativeModules.Process.exit(7); console.log('never')",
      options: options)
    #expect(outcome == Program.Outcome(code: 7, output: "out\n", error: ""))
  }

  @Test(arguments: [
    ([], "Name a script to run."), (["--bogus"], "Unknown option '--bogus'."), (["run"], "Name a script to run."),
    (["--timeout", "x", "a.js"], "'x' is invalid"), (["--timeout", "0", "a.js"], "--timeout must be more than 0"),
    (["--timeout=nan", "a.js"], "--timeout must be more than 0"),
    (["--timeout", "-1", "a.js"], "--timeout must be more than 0"),
    (["--memory-limit", "-1", "a.js"], "--memory-limit must be more than 0"),
    (["--timeout", "inf", "a.js"], "and at most 100000000 seconds"),
    (["--timeout", "1e30", "a.js"], "and at most 100000000 seconds"),
    (["--memory-limit", "9999999999999", "a.js"], "and at most 8796093022207 megabytes"),
    (["--wire", "x", "a.js"], "one of 'shared' and 'react-native'"),
    (["--wire", "react-native", "a.mjs"], "'a.mjs' is a module, which the shared wire alone runs"),
    (["--memory-limit", "0", "a.js"], "--memory-limit must be more than 0"), (["-e"], "Missing value"),
  ])
  func wrongUsage(_ arguments: [String], _ message: String) async throws {
    let outcome = try await Program(name: Program.trestle, folder: folder).run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.error.contains(message), "\(outcome.error)")
  }

  /// However the run ends.
  @Test(arguments: ["", "NativeModules.Process.exit(7)", "throw new Error('no')"])
  func traceAndMetrics(ending: String) async throws {
    let outcome = try await run(
      "NativeModules.Files.exists('/').then(there => { console.log(there); \(ending) })",
      options: ["--trace", "trace.json", "--metrics"])
    #expect(outcome.output == "true\n")
    #expect(outcome.error.contains("\nFiles.exists"), "\(outcome.error)")
    #expect(outcome.error.contains("\nheap "), "\(outcome.error)")
    let data = try Data(contentsOf: folder.url.appending(path: "trace.json"))
    let events = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(events.contains { $0["name"] as? String == "Files.exists" && $0["ph"] as? String == "b" })
  }

  @Test func aTraceThatCannotBeWritten() async throws {
    let missing = try await run("1", options: ["--trace", "nowhere/trace.json"])
    #expect(missing.code == 2)
    #expect(missing.error == "trestle: nowhere/trace.json: cannot write the trace: No such file or directory\n")
    let full = try await run("console.log(1)", options: ["--trace", "/dev/full"])
    #expect(full.error == "trestle: /dev/full: cannot write the trace: No space left on device\n")
  }

  @Test(arguments: ["", "NativeModules.Process.exit(7)", "throw new Error('no')", "Promise.reject(1)"])
  func cpuProfile(ending: String) async throws {
    let outcome = try await run(
      """
      function work(n) { return n < 2 ? n : work(n - 1) + work(n - 2) }
      for (let i = 0; i < 200; i++) work(24);
      \(ending)
      """, options: ["--cpu-prof", "a.cpuprofile"])
    #expect(!outcome.error.contains("trestle:"), "\(outcome.error)")
    let data = try Data(contentsOf: folder.url.appending(path: "a.cpuprofile"))
    let profile = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let nodes = try #require(profile["nodes"] as? [[String: Any]])
    let frames = nodes.compactMap { $0["callFrame"] as? [String: Any] }
    let work = try #require(frames.first { $0["functionName"] as? String == "work" })
    #expect((work["url"] as? String)?.hasSuffix("script.js") == true)
    let samples = try #require(profile["samples"] as? [Int])
    let deltas = try #require(profile["timeDeltas"] as? [Double])
    #expect(samples.count == deltas.count && samples.count > 3)
    #expect(deltas.allSatisfy { $0 >= 0 })
    #expect(Set(samples).isSubset(of: nodes.compactMap { $0["id"] as? Int }))
    #expect(nodes.reduce(0) { $0 + ($1["hitCount"] as? Int ?? 0) } == samples.count)
  }

  /// Starts a script, and ends it from outside once it has written something.
  private func interrupt(
    _ script: String, options: [String], by signal: CInt = SIGINT
  ) async throws -> Program.Outcome {
    folder.write(script, to: "script.js")
    let program = Program(name: Program.trestle, folder: folder)
    let child = try program.start(options + ["script.js"])
    while folder.read(".output").isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    kill(child, signal)
    return try await program.finish(child)
  }

  /// What supervisors and terminals that go away send ends it as an interruption does.
  @Test(arguments: [SIGTERM, SIGHUP], ["", "for (;;);"])
  func reportsOfARunThatASignalEnds(signal: CInt, ending: String) async throws {
    let outcome = try await interrupt(
      "console.log('there');\n\(ending)\nsetInterval(() => {}, 1000);",
      options: ["--trace", "t.json", "--metrics", "--leaks"],
      by: signal)
    #expect(outcome.code == 128 + signal && outcome.output == "there\n")
    #expect(outcome.error.hasPrefix("outstanding: nothing\nturns "), "\(outcome.error)")
    let events = try JSONSerialization.jsonObject(with: Data(folder.read("t.json").utf8)) as? [Any]
    #expect(try #require(events).count > 1)
  }

  /// Of one that waits, and of one that is at work: not for ever, as other tests run beside it.
  @Test(arguments: ["", "const end = Date.now() + 60000; while (Date.now() < end) work(20);"])
  func cpuProfileOfAnInterruptedRun(ending: String) async throws {
    let outcome = try await interrupt(
      """
      function work(n) { return n < 2 ? n : work(n - 1) + work(n - 2) }
      work(30);
      console.log('there');
      \(ending)
      setInterval(() => {}, 1000);
      """, options: ["--cpu-prof", "a.cpuprofile"])
    #expect(outcome == Program.Outcome(code: 130, output: "there\n", error: ""))
    let profile = folder.read("a.cpuprofile")
    #expect(profile.contains(#""functionName":"work""#), "\(profile)")
  }

  /// However the run ends.
  @Test(arguments: [("", 0), ("NativeModules.Process.exit(7)", 7)])
  func leaks(ending: String, code: Int32) async throws {
    let outcome = try await run(
      """
      globalThis.all = [];
      const add = lines => {
        if (all.push(lines) === 3) { \(ending) }
      };
      for (let i = 0; i < 3; i++) NativeModules.Files.lines('script.js').then(add);
      """, options: ["--leaks"])
    #expect(outcome.code == code)
    let table = outcome.error.replacing(/, [\d.]+ s,/, with: ",")
    #expect(table == "outstanding: 3\n  3 × stream from Files.lines, at script.js:5:54 (the oldest)\n")
  }

  @Test func leaksOfAnInterruptedRun() async throws {
    let outcome = try await interrupt(
      "new Promise(() => {}); setInterval(() => {}, 1000); NativeModules.Files.addListener('due', () => {});\nconsole.log('there');",
      options: ["--leaks"])
    #expect(outcome.code == 130)
    #expect(outcome.error.hasPrefix("outstanding: 1\n  listener of Files.due, "), "\(outcome)")
  }

  @Test func leaksAtATimeout() async throws {
    let outcome = try await run("setInterval(() => {}, 1)", options: ["--leaks", "--timeout", "0.5"])
    #expect(outcome.code == 124)
    #expect(outcome.error.hasPrefix("trestle: script.js has not ended after 0.5 seconds\n"), "\(outcome)")
  }

  /// The script waits for a reader, and so does what is to be said of its end.
  @Test(.timeLimit(.minutes(1)), arguments: ["console.error", "console.log"])
  func aTimeoutEndsARunThatNobodyReads(_ write: String) async throws {
    folder.write("for (;;) \(write)('x'.repeat(1000));", to: "script.js")
    let trestle = Program.products.appendingPathComponent(Program.trestle).path
    let command =
      "mkfifo pipe; exec 3<> pipe; '\(trestle)' --timeout 0.5 --leaks script.js > pipe 2> pipe; echo $? > code; cat code"
    let outcome = try await Program(name: "/bin/sh", folder: folder).run(["-c", command])
    #expect(outcome.output == "124\n")
  }

  /// No limit is looked at in the middle of it.
  @Test(.timeLimit(.minutes(1))) func memoryEndsOneStepOfTheEngine() async throws {
    let outcome = try await run("Object.keys(new Array(3e7).fill(1))", options: ["--memory-limit", "200"])
    #expect(outcome.code == 125, "\(outcome)")
  }

  /// Nor while it takes two seconds to take all the memory that there is.
  @Test(.timeLimit(.minutes(1))) func memoryFarBeyondTheLimitEndsAStepAtOnce() async throws {
    let outcome = try await run("new Uint8Array(2e9).fill(1)", options: ["--memory-limit", "100"])
    #expect(outcome.code == 125 && outcome.error.contains("nothing else has ended it"), "\(outcome)")
    let profiled = try await run(
      "new Uint8Array(2e9).fill(1)", options: ["--memory-limit", "100", "--cpu-prof", "a.cpuprofile"])
    #expect(profiled.code == 125 && profiled.error.contains("there was no time for its reports"), "\(profiled)")
  }

  @Test func aProfileThatCannotBeWritten() async throws {
    let missing = try await run("console.log(1)", options: ["--cpu-prof", "nowhere/a.cpuprofile"])
    #expect(
      missing
        == Program.Outcome(code: 2, output: "", error: "trestle: nowhere/a.cpuprofile: No such file or directory\n"))
  }

  /// JavaScript that finds the modules and the log as React Native's does.
  @Test func reactNativesGlobals() async throws {
    let outcome = try await run(
      """
      nativeLoggingHook('info', 1);
      nativeLoggingHook('warning', 2);
      __fbBatchedBridge.registerCallableModule('JSTimers', {callTimers(ids) { nativeLoggingHook(ids.join(), 1) }});
      nativeModuleProxy.Files.exists('/').then(there => {
        nativeLoggingHook(`${there}`, 0);
        nativeModuleProxy.Timing.createTimer(7, 1, Date.now(), false);
      });
      """, options: ["--wire", "react-native"])
    #expect(outcome == Program.Outcome(code: 0, output: "info\ntrue\n7\n", error: "warning\n"))
    #expect(try await run("console.log(typeof nativeModuleProxy)").output == "undefined\n")
  }

  /// Only a fatal exception ends the run.
  @Test func reactNativesExceptions() async throws {
    let outcome = try await run(
      """
      const {ExceptionsManager, Files} = nativeModuleProxy;
      ExceptionsManager.reportSoftException('soft', [{file: 'script.js', methodName: 'f', lineNumber: 1, column: 7}], 1);
      ExceptionsManager.updateExceptionMessage('again', [], 1);
      Files.exists('/').then(() => { console.log('on'); ExceptionsManager.reportException(
        {message: 'TypeError: x', originalMessage: 'x', name: 'TypeError', stack: [], id: 2, isFatal: true}); });
      setInterval(() => {}, 1);
      """, options: ["--wire", "react-native"])
    let line = "const {ExceptionsManager, Files} = nativeModuleProxy;"
    #expect(
      outcome
        == Program.Outcome(
          code: 1, output: "on\n",
          error: "Uncaught Error: soft\n  1 | \(line)\n    |       ^\n    at f (script.js:1:7)\nUncaught TypeError: x\n"
        ))
  }

  @Test(arguments: wires) func workers(options: [String]) async throws {
    folder.write("onmessage = ({ data }) => { console.log(data); postMessage(name) }", to: "worker.js")
    let outcome = try await run(
      """
      const worker = new Worker('worker.js', { name: 'mine' });
      worker.onmessage = ({ data }) => console.log(data);
      worker.postMessage({ a: 1 });
      """, options: options)
    #expect(outcome == Program.Outcome(code: 0, output: "{ a: 1 }\nmine\n", error: ""))
  }

  @Test func anErrorInAWorkerIsShownInItsFile() async throws {
    folder.write("\nthrow new Error('no')", to: "worker.js")
    let outcome = try await run("new Worker('worker.js')")
    #expect(outcome.code == 1 && outcome.output == "")
    #expect(outcome.error.hasPrefix("Uncaught Error: no\n  2 | throw new Error('no')\n"))
    #expect(outcome.error.contains("worker.js:2:"))
  }

  @Test func aWorkerThatNeverEndsIsEndedByTheTimeout() async throws {
    let outcome = try await run("new Worker('for (;;);', { eval: true })", options: ["--timeout", "0.3"])
    #expect(outcome.code == 124)
  }

  @Test func unreadableScripts() async throws {
    #expect(
      try await trestle("none.js")
        == Program.Outcome(code: 3, output: "", error: "trestle: cannot read none.js: No such file or directory\n"))
    #expect(
      try await trestle(".")
        == Program.Outcome(code: 3, output: "", error: "trestle: cannot read .: Is a directory\n"))
    #expect(try await trestle("").error == "trestle: cannot read '': No such file or directory\n")
    #expect(try await trestle("/dev/null") == Program.Outcome(code: 0, output: "", error: ""))
    #expect(try await trestle("/proc/self/exe").error == "trestle: cannot read /proc/self/exe: not UTF-8 text\n")
  }

  @Test func helpAndVersion() async throws {
    #expect(try await trestle("--version") == Program.Outcome(code: 0, output: "0.1.0\n", error: ""))
    let help = try await trestle("--help")
    #expect(help.code == 0 && help.output.contains("124") && help.error == "")
    let helpOfRun = try await trestle("run", "--help")
    #expect(helpOfRun.code == 0 && helpOfRun.output.contains("--memory-limit") && helpOfRun.error == "")
    #expect(try await trestle("help", "run") == helpOfRun)
    let helpOfNone = try await trestle("help", "foo")
    #expect(helpOfNone.code == 2 && helpOfNone.output == "")
    #expect(helpOfNone.error.contains("'foo' is no command; there are run, test, "), "\(helpOfNone)")
    #expect(try await trestle("--generate-completion-script", "bash").output.contains("trestle"))
  }

  @Test(arguments: [
    ("1 + 1", "2"), ("'text'", "text"), ("({ a: 'b', c: [1, 2] })", "{ a: 'b', c: [ 1, 2 ] }"),
    ("undefined", "undefined"),
    ("Promise.resolve('later')", "later"), ("({ then: 1 })", "{ then: 1 }"),
    ("({ then(end) { end(5); throw 1 } })", "5"),
    ("({ then(end) { end(1); end(2) } })", "1"), ("({ then(end) { end({ then(end) { end('deep') } }) } })", "deep"),
    ("({ then(end, fail) { setTimeout(() => { end('once'); fail(2) }, 1) } })", "once"),
    ("new Promise(end => setTimeout(end, 5, 'v'))", "v"),
    ("const a = await Promise.resolve({ x: 1 }); a", "{ x: 1 }"), ("if (true) 5", "5"),
    ("import { exists } from 'trestle:files'; await exists('/')", "true"),
    ("import('./m.mjs').then(m => m.default)", "m"), ("NativeModules.Process.arguments", "[ 'a', '-b' ]"),
  ]) func theLastValueIsPrinted(code: String, expected: String) async throws {
    folder.write("export default 'm'", to: "m.mjs")
    let outcome = try await trestle("-p", code, "a", "-b")
    #expect(outcome == Program.Outcome(code: 0, output: expected + "\n", error: ""))
  }

  @Test func whatCannotBePrinted() async throws {
    for code in ["new Promise(() => {})", "({ then() {} })", "await new Promise(() => {})"] {
      let unsettled = try await trestle("-p", code)
      #expect(
        unsettled
          == Program.Outcome(
            code: 13, output: "",
            error: "trestle: [eval]: its value waits for a promise that nothing is left to settle\n"))
    }
    for (code, said) in [
      ("({ then() { throw new RangeError('t') } })", "RangeError: t"),
      ("({ get then() { throw new RangeError('g') } })", "RangeError: g"),
      ("({ then(_, fail) { fail(3) } })", "3"), ("Promise.reject()", "undefined"),
      ("({ then(end) { end({ then() { throw 'inner' } }) } })", "inner"),
    ] {
      let failed = try await trestle("-p", code)
      #expect(failed.code == 1 && failed.output == "" && failed.error.hasPrefix("Uncaught \(said)"), "\(failed)")
    }
    let rejected = try await trestle("-p", "Promise.reject(new TypeError('x'))")
    #expect(rejected.code == 1 && rejected.error.hasPrefix("Uncaught TypeError: x\n  1 | Promise"), "\(rejected)")
    let unparsed = try await trestle("-p", "let x = ;")
    #expect(unparsed.code == 1 && unparsed.error.contains("1 | let x = ;"), "\(unparsed)")
    #expect(try await trestle("-p", "1", "-e", "2").code == 2)
    #expect(try await trestle("-p", "1", "--wire", "react-native").code == 2)
  }
}
