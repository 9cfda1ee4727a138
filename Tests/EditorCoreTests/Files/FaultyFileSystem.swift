import EventLoop
import Glibc

@testable import EditorCore

/// The real system calls, with faults at chosen ones.
final class FaultyFileSystem: FileSystem {
  enum Fault {
    case none
    /// The call of that number, from 0, fails: a write after half its work.
    case error(CInt, atCall: Int)
    /// The process dies in the call of that number: a write does half its work, and nothing after it happens.
    case death(atCall: Int)
    /// Writes and allocations fail when so many bytes have been written.
    case fullDisk(afterBytes: Int)
    /// Nothing can be written while it is true.
    case full(Lock<Bool>)
    /// Attempts to lock in this time find another process, which was killed: that of the number 0.
    case endingHolder(for: Duration)
    /// The same without an end, on a machine where each attempt takes as long.
    case endlessHolder(delay: Duration)
    case filesAreReadOnly
    /// No open file tells how long it is.
    case noSizes
    /// All but the recovery folder.
    case filesAreInMemory
    /// A file system without locks.
    case noLocks
    /// Another program writes to a file as soon as it has its new contents.
    case anotherWrites(String, isAppended: Bool)
    /// A name that is another file system's.
    case mountedFile
    /// Synchronizing any folder, or any journal, fails.
    case unsynchronizable(folders: Bool)
    /// A file system that does not know how to synchronize folders.
    case noFolderSync
    /// What is to take the place of a journal cannot be written.
    case noGenerations
    /// Something else is done just before the first call of that name.
    case meanwhile(before: String, @Sendable () -> Void)
  }

  private struct State {
    var calls: [String] = []
    var ownCalls: [String] = []
    var namedCalls: [(call: String, path: String)] = []
    var written = 0
    var open: Set<CInt> = []
    var firstLock: ContinuousClock.Instant?
  }

  private let real = LinuxFileSystem()
  private let fault: Fault
  private let owner = pthread_self()
  private let state = Lock(State())

  init(_ fault: Fault = .none) { self.fault = fault }

  deinit {
    // A dead process's files are closed for it.
    for descriptor in openDescriptors { real.close(descriptor) }
  }

  var calls: [String] { state.withLock { $0.calls } }
  /// Those of the thread that made this: a test's loop.
  var ownCalls: [String] { state.withLock { $0.ownCalls } }
  /// Renames by the new name, and syncs by the name that was synced.
  var namedCalls: [(call: String, path: String)] { state.withLock { $0.namedCalls } }
  /// What was opened and not closed.
  var openDescriptors: Set<CInt> { state.withLock { $0.open } }

  private func enter(_ call: String) throws(FileError) {
    let number = state.withLock { state in
      state.calls.append(call)
      if pthread_equal(owner, pthread_self()) != 0 { state.ownCalls.append(call) }
      return state.calls.count - 1
    }
    switch fault {
    case .meanwhile(before: call, let body): if state.withLock({ $0.calls.count { $0 == call } }) == 1 { body() }
    case .error(let error, let atCall) where atCall == number: throw FileError(systemError: error, call, path: "")
    case .death(let atCall) where atCall <= number: throw FileError(systemError: EIO, call, path: "")
    default: break
    }
  }

  private func note(_ call: String, _ path: String) { state.withLock { $0.namedCalls.append((call, path)) } }

  private func note(_ call: String, _ descriptor: CInt) {
    note(call, (try? real.linkTarget("/proc/self/fd/\(descriptor)")) ?? "")
  }

  func open(_ path: String, _ flags: CInt, mode: UInt32) throws(FileError) -> CInt {
    try enter("open")
    if case .noGenerations = fault, path.contains(".journal."), path.hasSuffix(".new") {
      throw FileError(systemError: EIO, "open", path: path)
    }
    let descriptor = try real.open(path, flags, mode: mode)
    state.withLock { _ = $0.open.insert(descriptor) }
    return descriptor
  }

  func close(_ descriptor: CInt) {
    if case .death(let atCall) = fault, atCall <= calls.count { return }
    state.withLock { _ = $0.open.remove(descriptor) }
    real.close(descriptor)
  }

