import EventLoop

/// Bytes that go to JavaScript without being copied: the ArrayBuffer there lies over the very memory.
///
/// For results and arguments of a megabyte and more; below that `[UInt8]` costs nothing to speak of. They can be sent once:
/// from then on they belong to JavaScript, and reading or sending them again throws `ERR_DETACHED`. From any thread.
///
/// ```swift
/// @Exported func pixels() -> TransferredBytes {
///   TransferredBytes(count: width * height * 4) { memory in render(into: memory) }
/// }
/// ```
public final class TransferredBytes: BridgeEncodable, @unchecked Sendable {  // memory under the lock
  private enum Owner { case swift, message, javaScript }

  /// In bytes.
  public let count: Int
  private let memory: UnsafeMutableRawBufferPointer
  private let deallocator: @Sendable (UnsafeMutableRawBufferPointer) -> Void
  private let owner = Lock(Owner.swift)

  public static var bridgeSchema: TypeSchema { .data }

  /// Memory that somebody else allocated, and that must be written by nobody any more.
  ///
  /// - Parameter deallocator: called once, on any thread, when nobody needs the memory: after JavaScript's collector has
  ///   found the ArrayBuffer to be garbage, its bridge is closed, or the bytes were never sent.
  public init(
    adopting memory: UnsafeMutableRawBufferPointer,
    deallocator: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    count = memory.count
    self.memory = memory
    self.deallocator = deallocator
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

  deinit {
    if owner.withLock({ $0 }) != .javaScript { deallocator(memory) }
  }

  /// Calls `body` with the bytes. Sending them waits meanwhile.
  public func withBytes<Result>(_ body: (RawSpan) throws -> Result) throws -> Result {
    try owner.withLock { owner in
      guard owner == .swift else { throw Self.sent }
      return try body(memory.bytes)
    }
  }

  private static var sent: BridgeError { BridgeError(.detached, "the bytes were sent to JavaScript before") }

  public func encode(into writer: inout ValueWriter) throws {
    try owner.withLock { owner in
      guard owner == .swift else { throw Self.sent }
      owner = .message
    }
    writer.append(self)
  }

  /// A copy for those who look at a message on its way.
  var bytesOfMessage: [UInt8] { owner.withLock { $0 == .message ? [UInt8](memory) : [] } }

  /// The memory, for an ArrayBuffer that frees it; nil the second time.
  func takeForJavaScript() -> (UnsafeMutableRawBufferPointer, @Sendable (UnsafeMutableRawBufferPointer) -> Void)? {
    owner.withLock { owner in
      guard owner == .message else { return nil }
      owner = .javaScript
      return (memory, deallocator)
    }
  }
}
