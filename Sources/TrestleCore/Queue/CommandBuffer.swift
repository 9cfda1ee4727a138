import Glibc
import Synchronization

/// The memory that the bridge shares with its JavaScript: calls in the first part, answers in the second, the answer of
/// a synchronous call in the third. `js/runtime/wire.js` is the other side.
///
/// On the JS thread. Native code reads it only while no JavaScript runs, and believes nothing that stands in it.
struct CommandBuffer: ~Copyable {
  /// Words of the header, by index.
  enum Word {
    static let cursor = 0
    static let clock = 1
    static let sideCount = 2
    static let answerCursor = 3
    static let answerSide = 5
    /// 0 until JavaScript has begun to take what it is handed.
    static let answerEnd = 6
    /// Not 0 while JavaScript reads what was sent: that is not cut off by a limit, and runs no script.
    static let reading = 7
    /// Not 0 where JavaScript has broken off reading what it was handed, such as at the end of the stack.
    static let unread = 8
    /// How many calls wait for an answer.
    static let waiting = 9
  }

  /// In 4-byte words.
  static let commandsStart = 16
  static let commandsEnd = 131_072
  static let answersStart = commandsEnd
  static let resultStart = 245_760
  static let end = 262_144

  let memory: UnsafeMutableRawBufferPointer

  /// - Parameter map: gives as many zero bytes as asked for, until they are unmapped.
  init(map: (Int) -> UnsafeMutableRawPointer? = freshPages) throws(BridgeError) {
    guard FlushClock.shared.start() else { throw BridgeError(.limit, "no thread for the clock of the command buffer") }
    guard let pages = map(Self.end * 4) else { throw BridgeError(.limit, "no memory for the command buffer") }
    memory = UnsafeMutableRawBufferPointer(start: pages, count: Self.end * 4)
    self[Word.cursor] = Int32(Self.commandsStart)
    FlushClock.shared.add(clock)
  }

  deinit {
    FlushClock.shared.remove(clock)
    munmap(memory.baseAddress, memory.count)
  }

  /// What of them is never touched is never resident.
  static func freshPages(_ count: Int) -> UnsafeMutableRawPointer? {
    let pages = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return pages == MAP_FAILED ? nil : pages
  }

  /// Counted up by another thread.
  private var clock: UnsafeMutablePointer<Atomic<Int32>> {
    pointer(toWord: Word.clock).assumingMemoryBound(to: Atomic<Int32>.self)
  }

  /// JavaScript has the thread from now on.
  func resetClock() { clock.pointee.store(0, ordering: .relaxed) }

  /// Not 0 while JavaScript reads what was sent.
  var reading: UnsafePointer<Int32> { UnsafePointer(pointer(toWord: Word.reading).assumingMemoryBound(to: Int32.self)) }

  /// A word of the header.
  subscript(word: Int) -> Int32 {
    get { memory.load(fromByteOffset: word * 4, as: Int32.self) }
    nonmutating set { memory.storeBytes(of: newValue, toByteOffset: word * 4, as: Int32.self) }
  }

  func pointer(toWord word: Int) -> UnsafeMutableRawPointer { memory.baseAddress! + word * 4 }
}
