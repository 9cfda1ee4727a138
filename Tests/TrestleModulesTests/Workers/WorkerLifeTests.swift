import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle
import TrestleModules
import TrestleReactNative

@Suite struct WorkerLifeTests {
  typealias Wire = BridgeConfiguration.Wire

  @Test func theGlobalsOfAWorker() async throws {
    let worker = "postMessage([self === globalThis, name, typeof close, typeof Worker, typeof NativeModules.Process])"
    let script = """
      const worker = new Worker('worker.js', { name: 'mine' });
      worker.onmessage = ({ data }) => console.log(data);
      """
    try await WorkerBridge.expect(
      ["[ true, 'mine', 'function', 'function', 'undefined' ]"], of: script, files: ["worker.js": worker])
  }

  /// By their names, or by what they contain; `type` says nothing that they do not say themselves.
  @Test func scriptsOfWorkersMayBeModules() async throws {
    let files = [
      "a/one.mjs":
        "import { x } from './lib.mjs'; const y = await x; postMessage([y, import.meta.url.split('/').pop()])",
      "a/two.js":
        "import { x } from './lib.mjs'; onmessage = async ({ data }) => postMessage([await x, data, import.meta.main])",
      "a/three.cjs": "postMessage([require('./data.json').n, typeof module])",
      "a/four.js": "import('./lib.mjs').then(({ x }) => x).then(postMessage)",
      "a/five.js": "postMessage([this === self])",
      "a/lib.mjs": "export const x = new Promise(go => setTimeout(go, 1, 5))", "a/data.json": #"{ "n": 7 }"#,
      "a/six.mjs": "import './none.mjs'", "a/seven.mjs": "import { none } from './lib.mjs'",
    ]
    let script = """
      (async () => {
        for (const [file, options] of [['one.mjs'], ['two.js', { type: 'module' }], ['three.cjs'], ['four.js'], ['five.js'], ['six.mjs'], ['seven.mjs']]) {
          const worker = new Worker('a/' + file, options);
          worker.postMessage(1);
          await new Promise(go => {
            worker.onmessage = ({ data }) => go(console.log(file, data));
            worker.onerror = ({ message }) => go(console.log(file, message.replaceAll(/\\S*\\/a\\//g, '')));
          });
        }
        const worker = new Worker("import('./a/lib.mjs').then(({ x }) => x).then(postMessage)", { eval: true });
        worker.onmessage = ({ data }) => console.log('code', data);
      })()
      """
    try await WorkerBridge.expect(
      [
        "one.mjs [ 5, 'one.mjs' ]", "two.js [ 5, 1, true ]", "three.cjs [ 7, 'object' ]", "four.js 5",
        "five.js [ true ]",
        "six.mjs no module './none.mjs', which six.mjs imports: there is no none.mjs",
        "seven.mjs './lib.mjs' does not export 'none'", "code 5",
      ], of: script, files: files
    ) { $0.configuration.moduleLoader = FileModuleLoader(folder: $0.folder) }
  }

