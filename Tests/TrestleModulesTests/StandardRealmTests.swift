import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle
import TrestleReactNative

@testable import TrestleModules

/// Nothing of the realm in which the scripts of the standard modules run is in a script's reach, in a worker neither.
@Suite struct StandardRealmTests {
  private typealias Wire = BridgeConfiguration.Wire

  /// What a walk came to.
  @Record struct Found: Sendable {
    var places: [String]
    var seen: Int
    /// How many of the values that were gathered are there.
    var given: Int
  }

  /// `spy(name, target)` is a proxy that keeps what its traps are given; `hostile(name)` are values that are asked for something.
  private static let spies = """
    const spiesWith = (keep) => {
      const spy = (name, target) => new Proxy(target, Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, function (...values) {
        keep(`${trap} of ${name}`).apply(this, values);
        return Reflect[trap](...values);
      }])));
      const hostile = (name) => [
        undefined, null, 1, 2n, 'text', Symbol('s'), [1, [2]], { a: { b: [1] } }, () => {}, new Error('x', { cause: [1] }),
        spy(name, {}), spy(name, []), spy(name, function () {}), spy(name, class {}), spy(name, new Map([[1, 2]])),
        { toString: keep(`toString of ${name}`), valueOf: keep(`valueOf of ${name}`), [Symbol.toPrimitive]: undefined },
        { toString() { return this }, valueOf() { return this } }, { [Symbol.toPrimitive]: keep(`toPrimitive of ${name}`) }, { toString() { throw spy(name, {}) } },
        { get name() { return keep(`name of ${name}`)(this) }, get eval() { return true }, get depth() { return { valueOf: keep(`depth of ${name}`) } } },
        { [Symbol.iterator]: () => ({ next: keep(`next of ${name}`), return: keep(`return of ${name}`) }) },
        { then(...values) { keep(`then of ${name}`).apply(this, values); values[0](1); } }, { handleEvent: keep(`handleEvent of ${name}`) }, { toJSON: keep(`toJSON of ${name}`) },
        { signal: { aborted: false, addEventListener: keep(`listening of ${name}`), removeEventListener: keep(`end of ${name}`) } },
        { signal: AbortSignal.abort() }, AbortSignal.abort({}), { transfer: spy(name, [new ArrayBuffer(1)]) }, { once: true },
      ];
      return { spy, hostile };
    };
    """

