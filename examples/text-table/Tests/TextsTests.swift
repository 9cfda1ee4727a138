import Foundation
import Testing
import TextStatistics
import TrestleTesting

/// The example's module on its own, and in a bridge.
struct TextsTests {
  private let motto = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "input/motto.txt").path

  @Test func countsWithoutAnEngine() async throws {
    let texts = StandaloneModule(instance: Texts(paths: [motto]))
    #expect(try await texts.constants == ["paths": [.string(motto)]])
    let statistics = try await texts.call("statistics", .string(motto))
    #expect(
      statistics == ["name": "motto.txt", "lines": 2, "words": 23, "bytes": 129, "longestWord": "program"])
  }

  @Test func mistakesAreWorded() async {
    let texts = StandaloneModule(instance: Texts(paths: []))
    let error = await #expect(throws: JavaScriptError.self) { try await texts.call("statistics", 3) }
    #expect(error?.message == "Texts.statistics, argument 1 'path': expected string, got number 3")
  }

  @Test func aScriptReadsOneTextAfterTheOther() async throws {
    try await withTestBridge(.instance(Texts(paths: [motto]))) { test in
      try await test.run("const {Texts} = NativeModules; for (const path of Texts.paths) Texts.statistics(path)")
      #expect(test.queue.calls == [.init("Texts", "statistics", .string(motto))])
      #expect(try await test.entry(of: "Texts")?.methods == ["statistics: promise"])
      #expect(test.errorTexts == [])
    }
  }
}
