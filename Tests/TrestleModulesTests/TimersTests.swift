import TestSupport
import Testing
import Trestle
import TrestleModules
import TrestleReactNative

@Suite struct TimersTests {
  private func output(of script: String) async throws -> [Substring] {
    let bridge = try await ModuleBridge()
    try await bridge.run(script)
    await bridge.bridge.close()
    #expect(bridge.uncaught == [])
    return bridge.output.split(separator: "\n")
  }

  @Test func microtasksBeforeImmediatesBeforeTimers() async throws {
    #expect(
      try await output(
        of: """
          setTimeout(() => console.log('timer'), 0);
          setImmediate(() => console.log('immediate'));
          queueMicrotask(() => console.log('microtask'));
          console.log('script');
          """) == ["script", "microtask", "immediate", "timer"])
  }

  /// Answers that are there by the time they are asked for do not keep all others waiting.
  @Test func aTimerIsNotBehindEveryAnswer() async throws {
    let bridge = try await ModuleBridge(.files, capabilities: [.files])
    try await bridge.run(
      """
      let rounds = 0, isDue = false;
      setTimeout(() => { isDue = true; }, 1);
      const busy = () => { const end = Date.now() + 10; while (Date.now() < end); };
      (async () => {
        while (!isDue && rounds++ < 300) {
          const answer = NativeModules.Files.exists('/');
          trestle.flush();
          busy();
          await answer;
        }
        console.log(isDue);
      })();
      """)
    #expect(bridge.output == "true\n")
    await bridge.bridge.close()
  }

  /// Timers of one delay run in the order they were set, and the microtasks of each before the next.
  @Test func eachTimerIsATurn() async throws {
    let timers = (1...3).map { number in
      "setTimeout(() => { console.log('t\(number)'); Promise.resolve().then(() => console.log('m\(number)')); }, 1);"
    }
    #expect(try await output(of: timers.joined()) == ["t1", "m1", "t2", "m2", "t3", "m3"])
  }

  /// Each of them may take its time: those that are left when a bridge is to end do not run.
  @Test(arguments: ["setTimeout(f, 0)", "setImmediate(f)"]) func theEndComesBetweenTimers(_ start: String) async throws
  {
    let bridge = try await ModuleBridge()
    try await bridge.bridge.evaluate(
      """
      const f = () => {
        for (const end = Date.now() + 20; Date.now() < end;);
        console.log('timer');
      };
      for (let i = 0; i < 1000; i++) \(start);
      """)
    while bridge.output.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    await bridge.bridge.close(within: .seconds(60))
    #expect(bridge.output.split(separator: "\n").count < 500)
  }

  @Test func argumentsArePassedOn() async throws {
    #expect(
      try await output(
        of: """
          setTimeout((...values) => console.log('timeout', ...values), 0, 1, 'b');
          setImmediate((...values) => console.log('immediate', ...values), 2);
          """) == ["immediate 2", "timeout 1 b"])
  }

  @Test func clearedTimersDoNotRun() async throws {
    #expect(
      try await output(
        of: """
          clearTimeout(setTimeout(() => console.log('never'), 0));
          clearImmediate(setImmediate(() => console.log('never')));
          const late = setTimeout(() => console.log('never'), 60000);
          setTimeout(() => { console.log('soon'); clearTimeout(late); clearTimeout(late); clearTimeout('nonsense'); }, 0);
          const first = setTimeout(() => clearTimeout(second), 0), second = setTimeout(() => console.log('never'), 0);
          """) == ["soon"])
  }

  @Test func intervalsRunUntilTheyAreCleared() async throws {
    #expect(
      try await output(
        of: """
          let count = 0;
          const interval = setInterval(step => { console.log(count += step); if (count === 6) clearInterval(interval); }, 1, 2);
          """) == ["2", "4", "6"])
  }

  @Test func delaysAreReadAsTheStandardSays() async throws {
    #expect(
      try await output(
        of: """
          setTimeout(() => console.log('nothing'));
          setTimeout(() => console.log('negative'), -5);
          setTimeout(() => console.log('no number'), 'x');
          setTimeout(() => console.log('text'), '0');
          """) == ["nothing", "negative", "no number", "text"])
  }

  /// The longest delay is 2³¹ − 1 ms: what is longer is that.
  @Test(arguments: BridgeConfiguration.Wire.allCases)
  func delaysThatAreNoNumbersOfMilliseconds(wire: BridgeConfiguration.Wire) async throws {
    let bridge = try await ModuleBridge(wire: wire)
    try await bridge.run(
      """
      const heard = [], ids = [];
      const now = [NaN, -1, -Infinity, -1e30, 5e-324, undefined, 'x', {}], never = [Infinity, 1e30, 2 ** 53, 2 ** 31, Number.MAX_VALUE, '1e30'];
      for (const delay of [...now, ...never]) {
        ids.push(setTimeout(() => heard.push(`timeout ${delay}`), delay));
        const id = setInterval(() => { heard.push(`interval ${delay}`); clearInterval(id); }, delay);
        ids.push(id);
      }
      for (const start of [setTimeout, setInterval]) {
        try { start(() => {}, Symbol()); } catch (error) { console.log(error instanceof TypeError); }
      }
      const wait = () => {
        if (heard.length < 2 * now.length) return setTimeout(wait, 1);
        const expected = now.flatMap((delay) => [`timeout ${delay}`, `interval ${delay}`]);
        console.log(heard.sort().join() === expected.sort().join() || heard, new Set(ids).size === ids.length);
        ids.forEach(clearTimeout);
      };
      wait();
      """)
    #expect(bridge.output == "true\ntrue\ntrue true\n")
    #expect(bridge.uncaught == [])
    #expect(await bridge.bridge.close(within: patience))
  }

  @Test func whatTimersThrowIsReported() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.run(
      """
      let count = 0;
      const interval = setInterval(() => { if (++count === 2) clearInterval(interval); throw new Error('beat ' + count); }, 1);
      setTimeout(() => { throw new Error('timer'); }, 0);
      queueMicrotask(() => { throw new Error('microtask'); });
      (async () => { throw new Error('rejection'); })();
      (async () => { throw new Error('handled'); })().catch(() => {});
      """)
    #expect(Set(bridge.uncaught) == ["microtask", "rejection", "timer", "beat 1", "beat 2"])
    await bridge.bridge.close()
  }

  @Test(arguments: ["setTimeout('text')", "setInterval()", "setImmediate(1)", "queueMicrotask({})"])
  func onlyFunctionsAreTaken(_ call: String) async throws {
    #expect(
      try await output(of: "try { \(call) } catch (error) { console.log(error instanceof TypeError, error.message) }")
        .first?.hasPrefix("true \(call.prefix { $0 != "(" }), argument 1 'callback': expected function, got ") == true)
  }

  @Test func timeGoesOn() async throws {
    #expect(
      try await output(
        of: """
          const start = performance.now();
          setTimeout(() => console.log(performance.now() - start >= 2, Math.abs(performance.timeOrigin + start - Date.now()) < 60000), 2);
          """) == ["true true"])
  }

  @Test(arguments: [
    (
      "const m = performance.mark('a', { startTime: 5, detail: { n: [1] } }); console.log(m instanceof PerformanceMark, m instanceof PerformanceEntry, m.name, m.entryType, m.startTime, m.duration, m.detail)",
      ["true true a mark 5 0 { n: [ 1 ] }"]
    ),
    (
      "performance.mark('a', { startTime: 5 }); performance.mark('b', { startTime: 9 }); const m = performance.measure('m', 'a', 'b'); console.log(m.startTime, m.duration, m.detail, JSON.stringify(m))",
      [#"5 4 null {"name":"m","entryType":"measure","startTime":5,"duration":4,"detail":null}"#]
    ),
    (
      "console.log(performance.measure('m', { start: 1, duration: 2 }).duration, performance.measure('m', { end: 10, duration: 2 }).startTime, performance.measure('n').startTime, performance.measure('m', { start: 2, end: 7, detail: 'x' }).detail)",
      ["2 8 0 x"]
    ),
    // The last mark of a name counts; entries stand by their starts.
    (
      "for (const startTime of [9, 3]) performance.mark('a', { startTime }); console.log(performance.measure('m', 'a', 'a').startTime, performance.getEntries().map((e) => e.name + e.startTime).join(), performance.getEntriesByType('mark').length, performance.getEntriesByName('a', 'measure').length); performance.clearMarks('b'); performance.clearMarks('a'); console.log(performance.getEntries().length); performance.clearMeasures(); console.log(performance.getEntries())",
      ["9 a3,a9,m9 2 0", "1", "[]"]
    ),
    (
      "performance.mark('a'); performance.mark('b'); performance.clearMarks('a'); for (const name of ['a', 'b']) try { performance.measure('m', name); console.log(name) } catch (e) { console.log(e.name) }; performance.clearMarks(); try { performance.measure('m', 'b') } catch (e) { console.log(e.name) }",
      ["SyntaxError", "b", "SyntaxError"]
    ),
    (
      "const detail = { a: 1 }; const m = performance.mark('a', { detail }); detail.a = 2; console.log(m.detail.a, new PerformanceMark('b', { startTime: 1 }).startTime, performance.getEntries().length)",
      ["1 1 1"]
    ),
    (
      "for (const make of [() => performance.mark(), () => performance.mark('a', { startTime: -1 }), () => performance.measure('m', 'none'), () => performance.measure('m', { start: 1 }, 'x'), () => performance.measure('m', { duration: 1 }), () => performance.measure('m', { start: 1, end: 2, duration: 3 }), () => new PerformanceMeasure(), () => performance.mark('a', { detail: () => {} })]) try { make(); console.log('made') } catch (e) { console.log(e.name) }",
      ["TypeError", "TypeError", "SyntaxError", "TypeError", "TypeError", "TypeError", "TypeError", "DataCloneError"]
    ),
  ])
  func userTiming(body: String, expected: [String]) async throws {
    #expect(try await output(of: body).map(String.init) == expected)
  }

  /// Each measure costs the same, however many entries there are: for as many they would take minutes otherwise.
  @Test func manyMeasuresAreNoWork() async throws {
    let body = """
      for (let i = 0; i < 100_000; i++) { performance.mark(`m${i}`); performance.measure('from mark', `m${i}`); performance.measure('from start'); }
      console.log(performance.getEntries().length, performance.getEntries()[0].name);
      """
    #expect(try await output(of: body).map(String.init) == ["300000 from start"])
  }

  /// What an interval has to say comes once, however often its time has come meanwhile.
  @Test func intervalsThatTakeLongerThanTheirTimeLeaveOthersTheirTurn() async throws {
    #expect(
      try await output(
        of: """
          let ticks = 0;
          const work = () => { ticks++; const end = performance.now() + 1; while (performance.now() < end); };
          const intervals = Array.from({ length: 50 }, () => setInterval(work, 1));
          (async () => {
            for (let i = 0; i < 8; i++) await new Promise((resolve) => setTimeout(resolve, 0));
            intervals.forEach(clearInterval);
            console.log(ticks < 8 * 50 * 3 || ticks);
          })();
          """) == ["true"])
  }

  /// Each is looked at once for each time that the script hears of it.
  @Test func manyIntervalsLeaveOthersTheirTurn() async throws {
    #expect(
      try await output(
        of: """
          let due = Infinity, late = 0;
          const count = 1000, beat = () => { if (performance.now() > due) late++; };
          const intervals = Array.from({ length: count }, () => setInterval(beat, 1));
          setTimeout(() => {
            intervals.forEach(clearInterval);
            // What is due is a round away at most, and one is under way.
            console.log(late <= 4 * count || late);
          }, 100);
          due = performance.now() + 100;
          """) == ["true"])
  }

  @Test func closingEndsTimers() async throws {
    let bridge = try await ModuleBridge()
    try await bridge.bridge.evaluate("setInterval(() => console.log('beat'), 60000); setTimeout(() => {}, 60000)")
    async let idle: Void = bridge.bridge.waitUntilIdle()
    await bridge.bridge.close()
    await idle
    #expect(bridge.output == "")
  }
}
