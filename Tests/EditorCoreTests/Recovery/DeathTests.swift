import Glibc
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// A process that ends in the middle of a save.
@Suite struct DeathTests: JournalSuite {
  let files = TemporaryFolder()

  /// A process that another test is just starting holds what is open here, locks included, until it runs its program.
  private func waitForLocks(in folder: RecoveryFolder) throws {
    let system = LinuxFileSystem()
    let deadline = ContinuousClock.now + patience
    for name in try system.names(inDirectory: folder.path) where name.hasSuffix(".journal") {
      while try !system.withOpen(
        folder.path + "/" + name, O_RDONLY,
        { descriptor throws(FileError) in
          try system.lock(descriptor)
        }), ContinuousClock.now < deadline
      {}
    }
  }

  /// Edits and a save with the process killed at every system call: what was typed is in the file or in the journal.
  @Test func deathAtEveryCallLosesNothing() throws {
    let counting = FaultyFileSystem()
    files.write("text", to: "a")
    #expect(try script(counting) == 3)
    for call in counting.calls.indices {
      files.write("text", to: "a")
      try? LinuxFileSystem().names(inDirectory: files("recovery")).forEach { unlink(files("recovery") + "/" + $0) }
      // Only edits whose `append` returned were acknowledged.
      let acknowledged = (try? script(FaultyFileSystem(.death(atCall: call)))) ?? 0
      let folder = try recoveryFolder()
      try waitForLocks(in: folder)
      let present = try contents()
      var text = present
      if let journal = try folder.abandonedJournals(of: place).first,
        case .text(let recovered, _, _) = journal.replay(on: FileContents(present), folder: folder)
      {
        text = recovered
      }
      let expected = ["text", "1text", "21text", "321text"]
      let found = expected.firstIndex { Rope($0) == text }
      #expect(
        (found ?? -1) >= acknowledged, "call \(call), \(counting.calls[call]): \(text.string(in: text.fullRange))")
    }
  }

  /// One system call fails and the session goes on: what is typed after it brings to the disk what the failure kept from it.
  @Test(arguments: [EIO, ENOSPC])
  func errorAtEveryCallLosesNothing(error: CInt) throws {
    _ = try recoveryFolder()
    let counting = FaultyFileSystem()
    files.write("text", to: "a")
    #expect(try lastingScript(counting) == "4321text")
    for call in counting.calls.indices {
      files.write("text", to: "a")
      try? LinuxFileSystem().names(inDirectory: files("recovery")).forEach { unlink(files("recovery") + "/" + $0) }
      guard let typed = try lastingScript(FaultyFileSystem(.error(error, atCall: call))) else { continue }
      let folder = try recoveryFolder()
      try waitForLocks(in: folder)
      guard let journal = try folder.abandonedJournals(of: place).first,
        case .text(typed, _, _) = journal.replay(on: try file(), folder: folder)
      else {
        Issue.record("call \(call), \(counting.calls[call])")
        continue
      }
    }
  }

  /// As below, with one more edit at the end. Returns the text if that edit was acknowledged.
  private func lastingScript(_ system: FaultyFileSystem) throws -> Rope? {
    guard let folder = RecoveryFolder(at: files("recovery"), system: system) else { return nil }
    var session = try session(folder)
    for number in 1...2 { try? session.type("\(number)", at: 0) }
    let saved = session.text
    let contents = ContentIdentity(of: saved)
    if (try? session.journal.willSave(revision: 2, contents: contents, image: FileImage(), to: place)) != nil {
      try? session.journal.writer.file?.synchronize()
    }
    let done = try? FileWriter(system: system, recoveryFolder: folder).save(saved, to: path)
    try? session.type("3", at: 0)
    if let done {
      let base = JournalBase(
        of: try place, version: FileVersion(status: done.status, contents: contents, image: FileImage()))
      try? session.journal.didSave(revision: 2, as: base)
    }
    do { try session.type("4", at: 0) } catch { return nil }
    return session.text
  }

  /// Two edits, a save, one more edit while it runs. Returns how many edits were acknowledged.
  private func script(_ system: FaultyFileSystem) throws -> Int {
    guard let folder = RecoveryFolder(at: files("recovery"), system: system) else { return 0 }
    var session = try session(folder)
    var acknowledged = 0
    do {
      for number in 1...2 {
        try session.type("\(number)", at: 0)
        acknowledged += 1
      }
      let saved = session.text
      try session.journal.willSave(revision: 2, contents: ContentIdentity(of: saved), image: FileImage(), to: place)
      try session.journal.writer.file?.synchronize()
      let done = try FileWriter(system: system, recoveryFolder: folder).save(saved, to: path)
      try session.type("3", at: 0)
      acknowledged += 1
      let contents = ContentIdentity(of: saved)
      try session.journal.didSave(
        revision: 2,
        as: JournalBase(
          of: place, version: FileVersion(status: done.status, contents: contents, image: FileImage())))
    } catch {}
    return acknowledged
  }
}