  /// It would end without a word, with all that stands behind the await. One that listens may wait for a message.
  @Test func aWorkerThatWaitsForNothingSaysSo() async throws {
    let files = [
      "silent.mjs": "await new Promise(() => {}); postMessage('never')",
      "hearing.mjs":
        "const data = await new Promise(go => addEventListener('message', ({ data }) => go(data))); postMessage(data)",
      "handling.mjs": "const data = await new Promise(go => onmessage = ({ data }) => go(data)); postMessage(data)",
    ]
    let script = """
      for (const file of ['silent.mjs', 'hearing.mjs', 'handling.mjs']) {
        const worker = new Worker(file);
        worker.onmessage = ({ data }) => console.log(file, data);
        worker.onerror = (event) => { event.preventDefault(); console.log(event.message.replace(/\\S*\\//, '')); };
        setTimeout(() => worker.postMessage('came'), 50);
      }
      """
    let lines = try await WorkerBridge.lines(of: script, files: files) {
      $0.configuration.moduleLoader = FileModuleLoader(folder: $0.folder)
    }
    #expect(
      lines.sorted() == [
        "handling.mjs came", "hearing.mjs came",
        "silent.mjs: an await at the top level waits for what nothing is left to do, and nothing listens to messages",
      ])
  }

  @Test func scriptsOfWorkersMayBeURLs() async throws {
    let script = """
      const folder = 'FOLDER';
      new Worker(new URL(`file://${folder}/a%20b.js`)).onmessage = ({ data }) => console.log(data);
      for (const url of ['file://host/x.js', 'file:///none/x.js']) try { new Worker(url) } catch (error) { console.log(error.code, error.message) }
      """
    let bridge = try await WorkerBridge(files: ["a b.js": "postMessage('here')"])
    try await bridge.modules.run(script.replacing("FOLDER", with: bridge.folder))
    await bridge.close()
    #expect(
      bridge.modules.output.split(separator: "\n").map(String.init).sorted() == [
        "ERR_UNREADABLE cannot read /none/x.js: No such file or directory",
        "ERR_UNREADABLE cannot read file://host/x.js: the URL names no file here", "here",
      ])
  }

  @Test func whatIsNoScriptOrOptionIsRefused() async throws {
    let script = """
      for (const values of [[undefined], [null], [5], [Symbol()], [() => {}], ['1', null], ['1', { evl: true }], ['1', { eval: 1 }], ['1', { name: Symbol() }], ['1', { type: 'x' }]]) {
        try { new Worker(...values); } catch (error) { console.log(error instanceof TypeError, error.code, error.message); }
      }
      """
    let refused = [
      "1 'script': expected string or URL, got undefined", "1 'script': expected string or URL, got null",
      "1 'script': expected string or URL, got number 5", "1 'script': expected string or URL, got symbol",
      "1 'script': expected string or URL, got function", "2 'options': expected object, got null",
      "2 'options': there is no option 'evl', only name, eval, type",
      "2 'options.eval': expected boolean, got number 1", "2 'options.name': expected string, got symbol",
      "2 'options.type': expected 'classic' or 'module', got string \"x\"",
    ]
    try await WorkerBridge.expect(refused.map { "true ERR_ARGUMENT Worker, argument \($0)" }, of: script)
  }

  /// What is posted is on its way at once, whatever the script does next.
  @Test func whatIsPostedBeforeAnEndlessLoopArrives() async throws {
    let script = """
      const worker = new Worker("onmessage = () => { for (let k = 0; k < 3; k++) postMessage(k); for (;;); }", { eval: true });
      worker.onmessage = ({ data }) => { console.log(data); if (data === 2) worker.terminate(); };
      worker.postMessage(1);
      """
    try await WorkerBridge.expect(["0", "1", "2"], of: script)
  }

  /// A run does not end while a message is on its way, at whatever moment the worker is found idle.
  @Test func theRunLastsWhileMessagesGoToAndFro() async throws {
    let script = """
      const worker = new Worker('onmessage = ({ data }) => postMessage(data)', { eval: true });
      let count = 0;
      worker.onmessage = () => { if (++count < 5000) worker.postMessage(count); else console.log('finished'); };
      worker.postMessage(0);
      """
    try await WorkerBridge.expect(["finished"], of: script)
  }

  @Test func pathsStartAtTheScriptsOwnFolder() async throws {
    let files = [
      "a/one.js": "const w = new Worker('./b/two.js'); w.onmessage = ({ data }) => postMessage('one ' + data)",
      "a/b/two.js":
        "#!/usr/bin/env trestle\nconst w = new Worker('../three.js'); w.onmessage = ({ data }) => postMessage('two ' + data)",
      "a/three.js":
        "const w = new Worker(`postMessage('four')`, { eval: true }); w.onmessage = ({ data }) => postMessage('three ' + data)",
    ]
    let script = "new Worker('a/one.js').onmessage = ({ data }) => console.log(data)"
    try await WorkerBridge.expect(["one two three four"], of: script, files: files)
  }

  /// As the script that starts it: by its words, or by its name.
  @Test func workersImport() async throws {
    let files = [
      "lib/a.js": "export const a = 'a';", "lib/b.cjs": "exports.b = 'b';",
      "static.js": "import { a } from './lib/a.js'; postMessage([a, typeof import.meta.url, this === undefined]);",
      "dynamic.js": "import('./lib/a.js').then(({ a }) => postMessage(a));",
      "top.js":
        "const { a } = await import('./lib/a.js'); postMessage(a); onmessage = ({ data }) => postMessage(data);",
      "waiting.js": "const { data } = await new Promise(done => { onmessage = done; }); postMessage(data);",
      "required.js": "const { b } = require('./lib/b.cjs'); postMessage(b);",
      "named.mjs": "postMessage(this === undefined);", "plain.js": "var global = 1; postMessage(globalThis.global);",
      "nested/outer.js":
        "import '../lib/a.js'; new Worker(new URL('./inner.js', import.meta.url)).onmessage = ({ data }) => postMessage(data);",
      "nested/inner.js": "import { a } from '../lib/a.js'; postMessage('inner ' + a);",
    ]
    let script = """
      const said = (worker, message) => new Promise(done => {
        worker.onmessage = ({ data }) => done(data);
        worker.onerror = ({ error }) => done(`${error.name} ${error.code}`);
        if (message) worker.postMessage(message);
      });
      (async () => {
        for (const name of ['static.js', 'dynamic.js', 'required.js', 'named.mjs', 'plain.js', 'nested/outer.js']) console.log(name, await said(new Worker(name)));
        console.log(await said(new Worker('waiting.js'), 'early'));
        const top = new Worker('top.js'), first = said(top, 'sent before');
        console.log(await first, await said(top));
        console.log(await said(new Worker("import { a } from './lib/a.js'; postMessage(a)", { eval: true, name: 'x/y' })));
        console.log(await said(new Worker("import './none.js'", { eval: true })), await said(new Worker('export let let', { eval: true })));
      })();
      """
    try await WorkerBridge.expect(
      [
        "static.js [ 'a', 'string', true ]", "dynamic.js a", "required.js b", "named.mjs true", "plain.js 1",
        "nested/outer.js inner a", "early", "a sent before", "a", "BridgeError ERR_NOT_FOUND SyntaxError undefined",
      ], of: script, files: files
    ) { $0.configuration.moduleLoader = FileModuleLoader(folder: $0.folder) }
  }

  /// What lies outside of the loader's root is not to be had, and without a loader nothing.
  @Test(arguments: [true, false]) func workersImportNoMoreThanTheLoaderAllows(hasLoader: Bool) async throws {
    let files = [
      "a/one.js": "import('../b.js').then(() => postMessage('loaded'), ({ message }) => postMessage(message));",
      "b.js": "",
    ]
    let script = "new Worker('a/one.js').onmessage = ({ data }) => console.log(data)"
    let lines = try await WorkerBridge.lines(of: script, files: files) {
      $0.configuration.moduleLoader = hasLoader ? FileModuleLoader(folder: $0.folder + "/a") : nil
    }
    #expect(lines.count == 1 && lines[0] != "loaded")
    #expect(lines[0].contains("it lies outside of") == hasLoader, "\(lines)")
  }

  @Test func whatAWorkerDoesNotHandleArrivesWithItsPlace() async throws {
    let files = [
      "top.js": "\n  throw new RangeError('top')",
      "later.js": "setTimeout(() => { throw Object.assign(new Error('later'), { code: 'E_LATE' }) }, 1)",
      "rejected.js": "Promise.reject(new Error('rejected'))", "syntax.js": "\nlet x = ;", "value.js": "throw 'text'",
    ]
    let script = """
      for (const file of ['top', 'later', 'rejected', 'syntax', 'value']) {
        const worker = new Worker(file + '.js');
        worker.onerror = ({ type, error, message, filename, lineno, colno, target }) => {
          console.log(file, type, error.name, error.code, message, filename.split('/').pop(), lineno, colno > 0, target === worker, error instanceof Error);
        };
      }
      """
    let lines = try await WorkerBridge.lines(of: script, files: files)
    #expect(
      lines.sorted() == [
        "later error Error E_LATE later later.js 1 true true true",
        "rejected error Error undefined rejected rejected.js 1 true true true",
        "syntax error SyntaxError undefined Unexpected token ';' syntax.js 2 true true true",
        "top error RangeError undefined top top.js 2 true true true",
        "value error undefined undefined Uncaught text  0 false true false",
      ])
  }

  /// What is no error too.
  @Test(arguments: Wire.allCases, Wire.allCases) func whatIsThrownArrivesAsItIs(own: Wire, ofWorkers: Wire) async throws
  {
    let script = """
      const values = ['1', "'text'", 'null', 'false', "{ a: [1, { b: 'c' }] }", '[1, 2]'];
      for (const value of values) for (const code of [`throw (${value})`, `Promise.reject(${value})`, `setTimeout(() => { throw (${value}) })`]) {
        const worker = new Worker(code, { eval: true });
        worker.onerror = ({ error, message }) => console.log(message, JSON.stringify(error));
      }
      new Worker('throw Symbol("s")', { eval: true }).onerror = ({ error, message }) => console.log(message, error instanceof Error);
      new Worker('throw 7', { eval: true });
      """
    let bridge = try await WorkerBridge(wire: own) { $0.configuration.wire = ofWorkers }
    try await bridge.modules.run(script)
    await bridge.close()
    let lines = bridge.modules.output.split(separator: "\n").map(String.init)
    let values = [
      "Uncaught 1 1", "Uncaught text \"text\"", "Uncaught null null", "Uncaught false false",
      "Uncaught { a: [ 1, { b: 'c' } ] } {\"a\":[1,{\"b\":\"c\"}]}", "Uncaught [ 1, 2 ] [1,2]",
    ]
    #expect(lines.sorted() == (values + values + values + ["Symbol(s) true"]).sorted())
    #expect(bridge.modules.uncaught == ["7"])
  }

  @Test func anErrorThatNobodyListensToIsOneOfTheScriptsOwn() async throws {
    let script = """
      const worker = new Worker('onmessage = () => { throw new Error("first") }', { eval: true });
      worker.postMessage(1);
      """
    try await WorkerBridge.expect([], of: script, uncaught: ["first"])
  }

  @Test func aWorkerGoesOnAfterAnError() async throws {
    let script = """
      const worker = new Worker('onmessage = ({ data }) => { if (data === 0) throw new Error("zero"); postMessage(1 / data) }', { eval: true });
      worker.onmessage = ({ data }) => console.log(data);
      worker.onerror = ({ message }) => console.log(message);
      worker.postMessage(0);
      worker.postMessage(2);
      """
    try await WorkerBridge.expect(["zero", "0.5"], of: script)
  }

  /// A loop of WebAssembly, which the engine would never end; another where there is none.
  private static let wasmLoop = """
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 8, 1, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11];
    if (typeof WebAssembly === 'object') new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)));
    for (;;);
    """

  @Test(arguments: [
    "for (;;);", "onmessage = () => { for (;;); }", "setInterval(() => {}, 1)", "(async () => { for (;;) await 0 })()",
    wasmLoop,
  ])
  func terminateEndsItWhereverItIs(_ code: String) async throws {
    let script = """
      const worker = new Worker(`\(code)`, { eval: true });
      worker.onclose = ({ type, target }) => console.log(type, target === worker);
      worker.onerror = worker.onmessage = ({ type }) => console.log('unexpected', type);
      worker.postMessage(1);
      setTimeout(async () => {
        await Promise.all([worker.terminate(), worker.terminate()]);
        worker.postMessage(2);
        await worker.terminate();
        console.log('terminated');
      }, 20);
      """
    try await WorkerBridge.expect(["close true", "terminated"], of: script)
  }

  /// Scripts still run then, and what they start would have no limits, and nobody to end it.
  @Test func noneIsStartedWhileTheBridgeCloses() async throws {
    let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let bridge = try await ModuleBridge(.workers(WorkerOptions()) + .files, capabilities: [.files])
    try await bridge.bridge.evaluate(
      """
      NativeModules.Files.readText('\(pipe)').catch(() => {
        try { new Worker('for (;;);', { eval: true }); console.log('started'); } catch (error) { console.log(error.code); }
      });
      """)
    await bridge.bridge.close()
    // Of a busy machine the closing may cut the script off before it gets so far.
    #expect(["ERR_CLOSED\n", ""].contains(bridge.output))
  }

  @Test func terminateAtOnce() async throws {
    let script = """
      let ended = 0;
      for (let i = 0; i < 10; i++) {
        const worker = new Worker('postMessage(1); for (;;);', { eval: true });
        worker.onmessage = worker.onerror = ({ type }) => console.log('unexpected', type);
        worker.terminate().then(() => { if (++ended === 10) console.log('all'); });
      }
      """
    try await WorkerBridge.expect(["all"], of: script)
  }

  @Test func closeLetsTheScriptRunToItsEnd() async throws {
    let script = """
      const worker = new Worker('onmessage = () => { close(); postMessage("still here") }', { eval: true });
      worker.onmessage = ({ data }) => console.log(data);
      worker.onclose = () => console.log('closed');
      worker.postMessage(1);
      worker.postMessage(2);
      """
    try await WorkerBridge.expect(["still here", "closed"], of: script)
  }

  /// Before its end is, and other than what the end itself brings about.
  @Test(arguments: [
    "close(); throw new Error('x')", "close(); Promise.reject(new Error('x'))",
    "onmessage = () => { close(); throw new Error('x') }",
    "NativeModules.Held.wait(); close(); queueMicrotask(() => { throw new Error('x') })",
  ])
  func whatIsThrownBehindCloseIsTold(_ code: String) async throws {
    let script = """
      const worker = new Worker(`\(code)`, { eval: true });
      worker.onerror = ({ message }) => console.log(message);
      worker.onclose = () => console.log('closed');
      worker.postMessage(1);
      """
    let replies = Lock<[Reply]>([])
    let held = ModuleDefinition("Held", make: { _ in () }) {
      Member<Void>._method("wait", .promise, [], result: Int.self) { _ in
        { (call) throws(ConversionError) in
          let reply = call.reply()
          replies.withLock { $0.append(reply) }
        }
      }
    }
    try await WorkerBridge.expect(["x", "closed"], of: script) { $0.modules = .definitions([.timers, .web, held]) }
  }

  @Test func nativeCodeThatHoldsTheThreadIsNotWaitedForForEver() async throws {
    let gate = Gate()
    let blocking = ModuleDefinition("Blocking", make: { _ in gate }) {
      Member<Gate>.sync("wait") { gate in gate.wait() }
    }
    let bridge = try await WorkerBridge { options in
      options.modules = .definitions([blocking])
      options.timeToEnd = .milliseconds(50)
    }
    try await bridge.bridge.evaluate(
      """
      const worker = new Worker('NativeModules.Blocking.wait()', { eval: true, name: 'stuck' });
      const closed = new Promise(resolve => { worker.onclose = resolve });
      """)
    // Before, its script would be ended between two steps.
    await gate.isHolding()
    let message = try await bridge.bridge.evaluate(
      "worker.terminate().catch(error => `${error.code} ${error.message}`)", as: String.self)
    #expect(message == "ERR_LIMIT stuck: it has not ended within 0.05 seconds")
    gate.open()
    let type = try await bridge.bridge.evaluate("closed.then(event => event.type)", as: String.self)
    #expect(type == "close")
    await bridge.close()
  }

  @Test func theLimitsOfItsBridgeHoldForAWorker() async throws {
    let bridge = try await WorkerBridge()
    try await bridge.bridge.setLimits(.ofProcessor(.seconds(1)))
    try await bridge.modules.run(
      """
      const worker = new Worker('postMessage(typeof WebAssembly); for (;;);', { eval: true });
      worker.onmessage = ({ data }) => console.log(data);
      worker.onerror = ({ message }) => console.log(message);
      """)
    await bridge.close()
    #expect(bridge.modules.output == "undefined\nthe script was ended: it used more than its time\n")
  }

  /// A worker can always be ended: what nothing can end is not there, whatever the bridge that starts it has, unless the host says so.
  @Test(arguments: Wire.allCases, [false, true]) func aWorkerHasNoWebAssembly(wire: Wire, isLimited: Bool) async throws
  {
    for (ofBridge, ofWorkers, expected) in [
      (false, false, "undefined"), (true, false, "undefined"), (false, true, isLimited ? "undefined" : "object"),
      (true, true, "object"),
    ] {
      let bridge = try await WorkerBridge(wire: wire) {
        $0.configuration.wire = wire
        $0.configuration.allowsWebAssembly = ofWorkers
      } ofBridge: {
        $0.allowsWebAssembly = ofBridge
        if isLimited { $0.limits = .ofProcessor(patience) }
      }
      let own = try await bridge.bridge.evaluate("typeof WebAssembly", as: String.self)
      #expect(own == (isLimited && !ofBridge ? "undefined" : "object"))
      let found = try await bridge.bridge.evaluate(
        """
        new Promise((resolve) => {
          const worker = new Worker('postMessage(typeof WebAssembly)', { eval: true });
          worker.onmessage = ({ data }) => resolve(data);
        })
        """, as: String.self)
      #expect(found == expected, "\(ofBridge) \(ofWorkers)")
      await bridge.close()
    }
  }

  @Test func limitsOfAWorkerAreItsOwn() async throws {
    let script = """
      const worker = new Worker('onmessage = ({ data }) => { while (data); postMessage("fine") }', { eval: true });
      worker.onerror = ({ error }) => console.log(error.code, error.exceeded);
      worker.onmessage = ({ data }) => console.log(data);
      worker.postMessage(1);
      worker.postMessage(0);
      """
    let lines = try await WorkerBridge.lines(of: script) {
      $0.configuration.limits = .ofProcessor(.seconds(1))
    }
    #expect(lines == ["ERR_LIMIT time", "fine"])
  }

  @Test func oneTooManyIsRefusedAndPlacesComeBack() async throws {
    let script = """
      const start = () => new Worker('onmessage = () => { const w = new Worker("", { eval: true }); w.terminate().then(() => postMessage(1)) }', { eval: true });
      const first = start();
      new Worker('', { eval: true });
      first.postMessage('both are there');
      try { start(); } catch (error) { console.log(error.code, error.message); }
      first.onmessage = () => first.terminate().then(() => { start(); console.log('again') });
      first.onerror = ({ message }) => { console.log(message); first.terminate().then(() => { start(); console.log('again') }); };
      """
    try await WorkerBridge.expect(
      [
        "ERR_LIMIT there are 2 workers, and no more are allowed", "there are 2 workers, and no more are allowed",
        "again",
      ], of: script
    ) { $0.limit = 2 }
  }

  @Test(arguments: [
    ("new Worker('missing.js')", "ERR_UNREADABLE"), ("new Worker('/dev/zero')", "ERR_UNREADABLE"),
    ("new Worker('.')", "ERR_UNREADABLE"),
    ("new Worker('/dev/null/x.js')", "ERR_UNREADABLE"), ("new Worker()", "undefined"), ("Worker('')", "undefined"),
  ])
  func whatCannotBeStarted(_ expression: String, _ code: String) async throws {
    let script = "try { \(expression) } catch (error) { console.log(String(error.code)) }"
    try await WorkerBridge.expect([code], of: script)
  }

  /// However its first `Character` looks, a path that begins with a slash is none in the folder.
  @Test func pathsFromTheRoot() async throws {
    let script = "try { new Worker('/\\u0301.js') } catch (error) { console.log(error.message) }"
    let lines = try await WorkerBridge.lines(of: script)
    #expect(lines.count == 1 && lines[0].contains("\u{301}.js") && !lines[0].contains("trestle-"), "\(lines)")
  }

  @Test func withoutTheCapabilityThereAreNone() async throws {
    let bridge = try await ModuleBridge(.workers())
    #expect(try await bridge.bridge.evaluate("typeof Worker", as: String.self) == "undefined")
    await bridge.bridge.close()
  }

  @Test func workersEndWithTheirBridge() async throws {
    let count = Living()
    let living = ModuleDefinition("Living", make: { _ in Life(count) }) { Member<Life>.sync("begin") { _ in } }
    let bridge = try await WorkerBridge { $0.modules = .definitions([living]) }
    let started = try await bridge.bridge.evaluate(
      """
      const codes = ['for (;;);', 'onmessage = () => {}', 'const inner = new Worker("NativeModules.Living.begin(); for (;;);", { eval: true })'];
      Promise.all(Array.from({ length: 20 }, (_, i) => new Promise(resolve => {
        const worker = new Worker('NativeModules.Living.begin(); postMessage(1); trestle.flush();' + codes[i % 3], { eval: true });
        worker.onmessage = resolve;
      }))).then(all => all.length)
      """, as: Int.self)
    #expect(started == 20)
    #expect(count.value >= 20)
    #expect(await bridge.bridge.close(within: patience))
    #expect(await count.comesToZero())
    await bridge.close()
  }

  /// The text is the worker's, and whoever started it is not to wait for more than its length: with the
  /// square of that it would be hours.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [
      "'@'.repeat(1 << 20)", "'a@'.repeat(1 << 19)", "':1'.repeat(1 << 19)", "'a@:1:1\\\\r'.repeat(1 << 17)",
      "'@a:1:1'.repeat(1200) + ':'",
    ])
  func anErrorWhoseStackIsNone(_ stack: String) async throws {
    try await WorkerBridge.expect(
      ["x  0 0"],
      of: """
        const worker = new Worker(`setTimeout(() => {
          const error = new Error('x');
          error.stack = \(stack);
          throw error;
        }, 0)`, { eval: true });
        worker.onerror = ({ message, filename, lineno, colno }) => console.log(message, filename, lineno, colno);
        """)
  }

  @Test func aBridgeWithWorkersThatListenIsIdle() async throws {
    let bridge = try await WorkerBridge()
    try await bridge.modules.run("globalThis.worker = \(WorkerMessageTests.echo)")
    // Woken and idle again, any number of times.
    for i in 0..<20 {
      try await bridge.modules.run(
        "worker.onmessage = ({ data }) => { setTimeout(() => console.log(data), 1) }; worker.postMessage(\(i))")
      #expect(bridge.modules.output.split(separator: "\n").last == "\(i)")
    }
    await bridge.close()
  }
}

/// Holds a thread until it is opened.
private final class Gate: Sendable {
  private let isOpen = Lock(false)
  private let isHeld = Lock(false)

  func open() { isOpen.withLock { $0 = true } }

  func wait() {
    isHeld.withLock { $0 = true }
    while !isOpen.withLock({ $0 }) { usleep(1000) }
  }

  func isHolding() async {
    let deadline = ContinuousClock.now + patience
    while !isHeld.withLock({ $0 }), ContinuousClock.now < deadline { await Task.yield() }
  }
}

/// Counts the instances of a module in all bridges.
private final class Living: Sendable {
  private let count = Lock(0)
  var value: Int { count.withLock { $0 } }

  func add(_ change: Int) { count.withLock { $0 += change } }

  func comesToZero() async -> Bool {
    let deadline = ContinuousClock.now + patience
    while value != 0, ContinuousClock.now < deadline { await Task.yield() }
    return value == 0
  }
}

private final class Life: Sendable {
  private let living: Living

  init(_ living: Living) {
    self.living = living
    living.add(1)
  }

  deinit { living.add(-1) }
}