  /// What the modules give that a worker has too.
  private static let uses = """
    const use = async ({ given, attempt, keep }) => {
      const { spy, hostile } = spiesWith(keep);
      const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));
      const classes = {
        TextEncoder, TextDecoder, AbortController, AbortSignal, Event, CustomEvent, EventTarget, MessageEvent, ErrorEvent, DOMException, URL, URLSearchParams, URLPattern, ReadableStream, WritableStream,
        TransformStream, CompressionStream, DecompressionStream, TextEncoderStream, TextDecoderStream, ReadableStreamDefaultReader, CountQueuingStrategy, Blob, File, PerformanceMark, PerformanceMeasure, ...(globalThis.Worker && { Worker }),
      };

      // A stream's promise may never come to anything.
      const within = (value) => {
        keep('result')(value);
        return value instanceof Promise ? Promise.race([value, wait(0)]) : value;
      };
      // Every function with every value, as method and as constructor; then each class by another's `newTarget`.
      const callAll = async (name, functions, self, isTaken = () => true) => {
        for (const [key, body] of functions) {
          if (typeof body !== 'function') continue;
          let number = 0;
          for (const value of hostile(`${name}.${key}`).filter(isTaken)) {
            for (const values of [[value], [value, value], [() => {}, value, value]]) {
              await attempt(`${name}.${key} ${number++}`, () => within(Reflect.apply(body, self, values)));
            }
          }
          await attempt(`${name}.${key}()`, () => within(Reflect.apply(body, self, [])));
          await attempt(`misuse of ${name}.${key}`, () => Reflect.apply(body, spy('self', {}), []));
          await attempt(`new ${name}.${key}`, () => new body());
        }
      };
      const functionsOf = (object) => Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(
        ([key, { value, get, set }]) => [[key, value], [`get ${key}`, get], [`set ${key}`, set]]);
      await callAll('console', functionsOf(console), console);
      await callAll('global', ['structuredClone', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'queueMicrotask'].map((name) => [name, globalThis[name]]));
      for (let id = 0; id < 2000; id++) clearInterval(id);
      await callAll('performance', functionsOf(performance), performance);
      const instances = {
        TextEncoder: () => new TextEncoder(), TextDecoder: () => new TextDecoder('utf-8', { fatal: true }),
        AbortController: () => new AbortController(), AbortSignal: () => new AbortController().signal, Event: () => new Event('a'), CustomEvent: () => new CustomEvent('a'),
        EventTarget: () => new EventTarget(), DOMException: () => new DOMException(), URL: () => new URL('http://a/?b=c'), URLSearchParams: () => new URLSearchParams('a=b'), URLPattern: () => new URLPattern({ pathname: '/:x' }),
        ReadableStream: () => ReadableStream.from([1]), WritableStream: () => new WritableStream(), TransformStream: () => new TransformStream(),
        ReadableStreamDefaultReader: () => ReadableStream.from([1]).getReader(), CompressionStream: () => new CompressionStream('gzip'),
        Blob: () => new Blob(['text']), File: () => new File(['text'], 'name'), PerformanceMark: () => new PerformanceMark('a'),
        PerformanceMeasure: () => performance.measure('a'),
      };
      for (const [name, Class] of Object.entries(classes)) {
        for (const [i, value] of hostile(name).entries()) if (name !== 'Worker') await attempt(`new ${name} ${i}`, () => new Class(value, value));
        await attempt(`${name}()`, () => Class());
        await attempt(`new ${name}()`, () => new Class());
        await attempt(`subclass of ${name}`, () => new (class extends Class {})('text', spy('options', {})));
        await attempt(`newTarget of ${name}`, () => Reflect.construct(Class, ['text', {}], spy('newTarget', function () {})));
        await callAll(name, functionsOf(Class).filter(([key]) => key !== 'prototype'), Class);
        const make = instances[name];
        if (make === undefined) continue;
        given[`instance of ${name}`] = make();
        await callAll(`${name}.prototype`, functionsOf(Class.prototype).filter(([key]) => key !== 'constructor'), make());
      }

      // Who is called back, with what.
      const called = spy('callback', keep('proxied callback'));
      for (const start of [setTimeout, setImmediate, (...all) => setTimeout(() => queueMicrotask(...all))]) {
        start(keep(`${start.name} callback`), 0, {});
        start(called, 0, {});
      }
      const interval = setInterval(function (...all) { keep('interval')(this, ...all); clearInterval(interval); }, 0, {});
      const controller = new AbortController(), { signal } = controller;
      signal.onabort = keep('onabort');
      for (const listener of [keep('listener'), spy('listener', keep('proxied listener')), { handleEvent: keep('handleEvent') }]) signal.addEventListener('abort', listener, spy('options', { once: true }));
      given.any = AbortSignal.any(spy('signals', [signal]));
      given.any.addEventListener('abort', keep('listener of any'));
      controller.abort();
      given.reason = signal.reason;
      await attempt('throwIfAborted', () => signal.throwIfAborted());
      given.timeout = AbortSignal.timeout(0);
      given.timeout.addEventListener('abort', keep('timeout'));

      // Streams, and who is called by them.
      for (const type of [undefined, 'bytes']) {
        const source = { start: keep('start of a source'), pull(controller) { keep('pull')(this, controller, controller.byobRequest); controller.enqueue(new Uint8Array(1)); controller.close(); }, cancel: keep('cancel of a source') };
        const [one, two] = new ReadableStream({ ...source, type }).tee();
        await attempt('iteration', () => within((async () => { for await (const chunk of one) keep('chunk')(chunk); })()));
        const sink = { start: keep('start of a sink'), write: keep('write'), close: keep('close of a sink'), abort: keep('abort of a sink') };
        await attempt('pipe', () => within(two.pipeThrough(new TransformStream({ start: keep('start of a transformer'), transform: keep('transform'), flush: keep('flush') })).pipeTo(new WritableStream(sink))));
        await attempt('failing', () => within(new ReadableStream({ ...source, type, pull() { throw {} } }).getReader().read()));
      }
      const byob = new ReadableStream({ type: 'bytes', pull(controller) { keep('request')(controller.byobRequest, controller.byobRequest?.view); controller.byobRequest?.respond(1); } }).getReader({ mode: 'byob' });
      await attempt('byob', () => within(byob.read(new Uint8Array(2))));
      await attempt('from', () => within((async () => { for await (const chunk of ReadableStream.from(spy('iterable', [{}]))) keep('chunk from')(chunk); })()));
      await attempt('broken', () => ReadableStream.from([new Uint8Array([1])]).pipeThrough(new DecompressionStream('gzip')).getReader().read());
      for (const value of hostile('stream').slice(-10)) await attempt('hostile stream', () => within(ReadableStream.from(value).pipeTo(new WritableStream({ write: () => value }))));
      await attempt('pattern', () => new URLPattern(spy('pattern', { pathname: '/:x' }), spy('pattern options', {})).exec(spy('matched', { pathname: '/y' })));
      await attempt('pattern of a text', () => new URLPattern({ toString: keep('text of a pattern') }, { toString: keep('base of a pattern') }));
      await attempt('pairs', () => new URLSearchParams(spy('pairs', { a: '1' })).forEach(keep('pair')));
      for (const body of [() => atob('%'), () => btoa('\\u1234'), () => crypto.getRandomValues(1), () => crypto.getRandomValues(new Uint8Array(4)), () => new URL('x'), () => new EventTarget().dispatchEvent(1)]) await attempt(String(body), body);
      const target = new EventTarget();
      target.addEventListener('a', function (event) { keep('event')(this, event, event.composedPath()); });
      target.addEventListener('a', { get handleEvent() { return keep('handled') } });
      target.dispatchEvent(new CustomEvent('a', spy('event options', { detail: {} })));

      // Values that are copied.
      const cycle = { map: new Map([[{ key: 1 }, new Set([[1]])]]) };
      cycle.self = cycle;
      const values = {
        cycle, date: new Date(5), expression: /x/g, error: Object.assign(new RangeError('x', { cause: { a: 1 } }), { own: [1] }), sparse: [, 1], boxed: [Object(1), Object('x'), Object(2n)],
        bytes: new Uint8Array([1]), view: new DataView(new ArrayBuffer(2)), buffer: new ArrayBuffer(2), floats: new Float64Array(1), big: new BigInt64Array(1), none: Object.create(null),
        accessor: { get a() { return keep('getter')(this), { b: 1 } } }, spied: spy('value', { a: [1] }), aggregate: new AggregateError([new Error('y')], 'z'),
        symbol: Symbol(), function: { f() {} }, throwing: { get a() { throw {} } }, promise: Promise.resolve(), weak: new WeakMap(),
      };
      for (const [name, value] of Object.entries(values)) await attempt(`clone of ${name}`, () => structuredClone(value));
      const buffer = new ArrayBuffer(8);
      await attempt('transfer', () => structuredClone({ buffer }, { transfer: [buffer] }));
      await attempt('transfer again', () => structuredClone({ buffer }, { transfer: [buffer] }));
      for (const bytes of [new Uint8Array([0xFF]), spy('bytes', new Uint8Array(1)), new DataView(new ArrayBuffer(1)), new ArrayBuffer(1)]) {
        await attempt('decode', () => new TextDecoder('utf-8', { fatal: true }).decode(bytes, spy('options', { stream: true })));
        await attempt('encodeInto', () => new TextEncoder().encodeInto('é', bytes));
      }
      await attempt('encode', () => new TextEncoder().encode('é'));

      const { Files } = NativeModules;
      given.Files = Files;
      const file = `${folder}/${globalThis.name ?? 'main'}`;
      await attempt('writeText', () => Files.writeText(file, 'a\\nb'));
      await attempt('readText', () => Files.readText(file));
      await attempt('list', () => Files.list(folder));
      await attempt('stat', () => Files.stat(file));
      const lines = given.lines = Files.lines(file);
      await attempt('lines', () => lines);
      await attempt('line', async () => { for await (const line of Files.lines(file)) return line; });
      await attempt('next', async () => given.next = (await lines).next());
      await attempt('return', async () => given.return = (await lines).return({}));
      await attempt('no lines', async () => { for await (const line of Files.lines(`${folder}/none`)); });
      const end = new AbortController(), pending = attempt('aborted', () => Files.readText(file, end.signal));
      end.abort({});
      await pending;
      const open = given.open = await Files.open(file, spy('options', { mode: 'readWrite' }));
      given.openPrototype = Object.getPrototypeOf(open);
      await callAll('OpenFile', ['read', 'write', 'append', 'size', 'truncate', 'sync', 'tryLock', 'unlock'].map((key) => [key, open[key]]), open);
      given.openBytes = await open.read(0, 5);
      await attempt('open none', () => Files.open(file, { mode: 'new' }));
      await attempt('asyncDispose', () => given.disposed = open[Symbol.asyncDispose]());
      await attempt('released', () => open.read(0, 5));
      // No text: a name that is one is a file.
      await callAll('Files', Object.keys(Files).map((key) => [key, Files[key]]), Files, (value) => typeof value !== 'string');
      for (const body of [() => NativeModules.Fles, () => Files.readtext, () => Files.readText('x', 2, 3, 4), () => (Files.x = 1), () => trestle.requireVersion('Files', 'x'), () => trestle.moduleNames()]) {
        await attempt(String(body), body);
      }
      await wait(5);
    };
    """

