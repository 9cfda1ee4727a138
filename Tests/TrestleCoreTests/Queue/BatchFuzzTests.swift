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

  /// Takes one of each kind that lies beside the buffer, and notes that it has come.
  private func taker(_ taken: Lock<Set<String>>) -> ModuleDefinition {
    let note = { @Sendable (kind: String) in _ = taken.withLock { $0.insert(kind) } }
    return ModuleDefinition("Taker", make: { _ in () }) {
      Member<Void>.void("function", "a") { (_, function: ScriptFunction<Int, Int>) in
        note("function")
        function.notify(1)
      }
      Member<Void>.void("object", "a") { (_, _: ScriptObject) in note("object") }
      Member<Void>.void("string", "a") { (_, string: String) in if string.utf16.count > 1024 { note("string") } }
      Member<Void>.void("copied", "a") { (_, bytes: [UInt8]) in if !bytes.isEmpty { note("copied") } }
      Member<Void>.sync("lent", "a") { (_, bytes: BorrowedBytes) in
        if try !bytes.copy().isEmpty { note("lent") }
      }
      Member<Void>.void("given", "a") { (_, bytes: TransferredBytes) in if bytes.count > 0 { note("given") } }
      Member<Void>.void("error", "a") { (_, error: JavaScriptError) in if error.identity != nil { note("error") } }
      Member<Void>.promise("any", "a") { (_, value: JSONValue?) in value }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func anyBatchIsSafe(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let batches = (0..<200).map { _ in
      (Self.batch(&generator), (0..<1 + generator.below(6)).map { Self.sideValue(&generator, at: $0) })
    }
    let taken = Lock<Set<String>>([])
    try await withBridge([module, taker(taken)]) { bridge, _ in
      try await bridge.evaluate("NativeModules.Sink.number(1)")
      for (words, sideValues) in batches { try await bridge.drain(words, beside: sideValues) }
      // The bridge goes on.
      let text = try await bridge.evaluate("NativeModules.Sink.text('on')", as: String.self)
      #expect(text == "on")
    }
    // What the batches refer to is there often enough; a kind or two may be missing from 200 of them.
    #expect(taken.withLock { $0.count } >= 4)
  }

  /// A record beside the buffer that names itself.
  @Test func aLargeRecordWithinAnotherIsRefused() async throws {
    try await withBridge([module]) { bridge, log in
      let record: [Int32] = [6, -1, 2 | 1 << 16, 0, Int32(Tag.reference.rawValue), 0]
      try await bridge.drain(record, beside: ["new Int32Array(\(record + [0, 0])).buffer"])
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

  /// Records of a length that is right, or nearly, and calls of `Taker`.
  private static func batch(_ generator: inout SeededGenerator) -> [Int32] {
    (0..<1 + generator.below(4)).flatMap { _ in
      generator.below(2) == 0 ? anyRecord(&generator) : taking(&generator)
    }
  }

  private static func anyRecord(_ generator: inout SeededGenerator) -> [Int32] {
    let values = (0..<generator.below(6) * 2).map { _ in word(&generator) }
    let length = Int32(4 + values.count + (generator.below(8) == 0 ? generator.below(9) - 4 : 0))
    let module = generator.below(2) == 0 ? Int32(-1) : Int32(generator.below(4))
    let method = Int32(generator.below(14)) | Int32(generator.below(4)) << 16
    return [length, module, method, Int32(truncatingIfNeeded: generator.below(6))] + values
  }

  /// A call with a value beside the buffer, which may be of that kind; or a record there.
  private static func taking(_ generator: inout SeededGenerator) -> [Int32] {
    func tag(_ tag: TrestleCore.Tag) -> Int32 { Int32(tag.rawValue) }
    let method = Int32(generator.below(9))
    // Half of them the one that is likely to be of that kind.
    let index = Int32(generator.below(2) == 0 ? [1, 5, 3, 4, 4, 4, 2, 3, 0][Int(method)] : generator.below(6))
    let whole: [Int32] = [12, 0, 0, 8]
    let view: [Int32] =
      generator.below(2) == 0
      ? whole : [Int32(generator.below(14)), 0, Int32(generator.below(3) * 4), Int32(generator.below(3) * 8)]
    let value: [Int32] =
      switch method {
      case 2: [tag(.longString), index]
      case 3, 4, 5: [tag(.binary), index] + view
      case 6: [tag(.error), index] + [Int32](repeating: 0, count: 12)
      case 7: [tag(.array), 2, tag(.longString), index, tag(.binary), index] + view
      default: [tag(.reference), index]
      }
    let elsewhere: [Int32] = [6, -1, 2 | 1 << 16, 0]
    let call: [Int32] = [Int32(4 + value.count), 1, method | 1 << 16, Int32(generator.below(6))]
    return (method == 8 ? elsewhere : call) + value
  }

  /// An expression of JavaScript for what lies beside a batch.
  private static func sideValue(_ generator: inout SeededGenerator, at index: Int) -> String {
    let size = generator.below(3) * 8
    return switch generator.below(2) == 0 ? [0, 2, 3, 4, 7, 8][index] : generator.below(9) {
    case 0, 1: "new Int32Array(\(batch(&generator))).buffer"
    case 2: ["(x) => x", "class {}", "new Proxy(function () {}, {})", "() => { throw 1 }"][generator.below(4)]
    case 3:
      (hostileErrors + ["Object.assign(new RangeError('e', { cause: 1 }), { code: 'C' })"]).randomElement(
        using: &generator) ?? ""
    case 4: "'\(generator.below(2) == 0 ? "x" : "é\\uD800")'.repeat(\(generator.below(3) * 1000))"
    case 5: "((buffer) => { buffer.transfer(); return buffer })(new ArrayBuffer(\(size)))"
    case 6: "new ArrayBuffer(\(size), { maxByteLength: 64 })"
    case 7: "new Uint8Array(\(size + 8)).fill(7).buffer"
    default: ["({ a: 1 })", "[1]", "5", "undefined", "Symbol()", "10n", "new Uint8Array(8)"][generator.below(7)]
    }
  }

  private static func word(_ generator: inout SeededGenerator) -> Int32 {
    generator.below(3) == 0 ? Int32(truncatingIfNeeded: generator.next()) : Int32(generator.below(20))
  }
}

extension Bridge {
  /// Makes the calls of a batch as if JavaScript had left it.
  ///
  /// - Parameter values: expressions for what lies beside the buffer.
  func drain(_ words: [Int32], beside values: [String] = []) throws {
    let runtime = try openRuntime()
    try runtime.turn {
      for (index, word) in words.enumerated() { runtime.queue.buffer[CommandBuffer.commandsStart + index] = word }
      runtime.queue.buffer[CommandBuffer.Word.cursor] = Int32(CommandBuffer.commandsStart + words.count)
      for (index, value) in values.enumerated() {
        try runtime.queue.sideValues.put(runtime.context.evaluate("(\(value))"), at: index)
      }
      runtime.queue.buffer[CommandBuffer.Word.sideCount] = Int32(values.count)
      runtime.queue.drain()
    }
  }
}
