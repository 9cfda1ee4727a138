import Foundation
import TestSupport
import Testing
import Trestle

@testable import TrestleModules

@Suite struct ProcessesTests {
  /// Runs the body of an async function; gives what it returns as JSON, or what it throws as text.
  private func result(of body: String, in bridge: Bridge) async throws -> String {
    try await bridge.evaluate(
      """
      (async () => { const { Processes } = NativeModules, { run, start } = Processes; \(body) })()
        .then(value => JSON.stringify(value), error => `${typeof error.code === 'string' ? error.code : error.name}: ${error.message}`)
      """, as: String.self)
  }

  private func result(of body: String) async throws -> String {
    let bridge = try await ModuleBridge(.processes, capabilities: [.processes]).bridge
    let text = try await result(of: body, in: bridge)
    await bridge.close()
    return text
  }

  @Test(arguments: [
    ("echo", "['a b', '$HOME', '*']", "{}", #"{"code":0,"signal":null,"output":"a b $HOME *\n","error":""}"#),
    (
      "sh", "['-c', 'cat; echo no >&2; exit 3']", "{ input: 'ä€😀' }",
      #"{"code":3,"signal":null,"output":"ä€😀","error":"no\n"}"#
    ),
    ("sh", "['-c', 'kill -9 $$']", "{}", #"{"code":null,"signal":"SIGKILL","output":"","error":""}"#),
    (
      "sh", "['-c', 'echo $A$B; pwd']", "{ environment: { A: '1', B: '=2' }, folder: '/usr' }",
      #"{"code":0,"signal":null,"output":"1=2\n/usr\n","error":""}"#
    ),
    (
      "/usr/bin/env", "[]", "{ environment: { A: '1' }, clearsEnvironment: true }",
      #"{"code":0,"signal":null,"output":"A=1\n","error":""}"#
    ),
    (
      "sh", "['-c', 'echo 1; echo 2 >&2; echo 3']", "{ stderr: 'stdout' }",
      #"{"code":0,"signal":null,"output":"1\n2\n3\n","error":""}"#
    ),
    ("cat", "[]", "{}", #"{"code":0,"signal":null,"output":"","error":""}"#),
    ("echo", "['x']", "{ stdout: 'ignore' }", #"{"code":0,"signal":null,"output":"","error":""}"#),
    // What it does not read is no error.
    ("true", "[]", "{ input: 'x'.repeat(1e6) }", #"{"code":0,"signal":null,"output":"","error":""}"#),
    ("no/such/program", "[]", "{}", "ERR_NOT_FOUND: no/such/program: No such file or directory"),
    ("", "[]", "{}", "ERR_NOT_FOUND: : No such file or directory"),
    ("/usr", "[]", "{}", "ERR_NOT_PERMITTED: /usr: Permission denied"),
    ("echo", "[]", "{ folder: '/no/folder' }", "ERR_NOT_FOUND: /no/folder: No such file or directory"),
    ("echo", "[]", "{ folder: '/etc/passwd' }", "ERR_NOT_DIRECTORY: /etc/passwd: Not a directory"),
    ("echo", "['a\\0b']", "{}", "ERR_ARGUMENT: a\0b: an argument has no NUL character"),
    (
      "echo", "[]", "{ environment: { a: '\\0' } }",
      "ERR_ARGUMENT: a: a variable of the environment has no NUL character"
    ),
    ("echo", "[]", "{ environment: { 'A=B': '' } }", "ERR_ARGUMENT: A=B: no name of a variable"),
    (
      "echo", "[]", "{ timeout: -1 }", "ERR_ARGUMENT: Processes.run: 'timeout' must be 0 to 1e12 milliseconds, got -1.0"
    ),
    (
      "echo", "[]", "{ input: '', stdin: 'pipe' }",
      "ERR_ARGUMENT: Processes.run: 'input' and 'stdin' exclude each other"
    ),
    ("printf", "['\\\\377']", "{}", "ERR_NOT_TEXT: the output of printf: not UTF-8 text"),
  ])
  func aProgramIsRun(_ program: String, _ arguments: String, _ options: String, _ outcome: String) async throws {
    let text = try await result(of: "return await run('\(program)', \(arguments), \(options))")
    #expect(text == outcome)
  }

  /// Neither side waits for the other for ever.
  @Test func muchGoesThroughBothWays() async throws {
    let text = try await result(
      of: """
        const input = 'line\\n'.repeat(1e6), { output } = await run('cat', [], { input });
        const both = await Promise.all(Array.from({ length: 50 }, (_, i) => run('sh', ['-c', `cat; echo ${i}`], { input: `${i} ` })));
        return [output === input, both.every(({ output }, i) => output === `${i} ${i}\\n`)];
        """)
    #expect(text == "[true,true]")
  }

  /// It would have to be read meanwhile.
  @Test func aProgramIsStartedWithMoreInputThanAPipeHolds() async throws {
    let text = try await result(
      of: """
        const cat = await start('cat', [], { input: 'x'.repeat(1e6) });
        let sum = 0;
        for await (const chunk of cat.bytes()) sum += chunk.length;
        const deaf = await start('sleep', ['0'], { input: 'x'.repeat(1e6) });
        return [sum, (await cat.status()).code, (await deaf.status()).code];
        """)
    #expect(text == "[1000000,0,0]")
  }

  @Test(arguments: ["stdin", "stdout"])
  func onlyTheStandardErrorGoesWhereTheOutputDoes(_ name: String) async throws {
    let text = try await result(of: "return await run('cat', [], { \(name): 'stdout' })")
    #expect(
      text.hasPrefix("ERR_ARGUMENT: ")
        && text.hasSuffix(#"expected "pipe" | "inherit" | "ignore", got string "stdout""#), "\(text)")
  }

  @Test func whatIsStartedWithWrongOptionsDoesNotRun() async throws {
    let bridge = try await ModuleBridge(.processes, capabilities: [.processes]).bridge
    let text = try await result(
      of: "return await start('sleep', ['1000'], { input: 'x', stdin: 'ignore' })", in: bridge)
    #expect(text == "ERR_ARGUMENT: Processes.start: 'input' and 'stdin' exclude each other")
    await bridge.waitUntilIdle()
    await bridge.close()
  }

  /// Who has its input need not read it, and need not end with it.
  @Test func aRunDoesNotWaitForItsInputToBeRead() async throws {
    let child = try await result(
      of: """
        const input = 'x'.repeat(1e6), script = 'exec 3<&0; sleep 1000 <&3 > /dev/null 2>&1 & echo $!';
        return (await run('sh', ['-c', script], { input })).output.trim();
        """)
    if let process = pid_t(child.trimmingCharacters(in: ["\""])) { kill(process, SIGKILL) }
  }

  /// Nobody would end it any more, and it may wait for ever for somebody to read on.
  @Test(arguments: ["cat /dev/zero", "cat /dev/zero >&2"])
  func aProgramWhoseRunFailsIsEnded(script: String) async throws {
    var options = ProgramOptions()
    options.stdin = .ignore
    let program = try ProgramStart("sh", ["-c", script], options).begin(isHeld: true)
    await #expect(throws: FileError.self) {
      _ = try await program.outcome(of: nil, within: nil, mostOutput: 1 << 20)
    }
    program.letGo()
    let end = try await program.status()
    #expect(end.signal == "SIGTERM")
  }

  @Test func aProgramIsTalkedTo() async throws {
    let text = try await result(
      of: """
        const cat = await start('sh', ['-c', 'cat; echo end >&2; exit 7']), lines = cat.lines(), seen = [];
        for (const text of ['one\\n', 'two\\n']) { await cat.write(text); seen.push((await lines.next()).value); }
        cat.writeBytes(new Uint8Array([0x78, 0x0A])); cat.closeInput();
        for await (const line of lines) seen.push(line);
        for await (const line of cat.errorLines()) seen.push(line);
        seen.push(await cat.status(), await cat.status(), cat.kill(), typeof cat.id);
        for (const body of [() => cat.lines(), () => cat.bytes(), () => cat.kill('TERM')]) try { body(); } catch (error) { seen.push(error.message); }
        await cat.write('x').catch(error => seen.push(error.message));
        return seen;
        """)
    #expect(
      text == #"["one","two","x","end",{"code":7,"signal":null},{"code":7,"signal":null},false,"number","#
        + #""this output of sh is read already, or no pipe","this output of sh is read already, or no pipe","#
        + #""RunningProgram.kill: there is no signal 'TERM'","the input of sh is closed, or no pipe"]"#)
  }

  @Test func bytesComeAsTheyAre() async throws {
    let text = try await result(
      of: """
        const program = await start('head', ['-c', '3000000', '/dev/zero']);
        let sum = 0, isZero = true;
        for await (const chunk of program.bytes()) { sum += chunk.length; isZero &&= chunk.every(byte => byte === 0); }
        return [sum, isZero, (await program.status()).code];
        """)
    #expect(text == "[3000000,true,0]")
  }

  private func isThere(_ process: String) -> Bool { pid_t(process).map { !hasEnded($0) } ?? false }

  private func waitUntilGone(_ process: String) async throws {
    let deadline = ContinuousClock.now + patience
    while isThere(process), .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(!isThere(process), "\(process) was left behind")
  }

  /// With all that it has started, whether that wants to end or not.
  @Test(arguments: [
    "options.timeout = 3000; return await run('sh', parts, options)",
    "return await run('sh', parts, options, AbortSignal.timeout(3000))",
    "options.timeout = 3000; const program = await start('sh', parts, options); await program.status(); throw new Error",
  ])
  func whatTakesTooLongIsEnded(body: String) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = try await result(
      of: """
        const parts = ['-c', 'trap "" TERM; sleep 1000 & echo $! > \(path); trap - TERM; wait'], options = {};
        \(body)
        """)
    let expected = [
      "ERR_LIMIT: sh has not ended after 3.0 seconds", "TimeoutError: this operation took more than 3000 ms", "Error: ",
    ]
    #expect(expected.contains(text))
    let child = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    try await waitUntilGone(child)
  }

  /// Its output is waited for, which has somebody else's end.
  @Test(arguments: [
    "return await run('sh', parts, { timeout: 3000 })",
    "const all = new AbortController, ran = run('sh', parts, {}, all.signal); await isThere(); all.abort(); return await ran",
    "run('sh', parts).catch(() => {}); await isThere(); return 0",
  ])
  func whatAProgramHasLeftBehindIsEndedWithTheRun(body: String) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = try await result(
      of: """
        const parts = ['-c', 'sleep 1000 & echo $! > \(path)'];
        const isThere = () => run('sh', ['-c', 'until [ -s \(path) ]; do sleep 0.01; done']);
        \(body)
        """)
    #expect(
      ["ERR_LIMIT: sh has not ended after 3.0 seconds", "AbortError: this operation was aborted", "0"].contains(text))
    let child = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    try await waitUntilGone(child)
  }

  @Test func whatAProgramHasLeftBehindGoesOnWhereTheRunHasEnded() async throws {
    let child = try await result(
      of: "return (await run('sh', ['-c', 'sleep 1000 > /dev/null 2>&1 & echo $!'])).output.trim()")
    let process = child.trimmingCharacters(in: ["\""])
    #expect(isThere(process))
    if let process = pid_t(process) { kill(process, SIGKILL) }
  }

  @Test func aBridgeThatClosesLeavesNothingBehind() async throws {
    let bridge = try await ModuleBridge(.processes, capabilities: [.processes]).bridge
    let processes = try await result(
      of: """
        const program = await start('sh', ['-c', 'trap "" TERM; sleep 1000 & echo $!; wait']);
        return `${program.id} ${(await program.lines().next()).value}`;
        """, in: bridge)
    await bridge.close()
    for process in processes.trimmingCharacters(in: ["\""]).split(separator: " ") {
      try await waitUntilGone(String(process))
    }
  }

  /// How many processes have that argument.
  private func count(withArgument argument: String) -> Int {
    let ids = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
    return ids.count { id in
      let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") ?? Data()
      return line.split(separator: 0).contains { $0.elementsEqual(argument.utf8) }
    }
  }

  /// Some may have been given to the script before it could take that back.
  @Test func whatNobodyWantsAnyMoreWhenItIsStartedIsEnded() async throws {
    let bridge = try await ModuleBridge(.processes, capabilities: [.processes]).bridge
    let time = "100\(UInt32.random(in: 100_000..<1_000_000))"
    let text = try await result(
      of: """
        const all = Array.from({ length: 20 }, () => {
          const controller = new AbortController, started = start('sleep', ['\(time)'], {}, controller.signal);
          controller.abort();
          return started.catch(error => error.name);
        });
        return (await Promise.all(all)).every(name => name === 'AbortError');
        """, in: bridge)
    #expect(text == "true")
    let deadline = ContinuousClock.now + patience
    while count(withArgument: time) > 10, .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(count(withArgument: time) <= 10)
    await bridge.close()
    while count(withArgument: time) > 0, .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(count(withArgument: time) == 0)
  }

  /// Wherever the start of a program meets the end.
  @Test func aBridgeThatClosesLeavesNothingBehindThatIsBeingStarted() async throws {
    let time = "100\(UInt32.random(in: 100_000..<1_000_000))"
    for _ in 0..<20 {
      let bridge = try await ModuleBridge(.processes, capabilities: [.processes]).bridge
      try await bridge.evaluate(
        "for (let i = 0; i < 10; i++) NativeModules.Processes.start('sleep', ['\(time)']).catch(() => {})")
      await bridge.close()
    }
    let deadline = ContinuousClock.now + patience
    while count(withArgument: time) > 0, .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(count(withArgument: time) == 0)
  }

  @Test func aBridgeIsBusyWhileAProgramRuns() async throws {
    let bridge = try await ModuleBridge(.processes, capabilities: [.processes]).bridge
    let id = try await result(of: "return (await start('sleep', ['0.3'])).id", in: bridge)
    await bridge.waitUntilIdle()
    #expect(!isThere(id))
    await bridge.close()
  }

  @Test func withoutTheCapabilityThereIsNone() async throws {
    let bridge = try await ModuleBridge(.processes).bridge
    let type = try await bridge.evaluate("typeof NativeModules.Processes", as: String.self)
    #expect(type == "undefined")
    await bridge.close()
  }
}