  /// What `Process` gives, except what is read.
  private static let useProcess = """
    const useProcess = async ({ given, attempt, keep }) => {
      const { spy } = spiesWith(keep), { Process } = NativeModules;
      given.Process = Process;
      for (const key of Object.keys(Process)) given[`Process.${key}`] = Process[key];
      for (const values of [[], [1], [1000], ['x'], [spy('code', {})]]) await attempt(`exit ${values.length}`, () => Process.exit(...values));
      for (const values of [[''], [1], [spy('text', {})]]) await attempt('write', () => Process.write(...values));
      await attempt('workingDirectory', () => Process.workingDirectory());
      for (const read of ['readLine', 'readInput']) {
        const signal = { aborted: true, reason: {}, addEventListener: keep(`listening of ${read}`), removeEventListener: keep(`end of ${read}`) };
        for (const options of [AbortSignal.abort(), { signal: AbortSignal.abort() }, signal, { signal }, 5, spy('options', { signal })]) await attempt(read, () => Process[read](options));
      }
      const generator = given.generator = Process.lines();
      given.generatorNext = generator.next;
      await attempt('end of lines', () => given.generatorReturn = generator.return({}));
      await attempt('next of none', () => generator.next.call({}));
    };
    """

  /// What running programs give.
  private static let usePrograms = """
    const usePrograms = async ({ given, attempt, keep }) => {
      const { spy } = spiesWith(keep), { Processes } = NativeModules;
      given.Processes = Processes;
      await attempt('run', () => Processes.run('echo', ['a']));
      await attempt('run none', () => Processes.run('/no/program'));
      for (const values of [[], [1], ['echo', 5], ['echo', [{}]], ['echo', spy('arguments', ['x'])], ['echo', [], spy('options', { input: 'x' })], ['echo', [], {}, AbortSignal.abort()], ['sleep', ['9'], { timeout: 1 }]]) await attempt(`run ${values.length}`, () => Processes.run(...values));
      const program = given.program = await Processes.start('sh', ['-c', 'cat; echo x >&2']);
      given.programPrototype = Object.getPrototypeOf(program);
      for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(given.programPrototype))) given[`program.${key}`] = value;
      await attempt('write', () => program.write('a\\nb'));
      await attempt('writeBytes', () => program.writeBytes(spy('bytes', new Uint8Array([1]))));
      await attempt('writeBytes of bytes', () => program.writeBytes(new Uint8Array([10])));
      program.closeInput();
      await attempt('line', async () => { for await (const line of given.lines = program.lines()) given.line = line; });
      await attempt('error line', async () => { for await (const line of program.errorLines()) given.errorLine = line; });
      for (const body of [() => program.bytes(), () => program.kill('x'), () => program.kill(spy('signal', {}))]) await attempt('misuse', body);
      await attempt('status', () => program.status());
      const bytes = given.bytes = (await Processes.start('echo', ['x'])).bytes();
      await attempt('chunk', async () => given.chunk = (await bytes.next()).value);
      program.release();
      await attempt('released', () => program.status());
    };
    """

