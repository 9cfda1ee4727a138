import EventLoop
import Glibc
import JSEngine

/// The ArrayBuffers that scripts have given away, kept for as long as native code has their bytes.
///
/// Their memory is the engine's, and goes with it: bytes that outlive the bridge are copied when it closes.
final class TakenBuffers: @unchecked Sendable {  // what is not constant or locked is touched on the JS thread alone
  private struct Taken {
    let buffer: JSArrayBuffer
    weak var bytes: TransferredBytes?
  }

  private struct Readers {
    var count = 0
    var areAwaited = false
  }

  private let loop: Loop
  private weak var context: JSContext?
  private var taken: [Int: Taken] = [:]
  private var lastNumber = 0
  /// Those on other threads.
  private let readers = Lock(Readers())
  private let readersEnd = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ context: JSContext) {
    loop = context.loop
    self.context = context
    sem_init(readersEnd, 0, 0)
  }

  deinit {
    sem_destroy(readersEnd)
    readersEnd.deallocate()
  }

  /// - Returns: a part of the bytes of `buffer`, which the script no longer has, and the buffer that has them now; nil if it
  ///   does not let go of them, or has less.
  func take(_ buffer: JSArrayBuffer, _ range: Range<Int>) -> (TransferredBytes, JSArrayBuffer)? {
    guard let count = try? buffer.byteCount(), range.upperBound <= count, let own = try? buffer.transfer(),
      let memory = own.context.raw.bytes(ofArrayBuffer: own.reference), range.upperBound <= memory.count
    else { return nil }
    lastNumber += 1
    let number = lastNumber
    let bytes = TransferredBytes(
      lending: UnsafeMutableRawBufferPointer(rebasing: memory[range]), by: self,
      deallocator: { [self] _ in loop.perform { [self] in taken[number] = nil } })
    taken[number] = Taken(buffer: own, bytes: bytes)
    return (bytes, own)
  }

  /// Somebody reads bytes that are lent, until `endReading`. On the JS thread that needs `whileOpen` in place of both.
  func beginReading() { if !loop.isOnOwnThread { readers.withLock { $0.count += 1 } } }

  func endReading() {
    guard !loop.isOnOwnThread else { return }
    let isAwaited = readers.withLock { readers in
      readers.count -= 1
      return readers.areAwaited && readers.count == 0
    }
    if isAwaited { sem_post(readersEnd) }
  }

  /// Runs `body`; if on the JS thread, where nobody could wait for it, a close that it asks for comes after it.
  func whileOpen<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard loop.isOnOwnThread, let context else { return try body() }
    return try context.withLock(body)
  }

  /// Leaves the bytes that somebody still has as copies, before the engine goes.
  func giveUp() {
    for taken in taken.values { taken.bytes?.keepCopy() }
    let areReading = readers.withLock { readers in
      readers.areAwaited = readers.count > 0
      return readers.areAwaited
    }
    if areReading { while sem_wait(readersEnd) != 0 {} }
    taken = [:]
  }
}
