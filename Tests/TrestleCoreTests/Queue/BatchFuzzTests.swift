import EventLoop
import TestSupport
import Testing

@testable import TrestleCore

/// Batches that no encoder of ours writes: records of modules and of the runtime itself, with words at random.
@Suite struct BatchFuzzTests {
  private let module = ModuleDefinition("Sink", make: { _ in () }) {
    Member<Void>.void("number", "a") { (_, _: Int) in }
    Member<Void>.promise("text", "a", "b") { (_, a: String, b: [Double]?) in a }
    Member<Void>.sync("list", "a") { (_, a: [String: Bool]) in a }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func anyBatchIsSafe(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let batches = (0..<200).map { _ in Self.batch(&generator) }
    try await withBridge([module]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Sink.number(1)")
      for batch in batches { try await bridge.drain(batch) }
      // The bridge goes on.
      let text = try await bridge.evaluate("NativeModules.Sink.text('on')", as: String.self)
      #expect(text == "on")
    }
  }

  /// A record beside the buffer that names itself.
  @Test func aLargeRecordWithinAnotherIsRefused() async throws {
    try await withBridge([module]) { bridge, log in
      let record: [Int32] = [6, -1, 2 | 1 << 16, 0, Int32(Tag.reference.rawValue), 0]
      try await bridge.drain(record, beside: record.withUnsafeBytes { Array($0) } + [0, 0, 0, 0, 0, 0, 0, 0])
      #expect(log.texts.contains { $0.contains("a large record within another") }, "\(log.texts)")
      #expect(try await bridge.evaluate("NativeModules.Sink.text('on')", as: String.self) == "on")
    }
  }

  /// Whoever waits for the answer to a record that is none is told, and the rest of the batch is made.
  @Test(
    arguments: [
      ([4, 9, 0, 1], "a call of module 9, which does not exist"),
      ([4, 0, 7, 1], "a call of method 7 of module 'Sink', which does not exist"),
      ([4, -1, 6, 1], "a runtime record that does not convert"),
    ] as [([Int32], String)])
  func aRecordThatIsNoneIsAnswered(record: [Int32], words: String) async throws {
    try await withBridge([module]) { bridge, log in
      // Keeps slot 1 waiting, the first that is taken.
      let never = ModuleDefinition("Never", make: { _ in Lock<[Reply]>([]) }) {
        Member<Lock<[Reply]>>._method("wait", .promise) { replies in
          { (call) throws(ConversionError) in
            let reply = call.reply()
            replies.withLock { $0.append(reply) }
          }
        }
      }
      try await bridge.register(never)
      try await bridge.evaluate(
        "globalThis.told = undefined; NativeModules.Never.wait().then(() => {}, (error) => { told = `${error.code} ${error.message}`; });"
      )
      try await bridge.drain(record)
      let told = try await awaitGlobal("told", of: bridge, as: String.self)
      #expect(told.hasPrefix("ERR_MALFORMED the command buffer holds \(words)"), "\(told)")
      // Nobody waits for it.
      let unawaited = Array(record.prefix(3)) + [0]
      if record[1] >= 0 {
        try await bridge.drain(unawaited)
        #expect(log.texts.contains { $0.contains(words) }, "\(log.texts)")
      }
      #expect(try await bridge.evaluate("NativeModules.Sink.text('on')", as: String.self) == "on")
    }
  }

  /// Records of a length that is right, or nearly.
  private static func batch(_ generator: inout SeededGenerator) -> [Int32] {
    var words: [Int32] = []
    for _ in 0..<1 + generator.below(4) {
      let values = (0..<generator.below(6) * 2).map { _ in word(&generator) }
      let length = Int32(4 + values.count + (generator.below(8) == 0 ? generator.below(9) - 4 : 0))
      let module = generator.below(2) == 0 ? Int32(-1) : Int32(generator.below(3))
      let method = Int32(generator.below(14)) | Int32(generator.below(4)) << 16
      words += [length, module, method, Int32(truncatingIfNeeded: generator.below(6))] + values
    }
    return words
  }

  private static func word(_ generator: inout SeededGenerator) -> Int32 {
    generator.below(3) == 0 ? Int32(truncatingIfNeeded: generator.next()) : Int32(generator.below(20))
  }
}

extension Bridge {
  /// Makes the calls of a batch as if JavaScript had left it.
  func drain(_ words: [Int32], beside bytes: [UInt8]? = nil) throws {
    let runtime = try openRuntime()
    try runtime.turn {
      for (index, word) in words.enumerated() { runtime.queue.buffer[CommandBuffer.commandsStart + index] = word }
      runtime.queue.buffer[CommandBuffer.Word.cursor] = Int32(CommandBuffer.commandsStart + words.count)
      if let bytes {
        try runtime.queue.sideValues.put(runtime.context.makeArrayBuffer(copying: bytes), at: 0)
        runtime.queue.buffer[CommandBuffer.Word.sideCount] = 1
      }
      runtime.queue.drain()
    }
  }
}
