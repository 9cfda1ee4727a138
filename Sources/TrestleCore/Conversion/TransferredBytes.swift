import EventLoop

/// Bytes that change hands between Swift and JavaScript without being copied.
///
/// For a megabyte and more; below that `[UInt8]` costs nothing to speak of. From any thread.
///
/// To JavaScript, as a result or an argument: the ArrayBuffer there lies over the very memory. They can be sent once: from then
/// on they belong to JavaScript, and reading or sending them again throws `ERR_DETACHED`. If what they were sent with is refused
/// they have not been sent.
///
/// ```swift
/// @Exported func pixels() -> TransferredBytes {
///   TransferredBytes(count: width * height * 4) { memory in render(into: memory) }
/// }
/// @Exported func show(_ pixels: TransferredBytes) { … }
/// ```
///
/// From JavaScript, as a parameter: an ArrayBuffer, or the part of one that a view shows, is taken from the script. From the
/// time the call goes over, at once or with its batch, script finds the buffer and all views on it detached, and a second call
/// with it is refused. Arguments are taken one after the other: one that is refused in Swift alone leaves those before it taken.
/// Copied is what the engine does not let go of, and script keeps it: a buffer whose bytes native code has read before, and
/// the memory of WebAssembly. A resizable buffer is detached, its bytes are copied. Closing the bridge copies what somebody
/// still has of it, as does sending it on.
public final class TransferredBytes: BridgeCodable, @unchecked Sendable {  // memory under the lock
  private enum Owner { case swift, message, javaScript }

  /// Freed with its last owner; who reads it is one meanwhile.
  private final class Memory: @unchecked Sendable {  // a pointer to what has one owner at a time, and to who reads it
    let bytes: UnsafeMutableRawBufferPointer
    let deallocator: @Sendable (UnsafeMutableRawBufferPointer) -> Void
    /// Of memory that is a script's, and stays only as long as its engine.
    let lender: TakenBuffers?
    private var isGivenAway = false

    init(
      _ bytes: UnsafeMutableRawBufferPointer, lender: TakenBuffers? = nil,
      _ deallocator: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
    ) {
      (self.bytes, self.lender, self.deallocator) = (bytes, lender, deallocator)
    }

    deinit { if !isGivenAway { deallocator(bytes) } }

    /// For somebody else to free. With the lock held.
    func giveAway() { isGivenAway = true }

    func copy() -> Memory {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
      copy.copyMemory(from: UnsafeRawBufferPointer(bytes))
      return Memory(UnsafeMutableRawBufferPointer(start: copy.baseAddress, count: bytes.count)) { $0.deallocate() }
    }
  }

  private struct State: Sendable {
    var owner = Owner.swift
    var memory: Memory
    var readers = 0
  }

  /// In bytes.
  public let count: Int
  private let state: Lock<State>

  public static var bridgeSchema: BridgeSchema { BridgeSchema(.data) }

  /// Memory that somebody else allocated, and that must be written by nobody any more.
  ///
  /// - Parameter deallocator: called once, on any thread, when nobody needs the memory: after JavaScript's collector has
  ///   found the ArrayBuffer to be garbage, its bridge is closed, or the bytes were never sent.
  public convenience init(
    adopting memory: UnsafeMutableRawBufferPointer,
    deallocator: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    self.init(Memory(memory, deallocator))
  }

  /// Memory that is there until `keepCopy` is called, and those who read it by then are done.
  convenience init(
    lending memory: UnsafeMutableRawBufferPointer, by lender: TakenBuffers,
    deallocator: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    self.init(Memory(memory, lender: lender, deallocator))
  }

  private init(_ memory: Memory) {
    count = memory.bytes.count
    state = Lock(State(memory: memory))
  }

  /// New memory that `write` fills; zeroed before, so that nothing of the process shows.
  public convenience init(count: Int, _ write: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    let used = UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
    do { try write(used) } catch {
      memory.deallocate()
      throw error
    }
    self.init(
      adopting: UnsafeMutableRawBufferPointer(start: memory.baseAddress, count: count), deallocator: { $0.deallocate() }
    )
  }

  convenience init(copying bytes: [UInt8]) {
    self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  /// Calls `body` with the bytes, which may ask this object for anything. What is sent meanwhile is a copy. Closing the bridge that
  /// the bytes came from waits for `body`, which in its turn must not wait for that.
  public func withBytes<Result>(_ body: (RawSpan) throws -> Result) throws -> Result {
    let memory = try state.withLock { state in
      guard state.owner == .swift else { throw Self.sent }
      state.readers += 1
      state.memory.lender?.beginReading()
      return state.memory
    }
    defer {
      memory.lender?.endReading()
      state.withLock { $0.readers -= 1 }
    }
    guard let lender = memory.lender else { return try body(memory.bytes.bytes) }
    return try lender.whileOpen { try body(memory.bytes.bytes) }
  }

  private static var sent: BridgeError { BridgeError(.detached, "the bytes were sent to JavaScript before") }

  public static func decode(from reader: inout ValueReader) throws(ConversionError) -> TransferredBytes {
    let view = try reader.binaryView()
    guard let bytes = reader.sideValues.takeBinary(at: view.index, in: view.range) else {
      throw reader.error(.missing, bytesBack: 24)
    }
    return bytes
  }

  public func encode(into writer: inout ValueWriter) throws {
    try state.withLock { state in
      guard state.owner == .swift else { throw Self.sent }
      // Of memory that is not the engine's, nor anybody else's to read.
      if state.memory.lender != nil || state.readers > 0 { state.memory = state.memory.copy() }
      state.owner = .message
    }
    writer.append(Passage(self))
  }

  /// Lives as long as a message with the bytes. One that goes without having reached JavaScript leaves them where they were.
  final class Passage: Sendable {
    let bytes: TransferredBytes

    fileprivate init(_ bytes: TransferredBytes) { self.bytes = bytes }

    deinit {
      bytes.state.withLock { state in
        if state.owner == .message { state.owner = .swift }
      }
    }
  }

  /// Whether the memory is a script's.
  var isLent: Bool { state.withLock { $0.memory.lender != nil } }

  /// Lets go of memory that was only lent; those who read it have it until they are done.
  func keepCopy() {
    state.withLock { state in
      if state.memory.lender != nil { state.memory = state.memory.copy() }
    }
  }

  /// A copy for those who look at a message on its way.
  var bytesOfMessage: [UInt8] { state.withLock { $0.owner == .message ? [UInt8]($0.memory.bytes) : [] } }

  /// The memory, for an ArrayBuffer that frees it; nil the second time.
  func takeForJavaScript() -> (UnsafeMutableRawBufferPointer, @Sendable (UnsafeMutableRawBufferPointer) -> Void)? {
    let memory: Memory? = state.withLock { state in
      guard state.owner == .message else { return nil }
      state.owner = .javaScript
      state.memory.giveAway()
      return state.memory
    }
    return memory.map { ($0.bytes, $0.deallocator) }
  }
}
