import EventLoop
import TestSupport
import Testing
import Trestle
import TrestleModules
import TrestleObservables
import TrestleTesting

/// Every piece of code in the articles, at work.
@Suite struct GuideTests {
  private func run(_ script: String, printing expected: [String]) async throws {
    try await withTestBridge(.standard + .definitions([Press.moduleDefinition])) { test in
      try await test.run("const seen = [], { Press } = NativeModules; (async () => {\n\(script)\n})()")
      let seen = try await test.bridge.evaluate("seen.map(String)", as: [String].self)
      #expect(seen == expected)
      #expect(test.errorTexts == [])
    }
  }

  @Test func typesAcrossTheBridge() async throws {
    try await run(
      """
      seen.push(await Press.print({ title: 'Emma', words: 160000 }, { type: 'sewn', threads: 4 }));
      try {
        await Press.print({ title: 'Emma', words: 'many' });
      } catch (error) {
        seen.push(error.message);
      }
      await Press.print({ title: 'blank', words: 0 }).catch(error => seen.push(`${error.code} ${error.title}`));
      """,
      printing: [
        "Emma, sewn(threads: 4)",
        "Press.print, argument 1 'page.words': expected a 64-bit integer, got string \"many\"",
        "ERR_EMPTY blank",
      ])
  }

  /// What the table says of them.
  @Test func durationsAreMilliseconds() async throws {
    try await run("seen.push(await Press.twice(1500.5));", printing: ["3001"])
    let press = StandaloneModule(Press.self)
    #expect(try await press.call("twice", 1000, as: Duration.self) == .seconds(2))
  }

  @Test func streams() async throws {
    try await run(
      """
      for await (const number of Press.countdown(3)) {
        if (number === 1) break;
        seen.push(number);
      }
      async function* numbers() { yield 1; yield 2; }
      seen.push(await Press.total(numbers()), await Press.total([3, 4]));
      """, printing: ["3", "2", "3", "7"])
  }

  @Test func eventsAndObservables() async throws {
    try await run(
      """
      const subscription = Press.printed.addListener(page => seen.push(page.title));
      const quarters = Press.quarters();
      const first = quarters.next();
      await Press.print({ title: 'Emma', words: 3 });
      subscription.remove();
      seen.push((await first).value);
      await quarters.return();
      for await (const page of Press.printed) {
        seen.push(page.words);
        break;
      }
      """, printing: ["Emma", "4", "3"])
    let words = Subject<String>()
    let lengths = Lock<[Int]>([])
    let subscription = words.observable.map(\.count).filter { $0 > 1 }.subscribe { length in
      lengths.withLock { $0.append(length) }
    }
    for word in ["a", "bc", "def"] { words.next(word) }
    subscription.dispose()
    #expect(lengths.withLock { $0 } == [2, 3])
  }

  @Test func cancellationAndDeadlines() async throws {
    try await run(
      """
      const controller = new AbortController();
      const dry = Press.dry(1_000_000, { signal: controller.signal });
      controller.abort();
      await dry.catch(error => seen.push(error.name));
      await Press.dry(1_000_000, AbortSignal.timeout(5)).catch(error => seen.push(error.name));
      """, printing: ["AbortError", "TimeoutError"])
  }

  @Test func webGlobals() async throws {
    try await run(
      """
      const page = new URL('../notes?tag=a b', 'https://example.org/list/all');
      page.searchParams.append('page', 2);
      seen.push(page.href);
      const packed = ReadableStream.from(['all the ', 'same']).pipeThrough(new TextEncoderStream()).pipeThrough(new CompressionStream('gzip'));
      for await (const text of packed.pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream())) seen.push(text);
      """, printing: ["https://example.org/notes?tag=a+b&page=2", "all the same"])
  }

  @Test func binary() async throws {
    try await run(
      """
      seen.push(Press.checksum(new Uint8Array([1, 2, 3])));
      const bytes = new Uint8Array(1 << 20);
      seen.push(await Press.store(bytes), bytes.length);
      seen.push((await Press.blank(4)).byteLength);
      """, printing: ["6", "1048576", "0", "4"])
  }

  @Test func sharedObjects() async throws {
    try await run(
      """
      const book = await Press.open('Emma');
      seen.push(book.title, (await book.pages()).length);
      book.release();
      """, printing: ["Emma", "1"])
  }

  @Test func scriptInterfaces() async throws {
    try await withTestBridge(.none) { test in
      let bridge = test.bridge
      try await bridge.evaluate(
        """
        trestle.registerCallableModule('plugin', {
          transform: page => ({ ...page, title: page.title.toUpperCase() }),
        });
        """)
      let plugin = PluginProxy(bridge)
      let page = try await plugin.transform(Page(title: "Emma", words: 3))
      #expect(page.title == "EMMA")
      try await bridge.evaluate("globalThis.area = (width, height) => width * height")
      let area = try await bridge.call("area", 2, 3, as: Int.self)
      #expect(area == 6)
    }
  }

  @Test func callbacks() async throws {
    try await run(
      """
      await Press.typeset(2, progress => seen.push(progress));
      const pages = [{ title: 'b', words: 2 }, { title: 'a', words: 1 }];
      const sorted = await Press.sort(pages, (one, other) => one.words < other.words);
      seen.push(sorted[0].title);
      seen.push(Press.arrange(pages, (one, other) => one.words < other.words)[0].words);
      """, printing: ["0.5", "1", "a", "1"])
  }

  @Test func testingAModule() async throws {
    let press = StandaloneModule(Press.self)
    #expect(try await press.call("print", ["title": "Emma", "words": 3]) == "Emma, stapled")
    let error = await #expect(throws: JavaScriptError.self) { try await press.call("print", 3) }
    #expect(error?.message == "Press.print, argument 1 'page': expected Page, got number 3")
    let numbers = try #require(try await press.call("countdown", 2).stream)
    #expect(try await numbers.reduce(into: []) { $0.append($1) } == [2, 1, 0])
  }

  @Test func testingAScript() async throws {
    try await withTestBridge(.definitions([Press.moduleDefinition])) { test in
      try await test.run("NativeModules.Press.print({ title: 'Emma', words: 3 })")
      #expect(test.queue.lines == [#"Press.print({title: "Emma", words: 3})"#, #"Press.print → "Emma, stapled""#])
      #expect(test.errors.isEmpty)
    }
  }
}