  /// What a worker gives to the one that started it.
  private static let useWorker = """
    const useWorker = async ({ given, attempt, keep }) => {
      const { spy } = spiesWith(keep);
      const code = `
        onmessage = ({ data }) => postMessage(data);
        addEventListener('message', ({ data }) => {
          if (data === 'throw') throw Object.assign(new RangeError('x', { cause: { a: 1 } }), { own: [1] });
          if (data === 'value') throw { a: [1] };
        });`;
      const worker = given.worker = new Worker(code, spy('options', { eval: true, name: { toString() { return 'w' } } }));
      const others = ['onmessage', 'onerror', 'onclose'];
      for (const handler of others) worker[handler] = keep(handler);
      for (const type of ['message', 'error', 'close']) {
        for (const listener of [keep(`worker ${type}`), spy('listener', keep(`proxied ${type}`)), { handleEvent: keep(`handled ${type}`) }]) worker.addEventListener(type, listener, spy('options', {}));
      }
      const next = (type) => new Promise((resolve) => worker.addEventListener(type, (event) => resolve(given[`event ${type}`] = event), { once: true }));
      const cycle = { map: new Map([[{ key: 1 }, new Set([[1]])]]), error: new RangeError('x', { cause: [1] }), bytes: new Uint8Array(1), date: new Date(5), expression: /x/ };
      cycle.self = cycle;
      for (const value of [cycle, spy('message', { a: [1] }), [Object(1)]]) {
        const come = next('message');
        worker.postMessage(value);
        given[`data ${typeof value}${Math.random()}`] = (await come).data;
      }
      for (const value of ['throw', 'value']) {
        const come = next('error');
        worker.postMessage(value);
        given[`error ${value}`] = (await come).error;
      }
      for (const values of [[], [() => {}], [Symbol()], [1, [1]], [{ get a() { throw {} } }], [1, spy('transfer', [new ArrayBuffer(1)])], [1, { transfer: [{}] }]]) {
        await attempt(`postMessage ${values.length}`, () => worker.postMessage(...values));
      }
      for (const values of [[], ['missing.js'], [Symbol()], [{ toString: keep('script') }]]) await attempt(`new Worker ${values.length}`, () => new Worker(...values));
      for (const key of Object.getOwnPropertyNames(Worker.prototype)) await attempt(`misuse of ${key}`, () => Worker.prototype[key].call(spy('self', {})));
      const closed = next('close');
      given.terminated = worker.terminate();
      await attempt('terminate', () => given.terminated);
      await closed;
      await attempt('terminate again', () => worker.terminate());
    };
    """

