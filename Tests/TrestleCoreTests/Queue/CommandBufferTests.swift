import Testing

@testable import TrestleCore

@Suite struct CommandBufferTests {
  @Test func withoutMemoryThereIsAnError() {
    let error = #expect(throws: BridgeError.self) { _ = try CommandBuffer { _ in nil } }
    #expect(error?.code == .limit && error?.message == "no memory for the command buffer")
  }

  /// More than there are addresses.
  @Test func pagesThatDoNotExistAreNone() { #expect(CommandBuffer.freshPages(.max) == nil) }
}
