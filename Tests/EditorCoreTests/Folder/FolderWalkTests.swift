import Glibc
import Testing

@testable import EditorCore

/// Which files of a folder are listed.
@Suite struct FolderWalkTests {
  private let folder = TemporaryFolder()

  private func make(_ paths: String...) {
    for path in paths {
      let parts = path.split(separator: "/")
      for count in 1..<max(parts.count, 1) { mkdir(folder(parts.prefix(count).joined(separator: "/")), 0o700) }
      if path.hasSuffix("/") { mkdir(folder(path), 0o700) } else { folder.write("x", to: path) }
    }
  }

  private func list(_ place: String = "") -> [String] { walk(place).paths }

  private func walk(_ place: String = "") -> (paths: [String], namelessCount: Int) {
    var paths: [String] = []
    let walk = FolderWalk(place.isEmpty ? folder.path : folder(place)) {
      paths.append($0)
      return true
    }
    let namelessCount = walk.run()
    return (paths, namelessCount)
  }

  @Test func namesThatAreNoTextAreCounted() {
    make("a", "b/c")
    for name in ["/\u{FF}x", "/b/x\u{FE}", "/.\u{FF}"] {
      var path = (Array(folder.path.utf8) + name.unicodeScalars.map { UInt8($0.value) } + [0]).map {
        CChar(bitPattern: $0)
      }
      close(creat(&path, 0o600))
    }
    let walked = walk()
    #expect(walked.paths == ["a", "b/c"] && walked.namelessCount == 2)
  }

  @Test func filesComeBeforeFoldersAndHiddenOnesNotAtAll() {
    make("b/y", "b/x", "a", "c/d/e", ".hidden/x", ".file", "z")
    symlink(folder("b"), folder("link"))
    symlink(folder("b/x"), folder("other"))
    symlink(folder("none"), folder("dead"))
    mkfifo(folder("pipe"), 0o600)
    #expect(list() == ["a", "other", "z", "b/x", "b/y", "c/d/e"])
    #expect(list("none") == [])
  }

  @Test func whatGitIgnoresIsLeftOut() {
    make(".git/info/exclude", "a.o", "keep.o", "build/x", "src/build/y", "src/a.c", "src/gen/b.c", "src/gen/keep.c")
    make("doc/x.txt", "doc/in/x.txt", "secret", "root.txt", "src/root.txt")
    folder.write("# all\n*.o\n!keep.o\nbuild/\n/root.txt\ndoc/**/*.txt\r\n\\#x\n", to: ".gitignore")
    folder.write("gen/*\n!gen/keep.c\n", to: "src/.gitignore")
    folder.write("secret\n", to: ".git/info/exclude")
    #expect(list() == ["keep.o", "src/a.c", "src/root.txt", "src/gen/keep.c"])
    #expect(list("src") == ["a.c", "root.txt", "gen/keep.c"], "the lists above hold below")
    #expect(list("src/gen") == ["keep.c"])
  }

  @Test func outsideOfARepositoryOnlyIgnoreFilesCount() {
    make("a", "b", "c")
    folder.write("a\n", to: ".gitignore")
    folder.write("b\n", to: ".ignore")
    #expect(list() == ["a", "c"])
  }

  @Test(arguments: [
    ("a", "a", true), ("a", "x/a", true), ("/a", "x/a", false), ("x/a", "x/a", true), ("x/a", "y/x/a", false),
    ("*.c", "x/y.c", true), ("*.c", "x/y.h", false), ("a*b", "a/b", false), ("**/b", "x/y/b", true),
    ("**/b", "b", true), ("a/**", "a/x/y", true), ("a/**", "a", false), ("a/**/b", "a/b", true),
    ("a/**/b", "a/x/y/b", true), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[^a-c]x", "dx", true),
    ("?", "é", true), ("a?", "a/", false), ("\\*", "*", true), ("\\*", "x", false), ("[", "[", true),
    ("a**b", "axxb", true),
    ("d/", "d", false), ("{a,b}", "a", false), ("{a,b}", "{a,b}", true), ("[]x]", "]", true), ("a\\ ", "a ", true),
    ("a  ", "a", true),
  ])
  func patterns(_ pattern: String, _ path: String, _ fits: Bool) throws {
    let line = try #require(IgnorePattern(pattern.utf8))
    let bytes = Array(path.utf8)
    let nameStart = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    #expect(line.matches(bytes[...], name: bytes[nameStart...], isFolder: false) == fits)
  }

  @Test func aPatternThatRunsAwayFitsNothing() throws {
    let line = try #require(IgnorePattern((String(repeating: "a*", count: 60) + "c").utf8))
    let bytes = Array(String(repeating: "a", count: 200).utf8) + [UInt8(ascii: "b")]
    #expect(!line.matches(bytes[...], name: bytes[...], isFolder: false))
    for nothing in ["", "#x", "   ", "/", "!"] { #expect(IgnorePattern(nothing.utf8) == nil, "\(nothing)") }
  }

  @Test func theWalkEndsWhenNoMoreIsWanted() {
    make("a", "b", "c/d")
    var count = 0
    let walk = FolderWalk(folder.path) { _ in
      count += 1
      return count < 2
    }
    #expect(walk.run() == 0)
    #expect(count == 2)
  }
}
