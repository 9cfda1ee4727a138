import CLinux
import Glibc
import Rope
import Testing

@testable import EditorCore

/// What a file has beside its contents, and what is done where it would be lost.
@Suite struct FileMetadataTests {
  private let folder = TemporaryFolder()
  private let system = LinuxFileSystem()
  private let accessList = "system.posix_acl_access"

  private func save(_ contents: Rope, to name: String, on system: any FileSystem = LinuxFileSystem()) throws {
    let recovery = RecoveryFolder(at: folder("recovery"), system: self.system)
    _ = try FileWriter(system: system, recoveryFolder: recovery).save(contents, to: folder(name))
  }

  private func status(_ name: String) throws -> FileStatus {
    try #require(try system.status(at: folder(name), followingLinks: true))
  }

  @Test func permissionsOwnerAndAttributesAreKept() throws {
    folder.write("old", to: "a")
    // Only root gives files away.
    if geteuid() == 0 { chown(folder("a"), 12_345, 12_346) }
    chmod(folder("a"), 0o4751)
    let hasAttributes = setxattr(folder("a"), "user.kept", "yes", 3, 0) == 0
    let before = try status("a")
    try save("new", to: "a")
    let after = try status("a")
    #expect((after.mode, after.owner, after.group) == (0o4751, before.owner, before.group))
    #expect(after.inode != before.inode)
    #expect(getxattr(folder("a"), "user.kept", nil, 0) == (hasAttributes ? 3 : -1))
  }

  /// What is being written is no more to be read by others than the file.
  @Test func theNewFileIsPrivateFromTheStart() throws {
    folder.write("old", to: "a")
    chmod(folder("a"), 0o600)
    let counting = FaultyFileSystem()
    try save("old", to: "a", on: counting)
    let call = try #require(counting.calls.firstIndex(of: "lock"))
    #expect(throws: FileError.self) { try save("new", to: "a", on: FaultyFileSystem(.death(atCall: call))) }
    #expect(try status(".a.xiedit-save").mode == 0o600)
  }

  /// A folder's list is for the files that are made in it, not for those that are saved in it.
  @Test func noAccessListOfTheFolderIsTaken() throws {
    folder.write("old", to: "a")
    chmod(folder("a"), 0o640)
    // "u::rwx,u:12345:rw,g::r-x,m::rwx,o::---", as Linux has it in an attribute.
    var list: [UInt8] = [2, 0, 0, 0]
    let entries: [(tag: UInt8, rights: UInt8, id: UInt32)] = [
      (1, 7, .max), (2, 6, 12_345), (4, 5, .max), (16, 7, .max), (32, 0, .max),
    ]
    for entry in entries {
      list += [entry.tag, 0, entry.rights, 0] + (0..<4).map { UInt8(truncatingIfNeeded: entry.id >> ($0 * 8)) }
    }
    guard setxattr(folder.path, "system.posix_acl_default", list, list.count, 0) == 0 else { return }
    try save("new", to: "a")
    #expect(getxattr(folder("a"), accessList, nil, 0) == -1)
    #expect(try status("a").mode == 0o640)
    try save("new", to: "b")
    #expect(getxattr(folder("b"), accessList, nil, 0) > 0)
  }

  @Test func bytesThatAreNoTextAreKept() throws {
    let bytes: [UInt8] = Array("one\r\n".utf8) + [0xFF, 0xC3, 0x28, 0, 10, 0xED, 0xA0, 0x80, 0xEF, 0xBB]
    folder.write(bytes, to: "a")
    let driver = CoreDriver(handshake: true)
    let view = driver.open(folder("a"))
    driver.notify(.modifyUserConfig(.userOverride(view), changes: ["save_with_newline": false]))
    driver.edit("insert", ["chars": "x"])
    driver.notify(.save(view, path: folder("a")))
    let saved = try FileReader(folder("a"), system: system).readAll()
    #expect(saved.bytes(in: saved.fullRange) == [UInt8(ascii: "x")] + bytes)
  }

  @Test func hardLinksAreKept() throws {
    folder.write("old contents", to: "a")
    link(folder("a"), folder("b"))
    let before = try status("a")
    try save("shorter", to: "a")
    #expect(folder.contents("b") == "shorter")
    #expect(try status("a").inode == before.inode)
    #expect(try system.names(inDirectory: folder("recovery")).isEmpty)
  }

  /// Where no file can be made beside it, or none with its permissions or attributes, the file itself is written.
  @Test(arguments: ["open", "setMode", "copyAttributes"])
  func whatCannotBeReplacedIsWrittenInPlace(refused: String) throws {
    folder.write("old", to: "a")
    let counting = FaultyFileSystem()
    try save("old", to: "a", on: counting)
    // The new file is locked when it has been opened.
    let opening = counting.calls.firstIndex(of: "lock").map { $0 - 1 }
    let call = try #require(refused == "open" ? opening : counting.calls.firstIndex(of: refused))
    let before = try status("a")
    try save("new", to: "a", on: FaultyFileSystem(.error(EPERM, atCall: call)))
    #expect(folder.contents("a") == "new")
    #expect(try status("a").inode == before.inode)
    #expect(folder.names == ["a", "recovery"])
    #expect(try system.names(inDirectory: folder("recovery")).isEmpty)
  }

  /// A password that is being edited in memory does not come to a disk.
  @Test func noCopyIsKeptOfWhatLiesInMemory() throws {
    folder.write("old", to: "a")
    link(folder("a"), folder("b"))
    let memory = FaultyFileSystem(.filesAreInMemory)
    let recovery = RecoveryFolder(at: folder("recovery"), system: memory)
    _ = try FileWriter(system: memory, recoveryFolder: recovery).save("new", to: folder("a"))
    #expect(folder.contents("b") == "new")
    #expect(!memory.calls.contains("rename"), "a copy is put into its place by that")
  }

  /// The disk has room for the copy, and for no more.
  @Test func aFullDiskLeavesTheFileAndNoCopy() throws {
    folder.write("old contents", to: "a")
    link(folder("a"), folder("b"))
    let contents = Rope(String(repeating: "x", count: 10_000))
    let faulty = FaultyFileSystem(.fullDisk(afterBytes: 10_000))
    #expect(failure { try save(contents, to: "a", on: faulty) }?.code == .diskFull)
    #expect(folder.contents("a") == "old contents")
    #expect(try system.names(inDirectory: folder("recovery")).isEmpty)
  }

  @Test func aFileThatIsHalfWrittenHasACopy() throws {
    folder.write("old contents", to: "a")
    link(folder("a"), folder("b"))
    let counting = FaultyFileSystem()
    try save("new", to: "a", on: counting)
    folder.write("old contents", to: "a")
    let call = try #require(counting.calls.firstIndex(of: "truncate"))
    #expect(failure { try save("new", to: "a", on: FaultyFileSystem(.error(EIO, atCall: call))) }?.code == .system)
    #expect(folder.contents("a") == "new contents")
    let recovery = try #require(RecoveryFolder(at: folder("recovery"), system: system))
    #expect(recovery.interruptedSave(of: try folder.place("a"))?.contents == "new")
  }

  @Test func roomIsReservedWithoutAChange() throws {
    folder.write("text", to: "a")
    let descriptor = try system.open(folder("a"), O_WRONLY, mode: 0)
    defer { system.close(descriptor) }
    try system.allocate(descriptor, 1 << 20)
    let before = try status("a")
    #expect(failure { try system.allocate(descriptor, 1 << 60) }?.code == .diskFull)
    var after = try status("a")
    after.changeTime = before.changeTime
    #expect(after == before)
    #expect(folder.contents("a") == "text")
  }
}
