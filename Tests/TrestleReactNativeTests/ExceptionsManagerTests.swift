import Testing
import Trestle
import TrestleReactNative

/// What JavaScript reports to `ExceptionsManager` reaches the host.
@Suite struct ExceptionsManagerTests {
  private func exceptions(_ script: String) async throws -> [ReportedException] {
    let core = try await ReactNativeCore()
    try await core.run(script)
    await core.bridge.close()
    #expect(core.reported.count == core.exceptions.count, "\(core.reported)")
    return core.exceptions
  }

  @Test func whatNobodyCatchesIsFatal() async throws {
    let all = try await exceptions("setTimeout(function late() { throw new TypeError('boom') }, 1)")
    let exception = try #require(all.first)
    #expect(all.count == 1 && exception.isFatal && !exception.isUpdate && exception.id == 1)
    #expect(exception.error.name == "TypeError" && exception.error.message == "boom")
    #expect("\(exception)".hasPrefix("TypeError: boom (test.js:1:"))
    #expect(exception.error.stack?.hasPrefix("late@test.js:1:") == true)
    #expect(exception.extraData?["jsEngine"] == "jsc" && exception.componentStack == nil)
  }

  @Test func softExceptionsAreNot() async throws {
    let all = try await exceptions("ErrorUtils.reportError(new Error('soft'))")
    #expect(all.map(\.isFatal) == [false] && all.map(\.error.message) == ["soft"])
  }

  @Test func olderScriptsReportInParts() async throws {
    let all = try await exceptions(
      """
      const {ExceptionsManager} = NativeModules;
      const stack = [{file: 'a.js', methodName: 'f', lineNumber: 3, column: 7}, {file: null, methodName: 'native', lineNumber: null, column: null},
        {file: 'b.js', methodName: null, lineNumber: 1e300, column: 0.5, collapse: true}];
      ExceptionsManager.reportFatalException('fatal', stack, 1);
      ExceptionsManager.reportSoftException('soft', [], 2);
      ExceptionsManager.updateExceptionMessage('soft, traced back', stack, 2);
      ExceptionsManager.dismissRedbox();
      """)
    #expect(all.map(\.error.message) == ["fatal", "soft", "soft, traced back"])
    #expect(all.map(\.isFatal) == [true, false, false] && all.map(\.isUpdate) == [false, false, true])
    #expect(all.map(\.id) == [1, 2, 2])
    #expect(all.first?.error.stack == "f@a.js:3:7\nnative\n@b.js")
  }

  @Test func reportsThatAreNoneAreReported() async throws {
    let core = try await ReactNativeCore()
    try await core.run(
      "NativeModules.ExceptionsManager.reportException({message: 5}); NativeModules.ExceptionsManager.reportException();"
    )
    await core.bridge.close()
    #expect(core.reported.count == 2)
    #expect("\(core.reported[0])".contains("ExceptionsManager.reportException, argument 1 'data.message'"))
  }

  /// Without a handler the default one throws again: the host is told by the bridge itself.
  @Test func withoutExceptionsManager() async throws {
    let core = try await ReactNativeCore(startingWith: "globalThis.__fbDisableExceptionsManager = true")
    try await core.run("setTimeout(() => { throw new Error('boom') }, 1)")
    await core.bridge.close()
    #expect(core.exceptions.isEmpty && core.reported.map { ($0 as? JavaScriptError)?.message } == ["boom"])
  }
}
