import Glibc
import Rope
import Testing

@testable import EditorCore

@Suite struct RecoveryFolderTests {
  private let files = TemporaryFolder()
  private let system = LinuxFileSystem()

  @Test func isMadePrivate() throws {
    let folder = try #require(RecoveryFolder(environment: ["XDG_STATE_HOME": files("state")], system: system))
    #expect(folder.path == files("state/xiedit/recovery"))
    #expect(try system.status(at: folder.path, followingLinks: false)?.mode == 0o700)
    let home = RecoveryFolder(environment: ["HOME": files.path, "XDG_STATE_HOME": "relative"], system: system)
    #expect(home?.path == files(".local/state/xiedit/recovery"))
    #expect(RecoveryFolder(environment: [:], system: system) == nil)
    #expect(RecoveryFolder(environment: ["HOME": ""], system: system) == nil, "no folder at the root of all")
  }

  @Test func isNotInAnothersHome() throws {
    // As seen by another user, or by root in a user's home.
    try #require(chown(files.path, 12345, 12345) == 0 || geteuid() != 0)
    guard geteuid() == 0 else { return }
    #expect(RecoveryFolder(environment: ["HOME": files.path], system: system) == nil)
    #expect(files.names.isEmpty)
  }

  /// As tools make them that have passwords edited there.
  @Test func doesNotTakeWhatIsPrivateInMemory() throws {
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    #expect(try folder.mayHoldEdits(of: files("new")))
    var template = Array("/dev/shm/secret-XXXXXX".utf8CString)
    guard let secret = mkdtemp(&template).map({ String(cString: $0) }) else { return }
    defer { rmdir(secret) }
    let descriptor = try system.open(secret, O_RDONLY | O_DIRECTORY, mode: 0)
    defer { system.close(descriptor) }
    #expect(try folder.mayHoldEdits(of: secret + "/new") == !system.isInMemory(descriptor))
    symlink(secret, files("link"))
    #expect(try folder.mayHoldEdits(of: files("link/new")) == !system.isInMemory(descriptor))
    chmod(secret, 0o755)
    #expect(try folder.mayHoldEdits(of: secret + "/new"))
  }