  func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int {
    do throws(FileError) { try enter("write") } catch {
      let failing: Int? =
        switch fault {
        case .death(let atCall), .error(_, let atCall): atCall
        default: nil
        }
      if failing == calls.count - 1 {
        _ = try real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]))
      }
      throw error
    }
    if case .full(let isFull) = fault, isFull.withLock({ $0 }) {
      throw FileError(systemError: ENOSPC, "write", path: "")
    }
    var room = bytes.count
    if case .fullDisk(let limit) = fault {
      room = min(room, limit - state.withLock { $0.written })
      if room <= 0 { throw FileError(systemError: ENOSPC, "write", path: "") }
    }
    let count = try real.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<room]))
    state.withLock { $0.written += count }
    return count
  }

  func allocate(_ descriptor: CInt, _ size: Int) throws(FileError) {
    try enter("allocate")
    if case .fullDisk = fault { throw FileError(systemError: ENOSPC, "allocate", path: "") }
    try real.allocate(descriptor, size)
  }

  func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileError) -> Int {
    try enter("read")
    return try real.read(descriptor, into: buffer, at: offset)
  }
  func truncate(_ descriptor: CInt, to size: Int) throws(FileError) {
    try enter("truncate")
    try real.truncate(descriptor, to: size)
    anotherWrites(to: "/proc/self/fd/\(descriptor)")
  }
  func synchronize(_ descriptor: CInt) throws(FileError) {
    try enter("synchronize")
    if case .unsynchronizable(folders: true) = fault, try real.status(of: descriptor).kind == .directory {
      throw FileError(systemError: EIO, "synchronize", path: "")
    }
    if case .noFolderSync = fault, try real.status(of: descriptor).kind == .directory {
      throw FileError(systemError: EINVAL, "synchronize", path: "")
    }
    try real.synchronize(descriptor)
    note("synchronize", descriptor)
  }
  func synchronizeData(_ descriptor: CInt) throws(FileError) {
    try enter("synchronizeData")
    if case .unsynchronizable(folders: false) = fault { throw FileError(systemError: EIO, "synchronize", path: "") }
    try real.synchronizeData(descriptor)
    note("synchronizeData", descriptor)
  }
  func startWriteback(_ descriptor: CInt) { real.startWriteback(descriptor) }
  func status(of descriptor: CInt) throws(FileError) -> FileStatus {
    try enter("status")
    var status = try real.status(of: descriptor)
    if case .noSizes = fault { status.size = 0 }
    return status
  }
  func status(at path: String, followingLinks: Bool) throws(FileError) -> FileStatus? {
    try enter("status")
    return try real.status(at: path, followingLinks: followingLinks)
  }
  func linkTarget(_ path: String) throws(FileError) -> String {
    try enter("linkTarget")
    return try real.linkTarget(path)
  }
  func realPath(_ path: String) throws(FileError) -> String {
    try enter("realPath")
    return try real.realPath(path)
  }
  func isWritable(_ path: String) -> Bool {
    if case .filesAreReadOnly = fault { false } else { real.isWritable(path) }
  }
  func rename(_ source: String, to destination: String) throws(FileError) {
    try enter("rename")
    note("rename", destination)
    if case .mountedFile = fault, !destination.hasSuffix("-base"), !destination.hasSuffix(".saving") {
      throw FileError(systemError: EBUSY, "rename", path: "")
    }
    try real.rename(source, to: destination)
    if !destination.hasSuffix(".saving") { anotherWrites(to: destination) }
  }
  private func anotherWrites(to path: String) {
    guard case .anotherWrites(let text, let isAppended) = fault else { return }
    let descriptor = Glibc.open(path, isAppended ? O_WRONLY | O_APPEND : O_WRONLY)
    _ = Array(text.utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    Glibc.close(descriptor)
  }
  func renameNew(_ source: String, to destination: String) throws(FileError) {
    try enter("rename")
    note("rename", destination)
    try real.renameNew(source, to: destination)
  }
  func capabilities(of descriptor: CInt) -> [UInt8]? { real.capabilities(of: descriptor) }
  func setCapabilities(_ capabilities: [UInt8], of descriptor: CInt) throws(FileError) {
    try enter("setCapabilities")
    try real.setCapabilities(capabilities, of: descriptor)
  }
  func isRunning(_ process: Int) -> Bool { real.isRunning(process) }
  func remove(_ path: String) throws(FileError) {
    try enter("remove")
    try real.remove(path)
  }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileError) {
    try enter("makeDirectory")
    try real.makeDirectory(path, mode: mode)
  }
  func names(inDirectory path: String) throws(FileError) -> [String] {
    try enter("names")
    return try real.names(inDirectory: path)
  }
  func setMode(_ descriptor: CInt, _ mode: UInt32) throws(FileError) {
    try enter("setMode")
    try real.setMode(descriptor, mode)
  }
  func setOwner(_ descriptor: CInt, _ owner: UInt32, _ group: UInt32) throws(FileError) {
    try enter("setOwner")
    try real.setOwner(descriptor, owner, group)
  }
  func copyAttributes(from source: CInt, to destination: CInt) -> Bool {
    do throws(FileError) { try enter("copyAttributes") } catch { return false }
    return real.copyAttributes(from: source, to: destination)
  }
  func lock(_ descriptor: CInt) throws(FileError) -> Bool {
    try enter("lock")
    if case .noLocks = fault { throw FileError(systemError: ENOLCK, "lock", path: "") }
    if case .endingHolder(let duration) = fault {
      let start = state.withLock { state in
        state.firstLock = state.firstLock ?? .now
        return state.firstLock ?? .now
      }
      if ContinuousClock.now - start < duration { return false }
    }
    if case .endlessHolder(let delay) = fault {
      usleep(UInt32(delay / .microseconds(1)))
      return false
    }
    return try real.lock(descriptor)
  }
  func lockHolder(_ descriptor: CInt) -> Int? {
    hasEndingHolder ? 0 : real.lockHolder(descriptor)
  }
  func isEnding(_ process: Int) -> Bool {
    hasEndingHolder ? process == 0 : real.isEnding(process)
  }
  private var hasEndingHolder: Bool {
    switch fault {
    case .endingHolder, .endlessHolder: true
    default: false
    }
  }
  func isInMemory(_ descriptor: CInt) -> Bool {
    guard case .filesAreInMemory = fault else { return false }
    return (try? real.linkTarget("/proc/self/fd/\(descriptor)"))?.hasSuffix("/recovery") == false
  }
  var effectiveUser: UInt32 { real.effectiveUser }
}