  private static let sources = texts.reduce(into: [String: ModuleSource]()) { sources, file in
    let format: ModuleSource.Format =
      file.key.hasSuffix("cjs") ? .commonJS : file.key.hasSuffix("json") ? .json : .module
    sources[file.key] = ModuleSource(file.value, format: format)
  }

  private static let texts = [
    "/main.mjs": """
    import * as own from './own.mjs';
    import * as native from 'trestle:files';
    import data from './data.json' with { type: 'json' };
    import * as common from './common.cjs';
    globalThis.useModules = async ({ given, attempt, keep }) => {
      const { spy } = spiesWith(keep);
      Object.assign(given, { own, native, data, common, meta: import.meta, require: common.default.require });
      const { require } = common.default;
      given.promise = import('./own.mjs');
      for (const name of ['./own.mjs', './late.mjs', './none.mjs', './syntax.mjs', './throws.mjs', './missing.mjs', './syntax.cjs', './throws.cjs', './bad.json', 'node:fs', 'trestle:none', 'x:y', '', 'left-pad']) {
        await attempt(`import ${name}`, () => import(name));
        await attempt(`require ${name}`, () => require(name));
      }
      for (const value of [undefined, 1, Symbol(), {}, { toString: keep('name') }, { toString() { return this } }, spy('name', {}), spy('name', function () {})]) {
        await attempt('import', () => import(value));
        await attempt('import with', () => import('./data.json', value));
        await attempt('import with', () => import('./data.json', { with: value }));
        await attempt('import with', () => import('./data.json', { with: { type: value } }));
        await attempt('require', () => require(value));
        await attempt('resolve', () => require.resolve(value));
        await attempt('resolve', () => import.meta.resolve(value));
        await attempt('call', () => require.call(value, './own.mjs'));
      }
      for (const change of [() => { own.x = 2 }, () => { delete own.x }, () => Object.defineProperty(own, 'x', { value: 3 }), () => Object.setPrototypeOf(own, {}), () => { own.y = 1 }, () => own.early, () => new require('./own.mjs'), () => new own.f()]) {
        await attempt(String(change), change);
      }
      given.descriptors = Object.getOwnPropertyDescriptors(own);
      given.again = require('./common.cjs');
    };
    """,
    "/own.mjs":
      "export let x = { a: 1 }; export const f = () => x; export default class {}; export * as self from './own.mjs';",
    "/late.mjs": "export const late = await Promise.resolve({ a: [1] })",
    "/syntax.mjs": "let x = ;", "/throws.mjs": "throw { a: 1 }", "/missing.mjs": "import { none } from './own.mjs'",
    "/syntax.cjs": "let x = ;", "/throws.cjs": "throw new Error('x')", "/bad.json": "{",
    "/data.json": "{\"a\": [1, {\"b\": []}]}",
    "/common.cjs":
      "module.exports = { require, module, self: this, all: arguments, exports, meta: [__filename, __dirname] }",
  ]

