import Foundation
import Testing

/// What runs do where descriptors, threads or memory are few.
@Suite struct ShortageTests: ScriptSuite {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

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
}
