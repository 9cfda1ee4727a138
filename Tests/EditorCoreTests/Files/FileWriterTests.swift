import Glibc
import Rope
import Testing

@testable import EditorCore

@Suite struct FileWriterTests {
  private let folder = TemporaryFolder()
  private let system = LinuxFileSystem()
  private let old = String(repeating: "old contents\n", count: 1000)
  private let new = Rope(String(repeating: "the new contents\n", count: 1000))

  private func writer(_ system: any FileSystem) -> FileWriter {
    FileWriter(system: system, recoveryFolder: RecoveryFolder(at: folder("recovery"), system: LinuxFileSystem()))
  }

  private func text(_ name: String) -> Rope? { folder.contents(name).map { Rope($0) } }

  @Test func savesANewFile() throws {
    let saved = try writer(system).save(new, to: folder("a"))
    #expect(text("a") == new)
    #expect(try system.status(at: folder("a"), followingLinks: true)?.stamp == saved.status.stamp)
    #expect(folder.names == ["a", "recovery"])
    _ = try writer(system).save("", to: folder("a"), .version(saved.status, nil))
    #expect(text("a") == "")
  }

  @Test func followsLinks() throws {
    folder.write(old, to: "a")
    symlink("a", folder("first"))
    symlink(folder("first"), folder("second"))
    _ = try writer(system).save(new, to: folder("second"))
    #expect(text("a") == new)
    #expect(try system.status(at: folder("second"), followingLinks: false)?.kind == .symbolicLink)
    symlink("not-yet", folder("dangling"))
    _ = try writer(system).save(new, to: folder("dangling"))
    #expect(text("not-yet") == new)
    symlink("loop", folder("loop"))
    #expect(failure { _ = try writer(system).save(new, to: folder("loop")) } != nil)
  }

