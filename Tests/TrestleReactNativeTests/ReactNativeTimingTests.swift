import Testing
import Trestle
import TrestleReactNative

/// The timers of React Native's JavaScript, on `Timing`.
@Suite struct ReactNativeTimingTests {
  private func output(_ script: String) async throws -> [String] { try await ReactNativeCore.output(of: script) }

  @Test func immediatesBeforeTimersAndTimersInOrder() async throws {
    let lines = try await output(
      """
      setTimeout(value => console.log('soon', value), 0, 1);
      setTimeout(() => console.log('later'), 1);
      setImmediate(() => { console.log('immediate'); setImmediate(() => console.log('nested')); });
      Promise.resolve().then(() => console.log('microtask'));
      console.log('script');
      """)
    #expect(lines == ["script", "microtask", "immediate", "nested", "soon 1", "later"])
  }

  /// Those that are due at once come in one call, sorted by their times.
  @Test func dueTimersShareACall() async throws {
    let lines = try await output(
      """
      const {callFunctionReturnFlushedQueue} = BatchedBridge;
      BatchedBridge.spy = ({type, method, args}) => { if (type === 0 && method === 'callTimers') console.log(args[0].length); };
      const now = Date.now;
      const start = now();
      Date.now = () => start;
      for (let i = 0; i < 3; i++) setTimeout(() => console.log('c' + i), 3);
      for (let i = 0; i < 3; i++) setTimeout(() => console.log('b' + i), 2);
      setTimeout(() => console.log('a'), 1);
      Date.now = now;
      while (now() - start < 10);
      """)
    #expect(lines == ["7", "a", "b0", "b1", "b2", "c0", "c1", "c2"])
  }

  @Test func intervalsBeatUntilTheyAreCleared() async throws {
    let lines = try await output(
      """
      let count = 0;
      const interval = setInterval(step => { console.log(count += step); if (count === 6) clearInterval(interval); }, 0, 2);
      """)
    #expect(lines == ["2", "4", "6"])
  }

  @Test func clearedTimersDoNotKeepTheBridge() async throws {
    let lines = try await output(
      """
      clearTimeout(setTimeout(() => console.log('never'), 0));
      const late = setTimeout(() => console.log('never'), 1e9);
      const endless = setTimeout(() => console.log('never'), Infinity);
      setTimeout(() => { clearTimeout(late); clearTimeout(endless); clearTimeout(late); console.log('cleared'); }, 1);
      """)
    #expect(lines == ["cleared"])
  }

  /// The clock is in a script's reach: whatever it is told, the process goes on.
  @Test func anyNumbersAreTaken() async throws {
    let lines = try await output(
      """
      const { Timing } = NativeModules;
      for (const number of [NaN, Infinity, -Infinity, 1e308, -1e308, 5e-324]) for (const repeats of [false, true]) {
        for (const id of [1, 1, -7, 2 ** 53 - 1]) {
          Timing.createTimer(id, number, Date.now(), repeats);
          Timing.createTimer(id, 1, number, repeats);
          Timing.deleteTimer(id);
        }
      }
      Timing.deleteTimer(12345);
      setTimeout(() => console.log('on'), 1);
      """)
    #expect(lines.filter { !$0.hasPrefix("warning The clocks") } == ["on"])
  }

  /// A timer counts from when the script set it.
  @Test func timeOnTheQueueCounts() async throws {
    let lines = try await output(
      """
      NativeModules.Timing.createTimer(900, 1000, Date.now() - 5000, false);
      setTimeout(() => console.log('behind'), 5);
      BatchedBridge.spy = ({type, method, args}) => { if (type === 0 && method === 'callTimers') console.log(args[0].includes(900)); };
      """)
    #expect(lines.first == "true" && lines.last == "behind")
  }

  @Test func idleCallbacksComeWithTheFrames() async throws {
    let lines = try await output(
      """
      requestAnimationFrame(time => console.log('frame', time <= nativePerformanceNow()));
      requestIdleCallback(deadline => {
        console.log('idle', deadline.didTimeout);
        requestIdleCallback(() => console.log('idle again'));
      });
      """)
    #expect(lines.sorted() == ["frame true", "idle again", "idle false"])
  }

  /// The first error of a call is thrown there, each other in a turn of its own.
  @Test func whatTimersThrowIsReported() async throws {
    let core = try await ReactNativeCore()
    try await core.run(
      "for (const name of ['one', 'two', 'three']) setTimeout(() => { throw new Error(name) }, 1); setTimeout(() => console.log('on'), 2);"
    )
    await core.bridge.close()
    #expect(core.output == ["on"])
    #expect(Set(core.exceptions.map(\.error.message)) == ["one", "two", "three"])
    #expect(core.exceptions.allSatisfy(\.isFatal) && core.reported.count == 3)
  }

  /// A script whose clock is another one's is told; its timers count from when they come.
  @Test(arguments: ["0", "NaN", "real + 1e9"]) func clocksThatDiffer(time: String) async throws {
    let lines = try await output(
      "Date.now = (real => () => \(time))(Date.now()); setTimeout(() => console.log('still'), 1);"
    )
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("warning The clocks of the script and of the host differ by ") == true)
    #expect(lines.last == "still")
  }

  @Test func closingEndsTimers() async throws {
    let core = try await ReactNativeCore()
    try await core.bridge.evaluate("setInterval(() => console.log('beat'), 60000); requestIdleCallback(() => {})")
    async let idle: Void = core.bridge.waitUntilIdle()
    await core.bridge.close()
    await idle
    #expect(core.output.isEmpty)
  }
}