  @Test func takesWhatAnybodyMayReadInMemory() throws {
    let folder = try #require(
      RecoveryFolder(at: files("recovery"), system: FaultyFileSystem(.filesAreInMemory)))
    files.write("text", to: "a")
    mkdir(files("inner"), 0o755)
    symlink(files("inner"), files("link"))
    chmod(files.path, 0o755)
    chmod(files("a"), 0o600)
    #expect(try !folder.mayHoldEdits(of: files("a")))
    #expect(try folder.mayHoldEdits(of: files("new")))
    chmod(files("a"), 0o644)
    let names = ["a", "new", "inner/new", "link/new", "none/new"]
    for name in names { #expect(try folder.mayHoldEdits(of: files(name)), "\(name)") }
    // Nobody comes to them through a closed folder.
    chmod(files.path, 0o700)
    for name in names { #expect(try !folder.mayHoldEdits(of: files(name)), "\(name)") }
    // What is in memory as they are is no disk.
    let memory = try #require(RecoveryFolder(at: files("inner"), system: FaultyFileSystem(.filesAreInMemory)))
    #expect(try memory.mayHoldEdits(of: files("a")))
  }

  @Test func secondEditorIsTold() throws {
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    guard case .held(let lock) = try FileLock.take(of: files.place("a"), folder: folder) else {
      Issue.record("nobody has it")
      return
    }
    guard case .heldByProcess(Int(getpid())) = try FileLock.take(of: files.place("a"), folder: folder) else {
      Issue.record("it is had twice")
      return
    }
    guard case .held = try FileLock.take(of: files.place("b"), folder: folder) else {
      Issue.record("another file")
      return
    }
    withExtendedLifetime(lock) {}
  }

  /// What it writes is not on the disk yet: its locks go after that.
  @Test func waitsForAHolderThatWasKilled() throws {
    let system = FaultyFileSystem(.endingHolder(for: .milliseconds(200)))
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    guard case .held = try FileLock.take(of: files.place("a"), folder: folder) else {
      Issue.record("it did not wait")
      return
    }
    #expect(system.calls.count { $0 == "lock" } > 1)
  }

  /// However long each look at the lock takes.
  @Test(arguments: [0, 100]) func doesNotWaitForever(delay: Int) throws {
    let system = FaultyFileSystem(.endlessHolder(delay: .milliseconds(delay)))
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    guard case .heldByProcess = try FileLock.take(of: files.place("a"), folder: folder) else {
      Issue.record("nobody let go of it")
      return
    }
    if delay > 0 { #expect(system.calls.count { $0 == "lock" } <= 1000 / delay + 1) }
  }

  @Test func theHolderOfALockIsKnown() throws {
    files.write("", to: "a")
    let descriptor = try system.open(files("a"), O_RDWR, mode: 0)
    defer { system.close(descriptor) }
    #expect(system.lockHolder(descriptor) == nil)
    #expect(try system.lock(descriptor))
    #expect(system.lockHolder(descriptor) == Int(getpid()))
  }

  @Test func aKilledProcessIsEnding() throws {
    #expect(!system.isEnding(Int(getpid())))
    var process: pid_t = 0
    var arguments = [strdup("sleep"), strdup("1000"), nil]
    defer { for argument in arguments { free(argument) } }
    try #require(posix_spawn(&process, "/bin/sleep", nil, nil, &arguments, nil) == 0)
    #expect(!system.isEnding(Int(process)))
    kill(process, SIGKILL)
    // Whether it is a zombie already or not.
    #expect(system.isEnding(Int(process)))
    waitpid(process, nil, 0)
    #expect(!system.isEnding(Int(process)))
  }

  @Test func lockEndsWithItsHolder() throws {
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    for _ in 0..<2 {
      guard case .held = try FileLock.take(of: files.place("a"), folder: folder) else {
        Issue.record("it was kept")
        return
      }
    }
    #expect(try system.names(inDirectory: folder.path).isEmpty)
  }

  /// Of that file, and of no process that lives.
  @Test func whatIsOfNoUseGoesAtOnce() throws {
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    let (a, b) = (try system.place(of: "/a"), try system.place(of: "/b"))
    let living = Journal(of: a, .none, name: "v", folder: folder)
    let delta = Delta(baseByteCount: 0, replacing: 0..<0, with: "x")
    try living.append([JournalEdit(revision: 1, undoGroup: 1, delta: delta, selections: [])])
    let (keyA, keyB) = (folder.key(for: a), folder.key(for: b))
    // No process has that number.
    let dead = "\(keyA).99999999.v"
    let kept = [
      living.id + "-base", living.id + "-base.new", living.id + ".1.new", "\(keyA).\(getpid()).w.journal-base",
      dead + ".journal", dead + ".journal-base", dead + ".1.journal.discarded", dead + ".1.journal.discarded-base",
      keyB + ".99999999.v.journal-base", keyA + ".saving",
    ]
    let left = [
      dead + ".journal-base.new", dead + ".journal.new", dead + ".journal.2.new", dead + ".1.journal-base",
      dead + ".1.journal-base.new", dead + ".1.journal.1.new",
    ]
    for name in kept + left { files.write("text", to: "recovery/" + name) }
    folder.removeLeftovers(of: a)
    #expect(Set(try system.names(inDirectory: folder.path)) == Set(kept + [living.id]))
  }

  /// What is too old to be missed goes, and nothing else.
  @Test func oldThingsExpire() throws {
    let folder = try #require(RecoveryFolder(at: files("recovery"), system: system))
    let day = 24 * 60 * 60
    let all = [
      "recovery/a-1.1.v.journal", "recovery/a-1.1.v.journal-base", "recovery/b-1.1.v.journal-base",
      "recovery/c-1.1.v.journal.discarded", "recovery/c-1.1.v.journal-base.discarded", "recovery/d.new",
      "recovery/e-1.1.v.journal.damaged", "recovery/open-1.1.v.journal", "recovery/f.saving",
    ]
    for name in all { files.write("text", to: name) }
    func left(afterDays days: Int) throws -> Set<String> {
      folder.removeExpired(now: time(nil) + days * day + 60, except: ["open-1"])
      return Set(try system.names(inDirectory: folder.path).map { "recovery/" + $0 })
    }
    #expect(try left(afterDays: 0) == Set(all))
    #expect(try left(afterDays: 1) == Set(all).subtracting(["recovery/b-1.1.v.journal-base", "recovery/d.new"]))
    #expect(
      try left(afterDays: 7) == [
        "recovery/a-1.1.v.journal", "recovery/a-1.1.v.journal-base", "recovery/open-1.1.v.journal", "recovery/f.saving",
      ])
    #expect(try left(afterDays: 90) == ["recovery/open-1.1.v.journal"])
  }
}
