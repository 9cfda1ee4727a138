import EventLoop
import Glibc

@testable import EditorCore

/// A disk in memory, with faults at chosen calls. It knows what was synced: the rest may be lost with the power.
///
/// A name is durable when its folder was synced, contents when the file was.
final class SimulatedDisk: FileSystem {
  enum Fault {
    case none
    /// The process dies in the call of that number: a write does half its work, and nothing after it happens.
    case death(atCall: Int)
    /// The call of that number is refused: a write after half its work.
    case error(CInt, atCall: Int)
  }

  private struct Inode {
    var isFolder = false
    var bytes: [UInt8] = []
    var synced: [UInt8] = []
    var modificationTime: Int64 = 0
    var changeTime: Int64 = 0
    var mode: UInt32 = 0o600
  }

  private struct Descriptor {
    let inode: UInt64
    var position = 0
    let appends: Bool
  }

  private struct State {
    var fault = Fault.none
    /// The call that failed for it.
    var refused: String?
    var calls: [String] = []
    var isDead = false
    var inodes: [UInt64: Inode] = [:]
    var names: [String: UInt64] = [:]
    /// As they were when the folders were synced, and what was done since: each is done whole or not at all, in order.
    var syncedNames: [String: UInt64] = [:]
    var unsynced: [[(path: String, inode: UInt64?)]] = []
    var descriptors: [CInt: Descriptor] = [:]
    var locks: [UInt64: CInt] = [:]
    var lastInode: UInt64 = 0
    var lastDescriptor: CInt = 100_000
    var clock = Int64(time(nil)) * 1_000_000_000
    var isHeld = false
    var isFull = false
    var writesShort = false
    var refusedWriteCount = 0
  }

  private let state: Lock<State>

  init(folders: [String]) {
    var state = State()
    for folder in folders {
      state.lastInode += 1
      state.inodes[state.lastInode] = Inode(isFolder: true, mode: 0o700)
      state.names[folder] = state.lastInode
    }
    state.syncedNames = state.names
    self.state = Lock(state)
  }

  private init(_ state: State) { self.state = Lock(state) }

  var calls: [String] { state.withLock { $0.calls } }
  var refused: String? { state.withLock { $0.refused } }
  var isDead: Bool { state.withLock { $0.isDead } }

  /// Counts calls from here, and makes one of them fail.
  func expect(_ fault: Fault) {
    state.withLock { ($0.fault, $0.calls, $0.isDead) = (fault, [], false) }
  }

  /// While it is held, nothing behind the beginning of a file is read.
  func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

  /// While it is full, nothing can be written.
  func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

  /// Each write does half of what it is asked for, and says so.
  func shortenWrites() { state.withLock { $0.writesShort = true } }
  var refusedWriteCount: Int { state.withLock { $0.refusedWriteCount } }

  func contents(_ path: String) -> [UInt8]? {
    state.withLock { state in state.names[path].flatMap { state.inodes[$0]?.bytes } }
  }

  var fileNames: [String] {
    state.withLock { state in state.names.filter { state.inodes[$0.value]?.isFolder == false }.keys.sorted() }
  }

  /// By an hour.
  func turnClockBack() { state.withLock { $0.clock -= 3_600_000_000_000 } }

  /// Another program makes a file of that contents, or writes to the one that is there.
  ///
  /// - Parameter keepsTime: Sets the time back to what it was, as some programs do.
  func write(_ bytes: [UInt8], to path: String, inPlace: Bool = false, keepsTime: Bool = false) {
    state.withLock { state in
      if state.isDead { return }
      state.clock += 1_000_000
      let old = state.names[path].flatMap { state.inodes[$0] }
      if !inPlace || old == nil {
        state.lastInode += 1
        state.names[path] = state.lastInode
        state.syncedNames[path] = state.lastInode
        for index in state.unsynced.indices { state.unsynced[index].removeAll { $0.path == path } }
      }
      guard let inode = state.names[path] else { return }
      let time = keepsTime ? old?.modificationTime : nil
      state.inodes[inode] = Inode(
        bytes: bytes, synced: bytes, modificationTime: time ?? state.clock, changeTime: state.clock)
    }
  }

