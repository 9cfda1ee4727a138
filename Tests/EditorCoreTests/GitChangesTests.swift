import EditorProtocol
import Foundation
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// What git has of a file, and every way in which it may not have it.
@Suite struct GitChangesTests {
  private let driver = CoreDriver(handshake: true)

  @Test func linesSinceTheCommit() throws {
    let repository = try Repository()
    try repository.commit("one\ntwo\nthree\n", to: "sub/a file.txt")
    try repository.write("one\nTWO\nthree\nfour\n", to: "sub/a file.txt")
    driver.openCompared(repository.path("sub/a file.txt"))
    driver.awaitMarks("head ~1 +3")
    driver.edit("insert", ["chars": "x"])
    #expect(driver.marks == "head ~0x2 +3")
    try driver.save(repository.path("sub/a file.txt"))
    driver.awaitComparison()
    #expect(driver.marks == "head ~0x2 +3", "a save is no commit")
    driver.caret(1)
    driver.edit("xiedit_revert_changes")
    #expect(driver.document?.buffer.text == "one\ntwo\nthree\nfour\n")
  }

  /// A commit while the file is open, or another branch.
  @Test func theCommitMoves() throws {
    let repository = try Repository(committed: "one\n", now: "two\n")
    driver.openCompared(repository.path("f.txt"))
    driver.awaitMarks("head ~0")
    try repository.git("commit", "-q", "-a", "-m", "y")
    driver.awaitMarks("head")
    driver.edit("insert", ["chars": "x"])
    #expect(driver.marks == "head ~0")
    try repository.git("rm", "-q", "--cached", "f.txt")
    try repository.git("commit", "-q", "-m", "z")
    driver.awaitMarks("saved ~0")
  }

  @Test func aFileThatGitDoesNotKnow() throws {
    let repository = try Repository()
    try repository.write("one\n")
    driver.openCompared(repository.path("f.txt"))
    #expect(driver.marks == "saved", "no commit is there yet")
    try repository.commit("x\n", to: "other.txt")
    try repository.git("rm", "-q", "--cached", "f.txt")
    driver.open(repository.path("f.txt"))
    driver.awaitComparison()
    #expect(driver.marks == "saved")
    #expect(driver.alerts.isEmpty)
  }

  /// In the commit, and gone from the disk.
  @Test func aDeletedFile() throws {
    let repository = try Repository(committed: "one\ntwo\n")
    try FileManager.default.removeItem(atPath: repository.path("f.txt"))
    driver.openCompared(repository.path("f.txt"))
    driver.awaitMarks("head -0")
    driver.edit("xiedit_revert_changes")
    #expect(driver.document?.buffer.text == "one\ntwo\n")
  }

  @Test func anotherName() throws {
    let repository = try Repository(committed: "one\n")
    try repository.commit("other\n", to: "g.txt")
    driver.openCompared(repository.path("f.txt"))
    driver.edit("insert", ["chars": "x"])
    driver.awaitMarks("head ~0")
    try driver.save(repository.path("new.txt"))
    driver.awaitMarks("saved")
    let params: JSONValue = [
      "view_id": .string(driver.view.rawValue), "file_path": .string(repository.path("g.txt")), "overwrite": "always",
    ]
    _ = try driver.request("xiedit_save", params).get()
    driver.awaitMarks("head ~0")
    driver.edit("xiedit_revert_changes")
    #expect(driver.document?.buffer.text == "other\n")
  }

  /// Git has of a link only where it leads to.
  @Test func linksLeadToTheFile() throws {
    let repository = try Repository()
    try repository.commit("one\n", to: "real/f.txt")
    try FileManager.default.createSymbolicLink(
      atPath: repository.path("link.txt"), withDestinationPath: "real/f.txt")
    try repository.git("add", "-A", ".")
    try repository.git("commit", "-q", "-m", "link")
    try repository.write("two\n", to: "real/f.txt")
    driver.openCompared(repository.path("link.txt"))
    driver.awaitMarks("head ~0")
    let outside = try Repository(isGit: false, now: "outside\n")
    try FileManager.default.createSymbolicLink(
      atPath: repository.path("out.txt"), withDestinationPath: outside.path("f.txt"))
    driver.openCompared(repository.path("out.txt"))
    #expect(driver.marks == "saved")
  }