  @Test func refusesWhatIsNoFile() {
    mkfifo(folder("fifo"), 0o600)
    #expect(failure { _ = try writer(system).save(new, to: folder("fifo")) }?.code == .notARegularFile)
    #expect(failure { _ = try writer(system).save(new, to: folder.path) }?.code == .notARegularFile)
    #expect(failure { _ = try writer(system).save(new, to: folder("no/such/folder")) }?.code == .noFolder)
    #expect(
      failure { _ = try writer(system).save(new, to: folder(String(repeating: "x", count: 300))) } != nil)
    let missing = failure { _ = try writer(system).save(new, to: folder("none/a")) }
    #expect(missing?.description == "cannot save \(folder("none/a")): No such file or directory")
  }

  @Test func aFolderThatTakesNoFileIsThere() {
    let error = failure { _ = try writer(system).save(new, to: "/proc/xiedit") }
    #expect(error?.code == .notFound && error?.systemError == ENOENT)
    #expect(error.map { "\($0)" } == "cannot save /proc/xiedit: No such file or directory")
  }

  /// Each folder is named durably before the file is in it.
  @Test func makesFoldersThatAreMissing() throws {
    let faulty = FaultyFileSystem()
    var writer = writerOn(faulty)
    writer.makesFolders = true
    _ = try writer.save(new, to: folder("no/such/a"))
    #expect(text("no/such/a") == new)
    #expect(faulty.calls.count { $0 == "synchronize" } == 4)
    symlink("nowhere", folder("dangling"))
    #expect(failure { _ = try writer.save(new, to: folder("dangling/a")) }?.code == .notFound)
    folder.write("text", to: "file")
    #expect(failure { _ = try writer.save(new, to: folder("file/a")) } != nil)
    #expect(folder.contents("file") == "text")
  }

  @Test func refusesAReadOnlyFile() {
    folder.write(old, to: "a")
    let error = failure { _ = try writer(FaultyFileSystem(.filesAreReadOnly)).save(new, to: folder("a")) }
    #expect(error?.code == .notPermitted)
    #expect(folder.contents("a") == old)
  }

  @Test func refusesAFileThatChanged() throws {
    folder.write(old, to: "a")
    let status = try #require(try system.status(at: folder("a"), followingLinks: true))
    folder.write("somebody else's", to: "a")
    #expect(
      failure { _ = try writer(system).save(new, to: folder("a"), .version(status, nil)) }?.code == .changedOnDisk)
    #expect(folder.contents("a") == "somebody else's")
    unlink(folder("a"))
    #expect(failure { _ = try writer(system).save(new, to: folder("a"), .version(status, nil)) }?.code == .vanished)
    _ = try writer(system).save(new, to: folder("a"))
    #expect(text("a") == new)
  }

  enum Meanwhile: CaseIterable { case written, replaced, removed }

  /// By another program, while the text is on its way to the disk: that takes its time.
  @Test(arguments: [false, true], Meanwhile.allCases)
  func refusesAFileThatChangesDuringTheSave(hasLink: Bool, change: Meanwhile) throws {
    folder.write(old, to: "a")
    folder.write("theirs", to: "other")
    if hasLink { link(folder("a"), folder("b")) }
    let status = try #require(try system.status(at: folder("a"), followingLinks: true))
    let (path, other) = (folder("a"), folder("other"))
    let faulty = FaultyFileSystem(
      .meanwhile(before: "synchronize") {
        switch change {
        case .written: truncate(path, 6)
        case .replaced: rename(other, path)
        case .removed: unlink(path)
        }
      })
    let known = FileWriter.Overwriting.version(status, ContentIdentity(of: Rope(old)))
    let error = failure { _ = try writerOn(faulty).save(new, to: path, known) }
    #expect(error?.code == (change == .removed ? .vanished : .changedOnDisk))
    let theirs = [.written: String(old.prefix(6)), .replaced: "theirs", .removed: nil][change]
    #expect(folder.contents("a") == theirs)
    #expect(!hasLink || folder.contents("b") == (change == .written ? theirs : old))
    #expect(folder.names.filter { $0.hasPrefix(".") } == [] && faulty.openDescriptors.isEmpty)
    #expect(try writer(system).recoveryFolder?.interruptedSave(of: folder.place("a")) == nil)
    // Who wants so saves all the same.
    _ = try writer(system).save(new, to: path)
    #expect(text("a") == new)
  }

  /// What another program does to a file just after it was saved is not taken for a part of that, however fast it is.
  @Test(arguments: [(false, true), (false, false), (true, true)])
  func whatAnotherWritesAtOnceIsNotOwn(hasLink: Bool, isAppended: Bool) throws {
    for _ in 0..<20 {
      folder.write(old, to: "a")
      if hasLink { link(folder("a"), folder("b")) }
      let theirs = isAppended ? "theirs\n" : String(repeating: "x", count: new.byteCount)
      let system = FaultyFileSystem(.anotherWrites(theirs, isAppended: isAppended))
      let saved = try writer(system).save(new, to: folder("a"))
      let contents = folder.contents("a")
      #expect(contents?.hasSuffix(theirs) == true)
      let known = FileWriter.Overwriting.version(saved.status, ContentIdentity(of: new))
      #expect(failure { _ = try writer(LinuxFileSystem()).save(new, to: folder("a"), known) }?.code == .changedOnDisk)
      #expect(folder.contents("a") == contents)
    }
  }

  @Test func removesWhatAKilledSaveLeft() throws {
    folder.write("half", to: ".a.xiedit-save")
    _ = try writer(system).save(new, to: folder("a"))
    #expect(folder.names == ["a", "recovery"])
  }

  @Test func refusesWhileAnotherSaves() throws {
    folder.write("half", to: ".a.xiedit-save")
    let other = try system.open(folder(".a.xiedit-save"), O_RDWR, mode: 0)
    #expect(try system.lock(other))
    #expect(failure { _ = try writer(system).save(new, to: folder("a")) }?.code == .inUse)
    system.close(other)
  }

  /// Who looks for that has the lock for a moment, and nobody saves.
  @Test func waitsForWhoLooksAtWhatAKilledSaveLeft() throws {
    folder.write("half", to: ".a.xiedit-save")
    _ = try writerOn(FaultyFileSystem(.endingHolder(for: .milliseconds(20)))).save(new, to: folder("a"))
    #expect(text("a") == new)
    #expect(folder.names.filter { $0.hasPrefix(".") } == [])
  }

  /// By an editor that is just opening the file, and takes it for what a killed save has left.
  @Test(arguments: [false, true]) func whatIsRemovedBeforeItIsLockedIsMadeAgain(hasLink: Bool) throws {
    folder.write(old, to: "a")
    if hasLink { link(folder("a"), folder("b")) }
    let copy = try writer(system).recoveryFolder?.path(for: folder.place("a"), suffix: "\(getpid()).1.saving.new") ?? ""
    let removed = hasLink ? copy : folder(".a.xiedit-save")
    let faulty = FaultyFileSystem(.meanwhile(before: "lock") { unlink(removed) })
    #expect(try writerOn(faulty).save(new, to: folder("a")).remarks == [])
    #expect(text("a") == new)
  }

  /// Killed at every system call: the file is the old one or the new one, and the next save works.
  @Test(arguments: [false, true])
  func deathAtEveryCallLeavesOldOrNew(hasLink: Bool) throws {
    folder.write(old, to: "a")
    if hasLink { link(folder("a"), folder("b")) }
    _ = writer(system)
    let counting = FaultyFileSystem()
    _ = try writerOn(counting).save(new, to: folder("a"))
    #expect(counting.calls.count > 10)
    for call in counting.calls.indices {
      folder.write(old, to: "a")
      _ = try? writerOn(FaultyFileSystem(.death(atCall: call))).save(new, to: folder("a"))
      let found = text("a")
      if found != Rope(old), found != new {
        // In place: the copy holds what the file was to become.
        let copy = try writer(system).recoveryFolder?.interruptedSave(of: folder.place("a"))?.contents
        #expect(hasLink && copy == new, "call \(call), \(counting.calls[call])")
      }
      _ = try writer(system).save(new, to: folder("a"))
      #expect(text("a") == new)
      #expect(!folder.names.contains { $0.hasSuffix("xiedit-save") })
    }
  }

  /// Every system call fails once: the file is whole, the error is told, nothing stays open or lies about.
  @Test(arguments: [EIO, ENOSPC, EACCES])
  func everyFailedCallIsAnError(error: CInt) throws {
    folder.write(old, to: "a")
    let counting = FaultyFileSystem()
    _ = try writerOn(counting).save(new, to: folder("a"))
    for call in counting.calls.indices {
      folder.write(old, to: "a")
      let faulty = FaultyFileSystem(.error(error, atCall: call))
      let saved = try? writerOn(faulty).save(new, to: folder("a"))
      #expect(text("a") == new || (saved == nil && text("a") == Rope(old)), "call \(call), \(counting.calls[call])")
      #expect(faulty.openDescriptors.isEmpty)
      if counting.calls[call] != "remove" { #expect(!folder.names.contains { $0.hasSuffix("xiedit-save") }) }
    }
  }

  @Test(arguments: [false, true], [0, 1, 5000, 14_000])
  func fullDiskLeavesTheOldFile(hasLink: Bool, room: Int) {
    folder.write(old, to: "a")
    if hasLink { link(folder("a"), folder("b")) }
    let error = failure { _ = try writerOn(FaultyFileSystem(.fullDisk(afterBytes: room))).save(new, to: folder("a")) }
    #expect(error?.code == .diskFull)
    #expect(folder.contents("a") == old)
  }

  /// What the machine may lose with its power is written to the disk before the next step makes it needed.
  @Test(arguments: [false, true])
  func eachStepIsOnTheDiskBeforeTheNext(hasLink: Bool) throws {
    folder.write(old, to: "a")
    if hasLink { link(folder("a"), folder("b")) }
    let counting = FaultyFileSystem()
    var writer = FileWriter(system: counting, recoveryFolder: RecoveryFolder(at: folder("recovery"), system: counting))
    writer.pieceSize = 1 << 20
    _ = try writer.save(new, to: folder("a"))
    let steps: Set = ["allocate", "write", "truncate", "synchronize", "rename", "remove"]
    let replacement = ["write", "synchronize", "rename", "synchronize"]
    let inPlace = ["allocate", "write", "truncate", "synchronize", "remove"]
    #expect(counting.calls.filter(steps.contains) == (hasLink ? ["truncate"] + replacement + inPlace : replacement))
  }

  /// As containers have it: the name is a mount, and nothing takes its place.
  @Test func aMountedFileIsSavedInPlace() throws {
    folder.write(old, to: "a")
    let inode = try system.status(at: folder("a"), followingLinks: true)?.inode
    #expect(try writerOn(FaultyFileSystem(.mountedFile)).save(new, to: folder("a")).remarks.isEmpty)
    #expect(text("a") == new)
    #expect(try system.status(at: folder("a"), followingLinks: true)?.inode == inode)
    #expect(folder.names == ["a", "recovery"])
  }

  @Test func aFileSystemWithoutLocksIsSavedTo() throws {
    folder.write(old, to: "a")
    _ = try writerOn(FaultyFileSystem(.noLocks)).save(new, to: folder("a"))
    #expect(text("a") == new)
    folder.write("half", to: ".a.xiedit-save")
    #expect(failure { _ = try writerOn(FaultyFileSystem(.noLocks)).save("x", to: folder("a")) }?.code == .inUse)
    let old = [timespec(tv_sec: time(nil) - 100, tv_nsec: 0), timespec(tv_sec: time(nil) - 100, tv_nsec: 0)]
    utimensat(AT_FDCWD, folder(".a.xiedit-save"), old, 0)
    _ = try writerOn(FaultyFileSystem(.noLocks)).save("x", to: folder("a"))
    #expect(text("a") == "x", "no save takes that long between two writes")
    // The clock was set back since, or is another machine's.
    folder.write("half", to: ".a.xiedit-save")
    let later = [timespec(tv_sec: time(nil) + 1000, tv_nsec: 0), timespec(tv_sec: time(nil) + 1000, tv_nsec: 0)]
    utimensat(AT_FDCWD, folder(".a.xiedit-save"), later, 0)
    _ = try writerOn(FaultyFileSystem(.noLocks)).save("y", to: folder("a"))
    #expect(text("a") == "y")
  }

  /// The file is the new one then.
  @Test func aFolderThatCannotBeSyncedIsARemark() throws {
    folder.write(old, to: "a")
    let saved = try writerOn(FaultyFileSystem(.unsynchronizable(folders: true))).save(new, to: folder("a"))
    #expect(saved.remarks.count == 1 && saved.remarks[0].contains(" \(folder("").dropLast()): "))
    #expect(text("a") == new)
    #expect(try system.status(at: folder("a"), followingLinks: true)?.stamp == saved.status.stamp)
  }

  @Test func aLinkedFileIsSavedWithoutARecoveryFolder() throws {
    folder.write(old, to: "a")
    link(folder("a"), folder("b"))
    let writer = writer(system)
    rmdir(folder("recovery"))
    #expect(try writer.save(new, to: folder("a")).remarks.isEmpty, "it is made anew")
    #expect(text("b") == new)
    rmdir(folder("recovery"))
    folder.write("a file in its place", to: "recovery")
    #expect(try writer.save("x", to: folder("a")).remarks.count == 1)
    #expect(text("b") == "x")
  }

  @Test func aNewFileReplacesNothing() throws {
    #expect(try writer(system).save(new, to: folder("a"), .nothing).remarks.isEmpty)
    #expect(failure { _ = try writer(system).save("x", to: folder("a"), .nothing) }?.code == .exists)
    let other = Rope(String(repeating: "x", count: new.byteCount))
    #expect(failure { _ = try writer(system).save(other, to: folder("a"), .nothing) }?.code == .exists)
    // The very text has nothing to lose.
    #expect(try writer(system).save(new, to: folder("a"), .nothing).remarks.isEmpty)
    // Another program is faster.
    folder.write("another's", to: "b")
    #expect(failure { try system.renameNew(folder("a"), to: folder("b")) }?.code == .exists)
    #expect(text("a") == new && text("b") == "another's")
    try system.renameNew(folder("a"), to: folder("c"))
    #expect(text("c") == new)
  }

  /// Written to in place, with the time set back: its contents tell.
  @Test func aWriteThatHidesIsNoticed() throws {
    folder.write("text", to: "a")
    let status = try #require(try system.status(at: folder("a"), followingLinks: true))
    let version = FileWriter.Overwriting.version(status, ContentIdentity(of: "text"))
    #expect(chmod(folder("a"), 0o640) == 0)
    let touched = try writer(system).save("next", to: folder("a"), version)
    folder.write("tEXT", to: "a")
    let seconds = Int(touched.status.modificationTime / 1_000_000_000)
    let time = timespec(tv_sec: seconds, tv_nsec: Int(touched.status.modificationTime % 1_000_000_000))
    utimensat(AT_FDCWD, folder("a"), [time, time], 0)
    let hidden = FileWriter.Overwriting.version(touched.status, ContentIdentity(of: "next"))
    #expect(failure { _ = try writer(system).save(new, to: folder("a"), hidden) }?.code == .changedOnDisk)
    #expect(folder.contents("a") == "tEXT")
  }

  /// Nothing is lost that the file does not hold.
  @Test func whatWasTouchedOrWrittenAsItWasIsNoOther() throws {
    folder.write("text", to: "a")
    var status = try #require(try system.status(at: folder("a"), followingLinks: true))
    func touch() {
      let time = timespec(tv_sec: 1, tv_nsec: 0)
      utimensat(AT_FDCWD, folder("a"), [time, time], 0)
    }
    func replace() {
      folder.write("text", to: "b")
      rename(folder("b"), folder("a"))
    }
    for change in [touch, { self.folder.write("text", to: "a") }, replace] {
      change()
      let version = FileWriter.Overwriting.version(status, ContentIdentity(of: "text"))
      status = try writer(system).save("text", to: folder("a"), version).status
    }
    folder.write("tEXT", to: "a")
    let version = FileWriter.Overwriting.version(status, ContentIdentity(of: "text"))
    #expect(failure { _ = try writer(system).save(new, to: folder("a"), version) }?.code == .changedOnDisk)
  }

  /// A write takes them away, and so would a new file be without them.
  @Test(arguments: [false, true])
  func capabilitiesAreKept(hasLink: Bool) throws {
    folder.write(old, to: "a")
    if hasLink { link(folder("a"), folder("b")) }
    let value: [UInt8] = [1, 0, 0, 2, 0, 4, 0, 0] + [UInt8](repeating: 0, count: 12)
    let descriptor = try system.open(folder("a"), O_RDONLY, mode: 0)
    defer { system.close(descriptor) }
    // Not everyone may give them.
    guard (try? system.setCapabilities(value, of: descriptor)) != nil else { return }
    _ = try writer(system).save(new, to: folder("a"))
    try system.withOpen(folder("a"), O_RDONLY) { saved throws(FileError) in
      #expect(system.capabilities(of: saved) == value)
    }
  }

  @Test func aPathWithANulIsRefused() {
    let path = folder("a") + "\0b"
    #expect(failure { _ = try writer(system).save(new, to: path) }?.systemError == EINVAL)
    #expect(failure { _ = try FileReader(path, system: system) }?.systemError == EINVAL)
    #expect(failure { _ = try system.names(inDirectory: folder.path + "\0") }?.systemError == EINVAL)
    #expect(folder.names == ["recovery"])
  }

  /// With the recovery folder on the same faulty system.
  private func writerOn(_ system: FaultyFileSystem) -> FileWriter {
    var writer = FileWriter(system: system, recoveryFolder: RecoveryFolder(at: folder("recovery"), system: system))
    writer.pieceSize = 4096
    return writer
  }
}