  private static let find = """
    const find = async (isForeign, ...uses) => {
      const all = gather();
      for (const use of uses) await use(all);
      const { places, seen } = walkFrom({ globalThis, given: all.given }, isForeign);
      return { places, seen, given: Object.values(all.given).flat().length };
    };
    """

  private static func scripts(_ folder: String) -> String {
    """
    const folder = '\(folder)', tell = isForeign;
    delete globalThis.isForeign;
    \([realmWalk, spies, uses, useProcess, usePrograms, useWorker, find].joined(separator: "\n"))

    """
  }

  @Test(arguments: BridgeConfiguration.Wire.allCases)
  func nothingOfTheOtherRealmIsInReach(wire: BridgeConfiguration.Wire) async throws {
    try await withStandardBridge(wire) { bridge, folder in
      try await bridge.evaluate(Self.scripts(folder))
      let found = try await bridge.evaluate("find(tell, use, useProcess, usePrograms, useWorker)", as: Found.self)
      #expect(found.places == [])
      #expect(found.seen > 3000 && found.given > 1500, "\(found)")
    }
  }

  @Test(arguments: BridgeConfiguration.Wire.allCases)
  func norInAWorker(wire: BridgeConfiguration.Wire) async throws {
    try await withStandardBridge(wire) { bridge, folder in
      let script =
        Self.scripts(folder) + """
          const useScope = async ({ given, attempt, keep }) => {
            const { spy, hostile } = spiesWith(keep);
            given.event = await begun;
            for (const value of [() => {}, Symbol(), { get a() { throw {} } }]) await attempt('postMessage', () => postMessage(value));
            await attempt('postMessage()', () => postMessage());
            await attempt('transfer', () => postMessage(1, spy('transfer', [new ArrayBuffer(1)])));
            for (const value of hostile('listener')) {
              await attempt('addEventListener', () => addEventListener(value, keep('message'), value));
              await attempt('addEventListener', () => addEventListener('message', value, value));
              await attempt('removeEventListener', () => removeEventListener('message', value, value));
            }
          };
          const begun = new Promise((resolve) => addEventListener('message', resolve));
          find(tell, use, useScope, useWorker).then(
            (found) => postMessage({ found }), (error) => postMessage({ found: { places: [`${error} ${error.stack}`], seen: 0, given: 0 } }));
          """
      try Data(script.utf8).write(to: URL(fileURLWithPath: folder + "/worker.js"))
      let found = try await bridge.evaluate(
        """
        new Promise((resolve, reject) => {
          const worker = new Worker('\(folder)/worker.js');
          worker.onmessage = ({ data }) => { if (data?.found) resolve(data.found); };
          worker.onerror = () => {};
          worker.postMessage({ a: new Map([[1, [2]]]) });
        })
        """, as: Found.self)
      #expect(found.places == [])
      #expect(found.seen > 3000 && found.given > 1500, "\(found)")
    }
  }

