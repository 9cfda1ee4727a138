import EditorProtocol
import Glibc
import Testing

@testable import EditorCore

@Suite struct PathCompletionTests {
  private let folder = TemporaryFolder()

  private func complete(_ typed: String, home: String? = nil) -> PathCompletion {
    PathCompletion(of: typed, home: home, in: LinuxFileSystem())
  }

  @Test func namesThatBeginAsTheLastPart() {
    for name in ["abc", "abd", "b", ".hidden"] { folder.write("", to: name) }
    mkdir(folder("abe"), 0o700)
    symlink(folder("abe"), folder("abf"))
    #expect(complete(folder("ab")).names == ["abc", "abd", "abe/", "abf/"])
    #expect(complete(folder("")).names == ["abc", "abd", "abe/", "abf/", "b"])
    #expect(complete(folder(".h")).names == [".hidden"])
    #expect(complete(folder("none/a")).names == [])
  }

  @Test func aNameMayBeginWithAnAccent() {
    for name in ["\u{301}x", "e\u{301}"] { folder.write("", to: name) }
    #expect(complete(folder("")).names.map { Array($0.utf8) } == ["e\u{301}", "\u{301}x"].map { Array($0.utf8) })
    #expect(complete(folder("\u{301}")).names.map { Array($0.utf8) } == [Array("\u{301}x".utf8)])
    #expect(complete(folder("e")).names.map { Array($0.utf8) } == [Array("e\u{301}".utf8)])
    #expect(complete("~/\u{301}", home: folder.path).names.count == 1)
  }

  @Test func theHomeFolderIsTheCores() {
    folder.write("", to: "abc")
    #expect(complete("~/a", home: folder.path) == PathCompletion(path: folder("a"), names: ["abc"]))
    #expect(complete("~", home: folder.path).path == folder.path)
    #expect(complete("~/a", home: nil).path == "~/a")
    #expect(complete("~other/a", home: folder.path).path == "~other/a")
  }

  @Test func theCoreAnswers() {
    folder.write("", to: "abc")
    let driver = CoreDriver(handshake: true)
    let answer = driver.request("xiedit_paths", ["path": .string(folder("a"))])
    #expect((try? answer.get()).flatMap(PathCompletion.init)?.names == ["abc"])
  }
}