  @Test func workTreesAndSubmodules() throws {
    let (repository, inner) = (try Repository(), try Repository())
    try repository.commit("one\n")
    try inner.commit("inner\n")
    try repository.git("worktree", "add", "-q", "tree")
    try repository.git("submodule", "--quiet", "add", inner.folder, "module")
    try repository.write("two\n", to: "tree/f.txt")
    driver.openCompared(repository.path("tree/f.txt"))
    driver.awaitMarks("head ~0")
    try repository.write("changed\n", to: "module/f.txt")
    driver.openCompared(repository.path("module/f.txt"))
    driver.awaitMarks("head ~0")
  }

  @Test(arguments: [
    ("a\r\nb\r\n", "a\r\nb\r\nc\r\n", "head +2"),
    // As git makes them with core.autocrlf.
    ("a\nb\n", "a\r\nb\r\nc\r\n", "head +2"), ("a\r\nb\r\n", "a\nb\n", "head ~0x2"), ("a\nb", "a\nb\n", "head ~1"),
    ("", "a\n", "head +0"), ("a\n", "", "head -0"), ("a\n", "a\n", "head"),
  ])
  func lineEnds(committed: String, now: String, marks: String) throws {
    let repository = try Repository()
    try repository.commit(committed)
    try repository.write(now)
    driver.openCompared(repository.path("f.txt"))
    driver.awaitMarks(marks)
    driver.edit("select_all")
    if marks != "head" { driver.edit("xiedit_revert_changes") }
    driver.awaitMarks("head")
  }

  /// A save puts a line end there, as the commit has it.
  @Test func theLineEndThatASaveAdds() throws {
    let repository = try Repository(committed: "a\n")
    try FileManager.default.removeItem(atPath: repository.path("f.txt"))
    driver.openCompared(repository.path("f.txt"))
    driver.edit("insert", ["chars": "a"])
    try driver.save(repository.path("f.txt"))
    try repository.git("update-index", "--refresh")
    driver.openCompared(repository.path("f.txt"))
    driver.awaitMarks("head")
  }

  @Test func encodings() throws {
    let repository = try Repository()
    try repository.write(Array("gr".utf8) + [0xFC] + Array("n\nzwei\n".utf8), to: "f.txt")
    try repository.git("add", ".")
    try repository.git("commit", "-q", "-m", "latin1")
    driver.openCompared(repository.path("f.txt"))
    driver.awaitMarks("head")
    driver.edit("move_to_end_of_document")
    driver.edit("insert", ["chars": "drei\n"])
    driver.awaitMarks("head +2")
    try repository.write((0...255).map { UInt8($0) } + [0x0A, 0], to: "binary")
    try repository.git("add", ".")
    try repository.git("commit", "-q", "-m", "binary")
    try repository.write((0...255).map { UInt8($0) } + [0x0A, 1], to: "binary")
    driver.openCompared(repository.path("binary"))
    driver.awaitMarks("head ~2")
  }

  /// Of a file that is kept elsewhere the commit has a pointer.
  @Test func pointersOfLargeFiles() throws {
    let repository = try Repository(
      committed: "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 4\n", now: "one\n")
    driver.openCompared(repository.path("f.txt"))
    #expect(driver.marks == "saved")
  }

  @Test func whatIsTypedWhileGitIsAsked() throws {
    let repository = try Repository(committed: "one\ntwo\n", now: "one\nTWO\n")
    driver.open(repository.path("f.txt"))
    for _ in 0..<20 { driver.perform(driver.view, .insert("x\n")) }
    driver.run { driver.changes?.base == .head && driver.changes?.added == 20 }
    #expect(driver.changes.map { [$0.added, $0.modified, $0.removed] } == [20, 1, 0])
  }

  /// What git has is compared while the file becomes what the text is.
  @Test func aSaveMeetsTheComparison() throws {
    let repository = try Repository(committed: "one\ntwo\n", now: "one\nTWO\n")
    driver.open(repository.path("f.txt"))
    let document = try #require(driver.document)
    driver.run { document.changes?.wanted != nil || document.changes?.base == .head }
    driver.session.files.save(document, to: repository.path("f.txt"), .always) { _ in }
    driver.settle()
    driver.awaitMarks("head ~1")
  }

  /// It means the commit, whoever has typed it before that was known.
  @Test func puttingBackWaitsForGit() throws {
    let repository = try Repository(committed: "one\n", now: "two\n")
    driver.open(repository.path("f.txt"))
    driver.perform(driver.view, .plain(.revertChanges))
    driver.perform(driver.view, .insert("x"))
    driver.run { driver.document?.buffer.text == "xone\n" }
    #expect(driver.document?.buffer.text == "xone\n")
  }