  /// Whatever a script can call at the end of its stack throws an error of the script's.
  @Test(arguments: BridgeConfiguration.Wire.allCases)
  func nothingComesOutOfACallAtTheEndOfTheStack(wire: BridgeConfiguration.Wire) async throws {
    try await withStandardBridge(wire) { bridge, _ in
      try await bridge.evaluate(stackEndHarness)
      let standard = try await bridge.withContext { context in
        try context.ownRealm.evaluate("Object.getOwnPropertyNames(globalThis).join()").string ?? ""
      }
      // What calls a script later, or tells somebody of it, is left out.
      let found = try await bridge.evaluate(
        """
        callAllAtTheEnd([...'\(standard)'.split(','), 'console', 'reportError', 'setTimeout', 'setInterval', 'setImmediate'], {
          async: [(async function* () {})(), async () => {}], url: new URL('a:b'), signal: new AbortController().signal,
          stream: new ReadableStream(), decoder: new TextDecoder(), blob: new Blob(['a']),
        }).then((found) => found.map(String))
        """, as: [String].self)
      #expect(found.dropFirst(2) == [])
      #expect(
        found.count >= 2 && Int(found[0]).map { $0 > 250 } == true && Int(found[1]).map { $0 > 40_000 } == true,
        "\(found)")
    }
  }

  /// There is a loader on the bridge's own wire alone.
  @Test func norInWhatIsImported() async throws {
    try await withStandardBridge(.shared) { bridge, folder in
      try await bridge.evaluate(Self.scripts(folder))
      try await bridge.importModule("/main.mjs")
      let found = try await bridge.evaluate("find(tell, useModules)", as: Found.self)
      #expect(found.places == [])
      #expect(found.seen > 1000 && found.given > 100, "\(found)")
    }
  }

  /// The tests above would see it.
  @Test func theWalkSeesWhatIsThere() async throws {
    try await withStandardBridge(.shared) { bridge, folder in
      try await bridge.evaluate("globalThis.hidden = new Map([[1, new Set([isForeign.bind(null)])]])")
      try await bridge.evaluate(Self.scripts(folder))
      let found = try await bridge.evaluate("find(tell)", as: Found.self)
      #expect(found.places == ["globalThis.hidden.of(1).has"])
    }
  }

  /// What is read from standard input, by lines of the test's own.
  @Test(arguments: BridgeConfiguration.Wire.allCases) func norInWhatProcessReads(wire: BridgeConfiguration.Wire)
    async throws
  {
    let reads = Lock(0)
    @Sendable func reading<Text: BridgeEncodable & Sendable>(
      _ name: String, _ read: @escaping @Sendable (Int) throws -> Text
    ) -> Member<Void> {
      ._method(
        name, .callbacks,
        [.init("number", Int.self), .callback("failure", (any Error).self), .callback("success", Text.self)]
      ) { _ in
        { (call) throws(ConversionError) in
          _ = try call.next(Int.self)
          _ = try call.callback((any Error).self)
          let success = try call.callback(Text.self)
          let number = reads.withLock { count in
            count += 1
            return count
          }
          do { success(try read(number)) } catch { success.reject(error) }
        }
      }
    }
    let process = ModuleDefinition("Process", make: { _ in () }) {
      Member<Void>.sync("exit") { _ in }
      reading("readLines") { number in
        if number % 2 == 0 { throw FileError(.notText, "no text", path: "-") }
        return ["a\n", "b\n"]
      }
      reading("readRest") { number in
        if number % 2 == 0 { throw FileError(.notText, "no text", path: "-") }
        return "rest"
      }
      Member<Void>.void("stopReading", "number") { (_, _: Int) in }
    }
    let modules = try await ModuleBridge(
      .definitions([.foreignCheck, process.with(script: .process)]), wire: wire)
    try await modules.bridge.evaluate(Self.scripts(""))
    let found = try await modules.bridge.evaluate(
      """
      find(tell, async ({ given, attempt, keep }) => {
        const { spy } = spiesWith(keep), { Process } = NativeModules;
        for (let i = 0; i < 8; i++) for (const read of ['readLine', 'readInput']) {
          const own = { aborted: false, addEventListener: keep('listening'), removeEventListener: keep('end of listening') };
          for (const values of [[], [new AbortController().signal], [spy('options', { signal: own })], [own]]) {
            await attempt(`${read} ${i} ${values.length}`, () => Process[read](...values));
          }
        }
        const lines = given.generator = Process.lines();
        for (let i = 0; i < 6; i++) await attempt(`line ${i}`, () => given[`next ${i}`] = lines.next());
        for await (const line of Process.lines()) break;
      })
      """, as: Found.self)
    #expect(found.places == [])
    #expect(found.given > 40, "\(found)")
    #expect(await modules.bridge.close(within: patience))
  }

  private func withStandardBridge(_ wire: Wire, _ body: (Bridge, String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var options = WorkerOptions()
    options.modules =
      .definitions([.foreignCheck, .console(to: ConsoleOutput { _, _ in }), .timers, .web]) + .files
    options.configuration.capabilities = [.files]
    options.configuration.wire = wire
    options.timeToEnd = patience
    let modules = try await ModuleBridge(
      .definitions([.foreignCheck]) + .files + .processes + .workers(options)
        + .process(script: "main.js", arguments: ["a"]) { _ in }, capabilities: [.files, .processes], wire: wire
    ) {
      if wire == .shared { $0.moduleLoader = FileModuleLoader(given: Self.sources) }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body(modules.bridge, folder)) } catch { result = .failure(error) }
    #expect(await modules.bridge.close(within: patience))
    try result.get()
  }
}
