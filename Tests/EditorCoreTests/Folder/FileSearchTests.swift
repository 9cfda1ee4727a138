import EditorProtocol
import Glibc
import JSON
import Testing

@testable import EditorCore

/// Searches in files, and lists of them, through the protocol.
@Suite struct FileSearchTests {
  private let folder = TemporaryFolder()
  private let driver = CoreDriver(handshake: true)

  init() { driver.session.folder.root = folder.path }

  /// All pieces of a task together.
  private func find(_ task: FolderTask) -> FolderPiece {
    var all = FolderPiece()
    while !all.isLast {
      let message = FrontEndRequest.folder(1, task).encoded
      let answer = driver.request(message.method, message.params)
      guard let piece = (try? answer.get()).flatMap(FolderPiece.init) else {
        Issue.record("\(answer)")
        return all
      }
      all.paths += piece.paths
      all.lines += piece.lines
      all.searchedFiles = max(all.searchedFiles, piece.searchedFiles)
      (all.isLast, all.isCut, all.problem) = (piece.isLast, piece.isCut, piece.problem)
      all.namelessCount = piece.namelessCount
    }
    return all
  }

  private func search(_ text: String, caseSensitive: Bool = true, regex: Bool = false, words: Bool = false) -> [String]
  {
    find(.search(FindQuery(text, caseSensitive: caseSensitive, regex: regex, wholeWords: words))).lines.map {
      "\($0.path):\($0.line):\($0.character):\($0.text)"
    }
  }

  @Test func linesAreFoundInTheOrderOfTheFiles() {
    folder.write("one\n  two one\r\nthree\n", to: "b.txt")
    folder.write("One\none", to: "a.txt")
    folder.write("one\0", to: "binary")
    folder.write("", to: "empty")
    #expect(search("one") == ["a.txt:1:0:one", "b.txt:0:0:one", "b.txt:1:6:two one"])
    #expect(search("one", caseSensitive: false).count == 4)
    #expect(search("t[wh]", regex: true) == ["b.txt:1:2:two one", "b.txt:2:0:three"])
    #expect(search("^t.*e$", regex: true) == ["b.txt:2:0:three"])
    #expect(search("one$", regex: true) == ["a.txt:1:0:one", "b.txt:0:0:one", "b.txt:1:6:two one"])
    #expect(search("tw", words: true) == [])
    #expect(search("nowhere") == [])
    #expect(find(.list).paths == ["a.txt", "b.txt", "binary", "empty"])
  }

  @Test func namesThatAreNoTextAreTold() {
    folder.write("one", to: "a")
    var path = (Array(folder("x").utf8) + [0xFF, 0]).map { CChar(bitPattern: $0) }
    close(creat(&path, 0o600))
    #expect(find(.list).namelessCount == 1)
    let found = find(.search(FindQuery("one", caseSensitive: true, regex: false, wholeWords: false)))
    #expect(found.lines.count == 1 && found.namelessCount == 1)
  }

  /// Somebody writes all the time: each time that the searcher asks whether to go on, there is more.
  @Test func aFileThatGrowsIsSearchedAsItWas() throws {
    folder.write(String(repeating: "line\n", count: 100), to: "log")
    let descriptor = open(folder("log"), O_WRONLY | O_APPEND)
    defer { close(descriptor) }
    let more = Array(String(repeating: "line\n", count: 1000).utf8)
    let log = folder("log")
    let (count, writes) = try onOwnThread { thread in
      var writes = 0
      let searcher = try FileSearcher(SearchPattern(FindQuery("li", caseSensitive: true)), on: thread) { _ in
        writes += 1
        if writes < 50 { write(descriptor, more, more.count) }
        return true
      }
      return (try searcher.lines(inFile: log, of: "log").count, writes)
    }
    #expect(count == 100)
    #expect(writes > 0)
  }

  /// As they are when they are opened.
  @Test func filesInOtherEncodingsAreSearched() {
    folder.write(Array("un café noir, le café est là\n".unicodeScalars.map { UInt8($0.value) }), to: "latin")
    folder.write([0xFF, 0xFE] + "a café\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, to: "utf16")
    folder.write([0xFF, 0xFE, 0, 0, 1, 0, 0xE9], to: "binary")
    folder.write("a café", to: "utf8")
    #expect(
      search("café") == ["latin:0:3:un café noir, le café est là", "utf16:0:2:a café", "utf8:0:2:a café"])
    #expect(search("caf").count == 3)
  }

