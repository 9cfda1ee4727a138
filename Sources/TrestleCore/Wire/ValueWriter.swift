/// Writes values for JavaScript to read: 8-byte slots, the text of all short strings in one run beside them, and long
/// values on their own.
///
/// On any thread: what it holds is plain data. One writer's content appended to another's stays valid, as text and side
/// values are counted, not addressed.
public struct ValueWriter: ~Copyable, @unchecked Sendable {  // owns its memory; not copyable
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline var byteCount = 0
  @usableFromInline var capacity: Int
  @usableFromInline var text: UnsafeMutablePointer<UInt16>
  @usableFromInline var textCount = 0
  @usableFromInline var textCapacity: Int
  var sideValues: [SideValue] = []
  /// Values nested around this one, for the depth limit.
  @usableFromInline var depth: Int32 = 0
  @usableFromInline var progress = Progress.free

  @usableFromInline
  enum Progress {
    case free
    /// A record is half written, while a value of the host's says what it is by code of its own.
    case writing
    /// The same, and others have gone behind it.
    case overtaken
    /// Those wait elsewhere still.
    case behind
  }

  /// Nothing can be added here: what would be goes behind what is there, or waits, elsewhere.
  @inlinable @inline(__always) var isBusy: Bool { progress != .free }
  var isWriting: Bool { progress == .writing || progress == .overtaken }

  /// Something goes behind the record that is being written.
  @usableFromInline
  mutating func noteFollower() { if progress == .writing { progress = .overtaken } }

  /// A value that travels beside the slots.
  enum SideValue: Sendable {
    case string(String)
    case binary([UInt8], ElementKind?)
    case transfer(TransferredBytes.Passage)
    case stream(StreamSource)
    case shared(any SharedObject)
    /// Kept until JavaScript has it: the error object must not be let go on its way there.
    case error(JavaScriptError.Identity)
    case kept(KeptValue)
  }

  /// A place to go back to when a value turns out not to convert.
  @usableFromInline
  struct Mark {
    var byteCount: Int
    var textCount: Int
    var sideValueCount: Int
  }

  /// Strings of more UTF-8 bytes than this travel on their own, so that a small one that script keeps holds no large
  /// text in memory.
  @usableFromInline static let longestInlineString = 1024

  package init() { self.init(capacity: 1024) }

