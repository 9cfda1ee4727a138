import EventLoop
import JSEngine

/// The ArrayBuffers that scripts have given away, kept for as long as native code has their bytes.
///
/// Their memory is the engine's, and goes with it: bytes that outlive the bridge are copied when it closes.
final class TakenBuffers: @unchecked Sendable {  // all but `loop` is touched on the JS thread alone
  private struct Taken {
    let buffer: JSArrayBuffer
    weak var bytes: TransferredBytes?
  }

  private let loop: Loop
  private var taken: [Int: Taken] = [:]
  private var lastNumber = 0

  init(_ loop: Loop) { self.loop = loop }

  /// - Returns: a part of the bytes of `buffer`, which the script no longer has, and the buffer that has them now; nil if it
  ///   does not let go of them, or has less.
  func take(_ buffer: JSArrayBuffer, _ range: Range<Int>) -> (TransferredBytes, JSArrayBuffer)? {
    guard let count = try? buffer.byteCount(), range.upperBound <= count, let own = try? buffer.transfer(),
      let memory = own.context.raw.bytes(ofArrayBuffer: own.reference), range.upperBound <= memory.count
    else { return nil }
    lastNumber += 1
    let number = lastNumber
    let bytes = TransferredBytes(
      lending: UnsafeMutableRawBufferPointer(rebasing: memory[range]),
      deallocator: { [self] _ in loop.perform { [self] in taken[number] = nil } })
    taken[number] = Taken(buffer: own, bytes: bytes)
    return (bytes, own)
  }

  /// Leaves the bytes that somebody still has as copies, before the engine goes.
  func giveUp() {
    for taken in taken.values { taken.bytes?.keepCopy() }
    taken = [:]
  }
}
