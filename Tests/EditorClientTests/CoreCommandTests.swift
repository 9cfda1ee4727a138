import EventLoop
import Testing

@testable import EditorClient

@Suite struct CoreCommandTests {
  @Test func aCoreThatCannotBeStartedIsNamed() {
    let command = CoreCommand.executable(path: "/no/such/core", name: "core")
    let error = #expect(throws: ClientError.self) { try ClientSession(command, on: Loop(), columns: 80, rows: 24) }
    #expect(error?.code == .cannotStartCore)
    #expect(error.map { "\($0)" } == "/no/such/core: the core cannot be started: No such file or directory")
  }
}