  /// A letter may be half a character there.
  @Test func lettersAreNotFoundWithinCharacters() {
    // テスト, eXg
    folder.write([0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x0A], to: "sjis")
    folder.write([0x93] + Array("foo".utf8) + [0x94, 0x20, 0x80] + Array(" foo\n".utf8), to: "windows")
    #expect(search("e") == [] && search("X") == [] && search("g") == [])
    #expect(search("foo") == ["windows:0:1:“foo” € foo"])
  }

  @Test func marksAreBytesOfTheText() {
    folder.write("\t\té x é x " + String(repeating: "y", count: 500) + "\n", to: "a")
    let line = find(.search(FindQuery("x", caseSensitive: true))).lines.first
    #expect(line?.marks == [3..<4, 8..<9] && line?.character == 4)
    #expect(line.map { $0.text.hasPrefix("é x é x yyy") && $0.text.utf8.count <= 240 } == true)
  }

  /// Whether lines are passed over or not, the same is found.
  @Test(arguments: ["a\\s*b", "[^x]b", "a.b", "^b", "a$", "\\bb", "(?<=a)b", "b|^$"])
  func expressionsSeeOneLine(_ pattern: String) {
    let lines = (0..<2000).map { ["a", "b", "ab", "a b", "x", "", "ba", "a\tb"][$0 * 7 % 8] }
    folder.write(lines.joined(separator: "\n"), to: "unix")
    folder.write(lines.joined(separator: "\r\n"), to: "windows")
    let found = search(pattern, regex: true)
    let unix = found.filter { $0.hasPrefix("unix") }.map { $0.dropFirst(5) }
    #expect(unix == found.filter { $0.hasPrefix("windows") }.map { $0.dropFirst(8) }, "the latter line by line")
    #expect(!unix.isEmpty)
  }

  @Test func linesAreNumberedAcrossPieces() {
    let filler = String(repeating: String(repeating: "z", count: 99) + "\n", count: 12_000)
    folder.write("x\n" + filler + "x\n" + filler + "x", to: "a")
    #expect(search("x") == ["a:0:0:x", "a:12001:0:x", "a:24002:0:x"])
    #expect(search("z\nx").count == 2, "across lines")
    #expect(search("^x$", regex: true).count == 3)
    folder.write(String(repeating: "z", count: 3 << 20) + "needle", to: "b")
    #expect(find(.search(FindQuery("needle", caseSensitive: true))).lines.map(\.character) == [3 << 20])
  }

  @Test func tooMuchIsCut() {
    for name in 0..<3 { folder.write(String(repeating: "x\n", count: 5000), to: "\(name)") }
    let found = find(.search(FindQuery("x", caseSensitive: true)))
    #expect(found.lines.count == 10_000 && found.isCut)
  }

  @Test func aPatternThatIsNoneIsAProblem() {
    folder.write("x", to: "a")
    #expect(
      find(.search(FindQuery("(", caseSensitive: true, regex: true))).problem == "missing closing parenthesis at 1")
    #expect(driver.request("xiedit_search_files", ["task": 1]).failure != nil)
    #expect(driver.request("xiedit_list_files", ["task": "x"]).failure != nil)
  }

  @Test func aBufferIsSearchedAsItIs() {
    folder.write("saved\n", to: "a")
    driver.open(folder("a"))
    driver.edit("insert", ["chars": "typed "])
    #expect(search("typed") == ["a:0:0:typed saved"])
  }

  @Test func aTaskCanBeEnded() {
    for name in 0..<500 { folder.write("x", to: "\(name)") }
    let message = FrontEndRequest.folder(7, .search(FindQuery("nowhere", caseSensitive: true))).encoded
    let answer = driver.request(message.method, message.params) { driver.notify(.endTask(7)) }
    #expect((try? answer.get()).flatMap(FolderPiece.init)?.isLast == true)
    driver.notify(.endTask(99))
    #expect(find(.list).paths.count == 500)
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