  /// - Parameter capacity: bytes to reserve for slots, and as many for text.
  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity, alignment: 8)
    textCapacity = capacity / 2
    text = .allocate(capacity: textCapacity)
  }

  deinit {
    base.deallocate()
    text.deallocate()
  }

  var isEmpty: Bool { byteCount == 0 }

  /// The slots written so far.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: byteCount) }

  /// The text written so far.
  var units: UnsafeBufferPointer<UInt16> { UnsafeBufferPointer(start: text, count: textCount) }

  @inlinable @inline(__always)
  mutating func reserve(_ count: Int) {
    if byteCount + count > capacity { grow(by: count) }
  }

  @usableFromInline
  mutating func grow(by count: Int) {
    capacity = max(capacity * 2, byteCount + count)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    larger.copyMemory(from: base, byteCount: byteCount)
    base.deallocate()
    base = larger
  }

  /// One slot: a tag and 32 bits.
  @inlinable @inline(__always)
  package mutating func append(_ tag: Tag, low: UInt32 = 0) { appendSlot(UInt64(tag.rawValue) | UInt64(low) << 32) }

  /// A tag slot and the slot that follows it.
  @inlinable @inline(__always)
  package mutating func append(_ tag: Tag, slot: UInt64) {
    reserve(16)
    base.storeBytes(of: UInt64(tag.rawValue), toByteOffset: byteCount, as: UInt64.self)
    base.storeBytes(of: slot, toByteOffset: byteCount + 8, as: UInt64.self)
    byteCount += 16
  }

  @inlinable @inline(__always)
  mutating func appendSlot(_ slot: UInt64) {
    reserve(8)
    base.storeBytes(of: slot, toByteOffset: byteCount, as: UInt64.self)
    byteCount += 8
  }

  /// A string value. O(length).
  @inlinable
  package mutating func append(_ string: String) {
    let utf8Count = string.utf8.count
    if utf8Count > Self.longestInlineString { return appendLong(string) }
    if textCount + utf8Count > textCapacity { growText(by: utf8Count) }
    let before = textCount
    var string = string
    let isASCII = string.withUTF8 { utf8 in
      var seen: UInt8 = 0
      for index in 0..<utf8.count {
        seen |= utf8[index]
        text[before + index] = UInt16(utf8[index])
      }
      return seen < 0x80
    }
    if isASCII {
      textCount += utf8Count
    } else {
      for unit in string.utf16 {
        text[textCount] = unit
        textCount += 1
      }
    }
    append(.string, low: UInt32(truncatingIfNeeded: textCount - before))
  }

  @usableFromInline
  mutating func appendLong(_ string: String) {
    append(.longString)
    sideValues.append(.string(string))
  }

  @usableFromInline
  mutating func growText(by count: Int) {
    textCapacity = max(textCapacity * 2, textCount + count)
    let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: textCapacity)
    larger.update(from: text, count: textCount)
    text.deallocate()
    text = larger
  }

  /// Binary data: an ArrayBuffer, or a typed array of `elements`.
  @usableFromInline
  package mutating func append(bytes: [UInt8], elements: _Expansion.ElementKind? = nil) {
    append(.binary, low: elements.map { $0.rawValue + 1 } ?? 0)
    sideValues.append(.binary(bytes, elements))
  }

  /// Binary data that becomes JavaScript's: an ArrayBuffer.
  mutating func append(_ passage: TransferredBytes.Passage) {
    append(.binary)
    sideValues.append(.transfer(passage))
  }

  /// A sequence of which JavaScript gets an async iterator.
  mutating func append(_ stream: StreamSource) {
    append(.stream)
    sideValues.append(.stream(stream))
  }

  /// An object that JavaScript holds from then on.
  mutating func append(_ object: any SharedObject, of shared: SharedClass) {
    append(.shared, low: shared.id)
    sideValues.append(.shared(object))
  }

  /// A value that JavaScript keeps for native code: the very same there.
  mutating func append(_ kept: KeptValue) {
    append(.reference)
    sideValues.append(.kept(kept))
  }

  /// The head of an error, whose fields follow.
  mutating func append(errorOf identity: JavaScriptError.Identity?) {
    append(.error, low: identity == nil ? 0 : 1)
    if let identity { sideValues.append(.error(identity)) }
  }

  /// Runs `body`, which writes what an array, object or record holds, one level deeper; throws beyond the depth that a
  /// reader accepts.
  @inlinable
  package mutating func nested(_ body: (inout ValueWriter) throws -> Void) throws {
    guard depth < ValueReader.maximumDepth else { throw BridgeError.tooDeep }
    depth += 1
    defer { depth -= 1 }
    try body(&self)
  }

  @usableFromInline
  var mark: Mark { Mark(byteCount: byteCount, textCount: textCount, sideValueCount: sideValues.count) }

  /// Takes back what was written since `mark`.
  @usableFromInline
  mutating func rewind(to mark: Mark) {
    byteCount = mark.byteCount
    textCount = mark.textCount
    sideValues.removeSubrange(mark.sideValueCount...)
  }

  /// Appends all that `other` holds.
  package mutating func append(contentsOf other: borrowing ValueWriter) {
    reserve(other.byteCount)
    (base + byteCount).copyMemory(from: other.base, byteCount: other.byteCount)
    byteCount += other.byteCount
    if textCount + other.textCount > textCapacity { growText(by: other.textCount) }
    (text + textCount).update(from: other.text, count: other.textCount)
    textCount += other.textCount
    sideValues += other.sideValues
  }

  mutating func removeAll() {
    byteCount = 0
    textCount = 0
    sideValues.removeAll()
  }
}
