import EventLoop
import Glibc
import Testing

@testable import EditorClient

@Suite struct CoreCommandTests {
  @Test func aCoreThatCannotBeStartedIsNamed() {
    let command = CoreCommand.executable(path: "/no/such/core", name: "core")
    let error = #expect(throws: ClientError.self) { try ClientSession(command, on: Loop(), columns: 80, rows: 24) }
    #expect(error?.code == .cannotStartCore)
    #expect(error.map { "\($0)" } == "/no/such/core: the core cannot be started: No such file or directory")
  }

  /// An editor that ends of a signal leaves nothing behind that still runs: what is started next takes over the journals.
  @Test func aCoreComesToItsEndWhileItIsWaitedFor() throws {
    var template = Array("/tmp/xiedit-core-end-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      close(descriptor)
      unlink(path)
    }
    let connection = try CoreConnection(.shell("cat >/dev/null; printf ended >\(path)"), on: Loop())
    connection.close()
    connection.waitForEnd()
    var status = stat()
    #expect(fstat(descriptor, &status) == 0 && status.st_size == 5)
  }
}