  /// What the next process finds.
  /// - Parameter random: The power was lost: decides what of that was not synced is there still.
  func afterDeath(losingPower random: inout SplitMix64?) -> SimulatedDisk {
    var state = state.withLock { $0 }
    if var generator = random {
      let kept = Int.random(in: 0...state.unsynced.count, using: &generator)
      state.names = state.syncedNames
      for change in state.unsynced[..<kept].joined() { state.names[change.path] = change.inode }
      for (number, inode) in state.inodes.sorted(by: { $0.key < $1.key }) where inode.bytes != inode.synced {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: state.inodes[number]?.bytes = inode.synced
        case 1:
          let half = inode.bytes.count / 2
          state.inodes[number]?.bytes = Array(inode.bytes[..<half] + inode.synced.dropFirst(half))
        default: break
        }
      }
      random = generator
    }
    state.inodes = state.inodes.mapValues { inode in
      var inode = inode
      inode.synced = inode.bytes
      return inode
    }
    (state.syncedNames, state.unsynced) = (state.names, [])
    (state.descriptors, state.locks, state.calls, state.isDead, state.isHeld) = ([:], [:], [], false, false)
    state.fault = .none
    return SimulatedDisk(state)
  }

  // MARK: Calls

  /// Runs `body` as one call; `half` is what a write does of its work when it fails.
  private func call<Result>(
    _ name: String, path: String = "", half: (inout State) -> Void = { _ in },
    _ body: (inout State) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try state.withLock { state throws(FileError) in
      if state.isDead { throw FileError(systemError: EIO, name, path: path) }
      let number = state.calls.count
      state.calls.append(name)
      state.clock += 1_000_000
      switch state.fault {
      case .death(number):
        half(&state)
        state.isDead = true
        throw FileError(systemError: EIO, name, path: path)
      case .error(let error, number):
        state.refused = name
        half(&state)
        throw FileError(systemError: error, name, path: path)
      default: return try body(&state)
      }
    }
  }

  private func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  func open(_ path: String, _ flags: CInt, mode: UInt32) throws(FileError) -> CInt {
    try call("open", path: path) { state throws(FileError) in
      if state.names[path] == nil {
        guard flags & O_CREAT != 0, state.names[folder(path)] != nil else {
          throw FileError(systemError: ENOENT, "cannot open", path: path)
        }
        state.lastInode += 1
        state.inodes[state.lastInode] = Inode(modificationTime: state.clock, changeTime: state.clock, mode: mode)
        state.names[path] = state.lastInode
        state.unsynced.append([(path, state.lastInode)])
      } else if flags & O_EXCL != 0 {
        throw FileError(systemError: EEXIST, "cannot open", path: path)
      }
      guard let inode = state.names[path] else { throw FileError(systemError: ENOENT, "cannot open", path: path) }
      if flags & O_TRUNC != 0 { state.inodes[inode]?.bytes = [] }
      state.lastDescriptor += 1
      state.descriptors[state.lastDescriptor] = Descriptor(inode: inode, appends: flags & O_APPEND != 0)
      return state.lastDescriptor
    }
  }

  func close(_ descriptor: CInt) {
    state.withLock { state in
      guard !state.isDead, let open = state.descriptors.removeValue(forKey: descriptor) else { return }
      if state.locks[open.inode] == descriptor { state.locks[open.inode] = nil }
    }
  }

  func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int {
    while offset > 0, state.withLock({ $0.isHeld && !$0.isDead }) { usleep(200) }
    return try call("read") { state throws(FileError) in
      let bytes = try inode(descriptor, state).bytes
      guard offset < bytes.count else { return 0 }
      let count = min(buffer.count, bytes.count - offset)
      buffer.copyBytes(from: bytes[offset..<(offset + count)])
      return count
    }
  }

  private func inode(_ descriptor: CInt, _ state: State) throws(FileError) -> Inode {
    guard let inode = state.descriptors[descriptor].flatMap({ state.inodes[$0.inode] }) else {
      throw FileError(systemError: EBADF, "cannot use", path: "")
    }
    return inode
  }

  func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int {
    func put(_ count: Int, _ state: inout State) {
      guard var open = state.descriptors[descriptor], var inode = state.inodes[open.inode] else { return }
      if open.appends { open.position = inode.bytes.count }
      inode.bytes += Array(repeating: 0, count: max(open.position - inode.bytes.count, 0))
      let end = min(open.position + count, inode.bytes.count)
      inode.bytes.replaceSubrange(open.position..<end, with: bytes[..<count])
      (inode.modificationTime, inode.changeTime) = (state.clock, state.clock)
      open.position += count
      (state.inodes[open.inode], state.descriptors[descriptor]) = (inode, open)
    }
    return try call("write") { state in
      put(bytes.count / 2, &state)
    } _: { state throws(FileError) in
      if state.isFull {
        state.refusedWriteCount += 1
        throw FileError(systemError: ENOSPC, "cannot write", path: "")
      }
      let count = state.writesShort ? (bytes.count + 1) / 2 : bytes.count
      put(count, &state)
      return count
    }
  }

  func truncate(_ descriptor: CInt, to size: Int) throws(FileError) {
    try change("truncate", descriptor) { inode in
      inode.bytes = Array(inode.bytes.prefix(size)) + Array(repeating: 0, count: max(size - inode.bytes.count, 0))
    }
  }

  private func change(_ name: String, _ descriptor: CInt, _ body: (inout Inode) -> Void) throws(FileError) {
    try call(name) { state throws(FileError) in
      var inode = try inode(descriptor, state)
      body(&inode)
      inode.changeTime = state.clock
      if let number = state.descriptors[descriptor]?.inode { state.inodes[number] = inode }
    }
  }

  func allocate(_ descriptor: CInt, _ size: Int) throws(FileError) { try call("allocate") { _ in } }

  func synchronize(_ descriptor: CInt) throws(FileError) {
    try call("synchronize") { state throws(FileError) in
      guard let number = state.descriptors[descriptor]?.inode, let inode = state.inodes[number] else { return }
      guard inode.isFolder else {
        state.inodes[number]?.synced = inode.bytes
        return
      }
      let path = state.names.first { $0.value == number }?.key
      for change in state.unsynced.joined() where folder(change.path) == path {
        state.syncedNames[change.path] = change.inode
      }
      state.unsynced.removeAll { $0.allSatisfy { folder($0.path) == path } }
    }
  }

  func synchronizeData(_ descriptor: CInt) throws(FileError) {
    try call("synchronizeData") { state throws(FileError) in
      guard let number = state.descriptors[descriptor]?.inode, let inode = state.inodes[number] else { return }
      state.inodes[number]?.synced = inode.bytes
    }
  }

  func startWriteback(_ descriptor: CInt) {}

  func status(of descriptor: CInt) throws(FileError) -> FileStatus {
    try call("status") { state throws(FileError) in
      _ = try inode(descriptor, state)
      return status(state.descriptors[descriptor]?.inode ?? 0, state)
    }
  }

  func status(at path: String, followingLinks: Bool) throws(FileError) -> FileStatus? {
    try call("status", path: path) { state in state.names[path].map { status($0, state) } }
  }

  private func status(_ number: UInt64, _ state: State) -> FileStatus {
    var status = FileStatus(stat())
    guard let inode = state.inodes[number] else { return status }
    status.kind = inode.isFolder ? .directory : .regular
    status.size = inode.bytes.count
    (status.modificationTime, status.changeTime) = (inode.modificationTime, inode.changeTime)
    (status.device, status.inode, status.mode) = (1, number, inode.mode)
    (status.owner, status.group, status.linkCount) = (0, 0, 1)
    return status
  }

  func linkTarget(_ path: String) throws(FileError) -> String {
    throw FileError(systemError: EINVAL, "cannot follow", path: path)
  }

  /// There are no links, and no working folder.
  func realPath(_ path: String) throws(FileError) -> String {
    try call("realPath", path: path) { state throws(FileError) in
      guard state.names[path] != nil else { throw FileError(systemError: ENOENT, "cannot find", path: path) }
      return path
    }
  }

  func isWritable(_ path: String) -> Bool { true }

  func rename(_ source: String, to destination: String) throws(FileError) {
    try call("rename", path: destination) { state throws(FileError) in
      guard let inode = state.names.removeValue(forKey: source) else {
        throw FileError(systemError: ENOENT, "cannot replace", path: destination)
      }
      state.names[destination] = inode
      state.inodes[inode]?.changeTime = state.clock
      state.unsynced.append([(source, nil), (destination, inode)])
    }
  }

  func renameNew(_ source: String, to destination: String) throws(FileError) {
    if contents(destination) != nil { throw FileError(systemError: EEXIST, "cannot make", path: destination) }
    try rename(source, to: destination)
  }

  func capabilities(of descriptor: CInt) -> [UInt8]? { nil }
  func setCapabilities(_ capabilities: [UInt8], of descriptor: CInt) throws(FileError) {}
  func isRunning(_ process: Int) -> Bool { false }

  func remove(_ path: String) throws(FileError) {
    try call("remove", path: path) { state throws(FileError) in
      guard state.names.removeValue(forKey: path) != nil else {
        throw FileError(systemError: ENOENT, "cannot remove", path: path)
      }
      state.unsynced.append([(path, nil)])
    }
  }

  func makeDirectory(_ path: String, mode: UInt32) throws(FileError) {
    try call("makeDirectory", path: path) { state throws(FileError) in
      guard state.names[path] == nil else { throw FileError(systemError: EEXIST, "cannot make", path: path) }
      guard state.names[folder(path)] != nil else { throw FileError(systemError: ENOENT, "cannot make", path: path) }
      state.lastInode += 1
      state.inodes[state.lastInode] = Inode(isFolder: true, mode: mode)
      state.names[path] = state.lastInode
      state.unsynced.append([(path, state.lastInode)])
    }
  }

  func names(inDirectory path: String) throws(FileError) -> [String] {
    try call("names") { state in
      state.names.keys.filter { folder($0) == path }.map { String($0.dropFirst(path.count + 1)) }.sorted()
    }
  }

  func setMode(_ descriptor: CInt, _ mode: UInt32) throws(FileError) {
    try change("setMode", descriptor) { $0.mode = mode }
  }

  func setOwner(_ descriptor: CInt, _ owner: UInt32, _ group: UInt32) throws(FileError) {
    try call("setOwner") { _ in }
  }

  func copyAttributes(from source: CInt, to destination: CInt) -> Bool {
    (try? call("copyAttributes") { _ in }) != nil
  }

  func lock(_ descriptor: CInt) throws(FileError) -> Bool {
    try call("lock") { state throws(FileError) in
      guard let number = state.descriptors[descriptor]?.inode else { return false }
      if let holder = state.locks[number], holder != descriptor { return false }
      state.locks[number] = descriptor
      return true
    }
  }

  func lockHolder(_ descriptor: CInt) -> Int? { nil }
  func isEnding(_ process: Int) -> Bool { false }
  func isInMemory(_ descriptor: CInt) -> Bool { false }
  var effectiveUser: UInt32 { 0 }
}