  // MARK: git itself

  /// A program in the place of git.
  private func fake(
    _ script: String, in repository: Repository, timeLimit: Duration = .seconds(100)
  ) throws -> GitFile {
    try repository.write("#!/bin/sh\n" + script, to: "bin/git")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: repository.path("bin/git"))
    return GitFile(path: repository.path("bin") + ":/usr/bin:/bin", timeLimit: timeLimit)
  }

  @Test func oneThatHangsIsEndedAndNotAskedAgain() throws {
    let repository = try Repository()
    let git = try fake(
      "echo $$ >> \(repository.path("pids")); exec sleep 1000", in: repository, timeLimit: .seconds(3))
    driver.session.changes.git = git
    try repository.write("one\n")
    driver.openCompared(repository.path("f.txt"))
    #expect(driver.marks == "saved")
    driver.edit("insert", ["chars": "x"])
    #expect(driver.marks == "saved ~0")
    try driver.save(repository.path("f.txt"))
    driver.awaitComparison()
    let pids = try String(contentsOfFile: repository.path("pids"), encoding: .utf8).split(separator: "\n")
    #expect(pids.count == 1)
    for pid in pids.compactMap({ pid_t($0) }) { #expect(hasEnded(pid)) }
    #expect(driver.alerts.isEmpty)
  }

  @Test(arguments: [
    "exit 1", "echo nonsense", "kill -9 $$", "echo /nowhere; echo 00; exit 0", "head -c 200000000 /dev/zero",
    "echo oops >&2; exit 128",
    "case \"$*\" in *rev-parse*) echo /nowhere; echo 00;; *) head -c 80000000 /dev/zero;; esac",
  ])
  func oneThatTalksNonsense(script: String) throws {
    let repository = try Repository()
    driver.session.changes.git = try fake(script, in: repository)
    try repository.write("one\n")
    driver.openCompared(repository.path("f.txt"))
    driver.edit("insert", ["chars": "x"])
    #expect(driver.marks.hasSuffix("~0"))
    #expect(driver.alerts.isEmpty)
  }

  @Test func noGitAtAll() throws {
    let repository = try Repository(committed: "one\n")
    driver.session.changes.git = GitFile(path: repository.path("nowhere"))
    driver.openCompared(repository.path("f.txt"))
    #expect(driver.marks == "saved")
    #expect(driver.alerts.isEmpty)
  }

  @Test func nothingOutlivesTheSession() throws {
    let repository = try Repository()
    try repository.write("#!/bin/sh\necho $$ > \(repository.path("pid")); exec sleep 1000", to: "bin/git")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: repository.path("bin/git"))
    driver.session.changes.git = GitFile(path: repository.path("bin"), timeLimit: .seconds(1000))
    try repository.write("one\n")
    driver.open(repository.path("f.txt"))
    driver.run { FileManager.default.fileExists(atPath: repository.path("pid")) }
    driver.session.finish()
    let text = try String(contentsOfFile: repository.path("pid"), encoding: .utf8)
    let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(hasEnded(pid))
  }

  /// A hook of git's that starts the editor names its own repository.
  @Test func theEnvironmentNamesNoOtherRepository() throws {
    let repository = try Repository()
    let git = try fake("env > \(repository.path("environment")); exit 1", in: repository)
    setenv("GIT_DIR", "/elsewhere", 1)
    _ = git.find(repository.path("f.txt"), known: nil)
    unsetenv("GIT_DIR")
    let names = Set(
      try String(contentsOfFile: repository.path("environment"), encoding: .utf8).split(separator: "\n")
        .compactMap { $0.split(separator: "=").first })
    #expect(!names.contains("GIT_DIR"))
    #expect(names.isSuperset(of: ["GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT", "GIT_ALLOW_PROTOCOL"]))
  }

  @Test func aFileThatIsTooLong() throws {
    let repository = try Repository()
    try repository.commit(String(repeating: "0123456789abcde\n", count: 5 << 20))
    try repository.write(String(repeating: "0123456789abcde\n", count: 5 << 20) + "end\n")
    driver.openCompared(repository.path("f.txt"))
    driver.run { driver.document?.file.loadJob == nil }
    driver.awaitMarks("saved")
    // It has become short, and the commit is as long as before.
    try repository.write("short\n")
    driver.run { driver.document?.buffer.text == "short\n" }
    driver.awaitComparison()
    #expect(driver.marks == "saved")
  }
}
