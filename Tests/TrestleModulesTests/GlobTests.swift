import Foundation
import TestSupport
import Testing
import Trestle

@testable import TrestleModules

@Suite struct GlobTests {
  /// As `Files.glob` decides on a path: name by name.
  private func fits(_ pattern: String, _ path: String, hidden: Bool = false) throws -> Bool {
    var pattern = try GlobPattern([pattern], findsHidden: hidden)
    var places = pattern.start
    for (index, name) in path.split(separator: "/").enumerated() {
      if index > 0 { places = pattern.places(behind: "/", from: places) }
      places = pattern.places(behind: String(name), from: places)
    }
    return pattern.isEnd(places)
  }

  @Test(arguments: [
    ("a", "a", true), ("a", "b", false), ("a", "ab", false), ("ab", "a", false), ("./a/b", "a/b", true),
    ("*", "abc", true), ("*", "a/b", false), ("a*c", "ac", true), ("a*c", "abcbc", true), ("a*c", "abcb", false),
    ("*.ts", "a.ts", true), ("*.ts", "a.tsx", false), ("*.ts", "a/b.ts", false), ("*/b", "a/b", true),
    ("?", "a", true), ("?", "", false), ("?", "ab", false), ("?", "é", true), ("?", "😀", true), ("a?b", "a/b", false),
    ("[abc]", "b", true), ("[abc]", "d", false), ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false),
    ("[!a-c]x", "zx", true), ("[^a]", "a", false), ("[]]", "]", true), ("[]a]", "a", true), ("[!]]", "]", false),
    ("[a-]", "-", true), ("[-a]", "-", true), ("[\\]]", "]", true), ("a[!x]b", "a/b", false), ("[à-é]", "è", true),
    ("**", "a", true), ("**", "a/b/c", true), ("**/c", "c", true), ("**/c", "a/b/c", true), ("**/c", "a/bc", false),
    ("a/**", "a", false), ("a/**", "a/b/c", true), ("a/**/c", "a/c", true), ("a/**/c", "a/b/b/c", true),
    ("a/**/c", "a/bc", false), ("**/b/**", "a/b/c", true), ("**/b/**", "a/b", false), ("**/**/a", "a", true),
    ("a**c", "abc", true), ("a**c", "a/c", false), ("**c", "a/c", false), ("**c", "abc", true),
    ("{a,b}", "b", true), ("{a,b}", "c", false), ("x{a,b}y", "xby", true), ("{a,b{c,d}}", "bd", true),
    ("{a,}b", "b", true), ("{a,}b", "ab", true), ("{a/b,c}/d", "a/b/d", true), ("{a/b,c}/d", "c/d", true),
    ("{**/,}c", "a/b/c", true), ("{**/c,d}", "a/c", true), ("a/{b,**}", "a/x/y", true), ("{*.ts,*.js}", "a.js", true),
    ("a,b", "a,b", true), ("a}", "a}", true), ("a]", "a]", true), ("\\*", "*", true), ("\\*", "a", false),
    ("\\{a,b\\}", "{a,b}", true), ("\\.a", ".a", true),
    // Hidden names.
    ("*", ".a", false), ("?a", ".a", false), ("[.]a", ".a", false), ("[!b]a", ".a", false), (".*", ".a", true),
    ("**", ".a", false), ("**", "a/.b/c", false), ("**/c", ".a/c", false), ("**/.b", "a/.b", true),
    ("*.ts", ".ts", false), ("{*,}.ts", ".ts", true), ("{.a,b}", ".a", true), ("a/*", "a/.b", false),
    ("a*", "a.b", true), ("*b", "a.b", true), ("**/*", "a/.b", false), ("a/.b/*", "a/.b/c", true),
  ])
  func patterns(_ pattern: String, _ path: String, _ isFit: Bool) throws {
    #expect(try fits(pattern, path) == isFit, "\(pattern) \(path)")
  }

  @Test(arguments: [("*", ".a"), ("**", "a/.b/c"), ("**/c", ".a/c"), ("*.ts", ".ts"), ("?a", ".a"), ("[.]a", ".a")])
  func hiddenNamesThatAreWanted(_ pattern: String, _ path: String) throws {
    #expect(try fits(pattern, path, hidden: true))
  }

  /// Each of these takes longer than anybody lives where it is tried out by going back.
  @Test(arguments: [
    String(repeating: "a*", count: 2000) + "b", String(repeating: "**/", count: 2000) + "b",
    String(repeating: "{a,aa,aaa,*}", count: 2000) + "b",
    String(repeating: "{*,", count: 32) + "b" + String(repeating: "}", count: 32),
    String(repeating: "*a/**/", count: 1000) + "b",
  ])
  func patternsThatGoBackNowhere(_ pattern: String) throws {
    let name = String(repeating: "a", count: 250)
    #expect(try !fits(pattern, Array(repeating: name, count: 15).joined(separator: "/") + "/c"))
  }

  @Test(arguments: [
    ("a{b", "Files.glob: in the pattern 'a{b' a '{' has no '}' ('\\{' is the character itself)"),
    ("{a,{b}", "has no '}'"), ("[a", "in the pattern '[a' a '[' has no ']' ('\\[' is the character itself)"),
    ("[a/b]", "has no ']'"), ("[]", "has no ']'"), ("[z-a]", "the range 'z-a' is the wrong way round"),
    ("a\\", "nothing stands behind the last '\\'"), ("/a", "the first character is a slash; the option 'folder'"),
    ("../a", "a name is empty, '.' or '..'; the option 'folder' says"), ("a//b", "a name is empty"),
    ("a/", "a name is empty"), ("", "a name is empty"), ("a/./b", "'.'"),
    (String(repeating: "{", count: 33), "more than 32 '{' are within each other"),
    (String(repeating: "a", count: 70000), "the patterns are longer than 64 KB"),
  ])
  func mistakes(_ pattern: String, _ message: String) throws {
    let error = #expect(throws: BridgeError.self) { try fits(pattern, "a") }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  /// A folder of TypeScript, with what nobody wants.
  private static let tree = """
    for (const name of ['src/lib/deep', 'node_modules/a', '.git', 'src/.cache', 'docs']) await Files.makeDirectory(`${folder}/${name}`);
    for (const name of ['a.ts', 'src/b.ts', 'src/c.js', 'src/lib/d.ts', 'src/lib/deep/e.ts', 'src/.hidden.ts', 'src/.cache/f.ts', 'node_modules/a/g.ts', '.git/h.ts', 'docs/i.md'])
      await Files.writeText(`${folder}/${name}`, name);
    await Files.makeLink(`${folder}/link`, 'src');
    const glob = async (patterns, options) => { const all = []; for await (const { path } of Files.glob(patterns, { folder, ...options })) all.push(path); return all.join(' '); };

    """

  @Test(arguments: [
    ("['**/*.ts']", "a.ts node_modules/a/g.ts src/b.ts src/lib/d.ts src/lib/deep/e.ts"),
    ("['**/*.ts'], { ignore: ['node_modules', 'src/lib/*'] }", "a.ts src/b.ts"),
    ("['**/*.ts'], { ignore: ['**/[ad]*'] }", "src/b.ts"),
    (
      "['src/*', '*.ts', '**/*.ts']",
      "a.ts node_modules/a/g.ts src/b.ts src/c.js src/lib src/lib/d.ts src/lib/deep/e.ts"
    ),
    (
      "['**/*.ts'], { hidden: true, ignore: ['node_modules', '.git'] }",
      "a.ts src/.cache/f.ts src/.hidden.ts src/b.ts src/lib/d.ts src/lib/deep/e.ts"
    ),
    ("['.git/*', 'src/.*']", ".git/h.ts src/.cache src/.hidden.ts"), ("['*']", "a.ts docs link node_modules src"),
    ("['link/*']", ""), ("['l*']", "link"), ("[]", ""), ("['none/*']", ""),
    ("['*'], { folder: folder + '/src/' }", "b.ts c.js lib"),
    ("['src/{lib/,}*.{ts,js}']", "src/b.ts src/c.js src/lib/d.ts"),
  ])
  func treesAreSearched(_ arguments: String, _ paths: String) async throws {
    #expect(try await filesResult(of: Self.tree + "return glob(\(arguments));") == "\"\(paths)\"")
  }

  /// Not even read: nobody could.
  @Test func foldersThatCannotMatchAreNotEntered() async throws {
    let text = try await filesResult(
      of: Self.tree + """
        await Files.makeLink(`${folder}/loop`, 'loop');
        const before = await glob(['src/*.ts']);
        for (const name of ['node_modules', 'docs', 'src/lib']) { await Files.removeAll(`${folder}/${name}`); await Files.writeText(`${folder}/${name}`, ''); }
        return [before, await glob(['src/*.ts']), await glob(['docs/**', 'loop/**', 'a.ts/*'])];
        """)
    #expect(text == #"["src/b.ts","src/b.ts",""]"#)
  }

  @Test func onlyFoldersThatMayMatchAreRead() throws {
    let wanted = try GlobPattern(["src/**/x/*.ts", "a/b"], findsHidden: false)
    var selection = FileTree.Selection(
      wanted: wanted, ignored: try GlobPattern(["**/out", "src/gen/**"], findsHidden: true))
    func enters(_ path: String) -> Bool {
      var progress = selection.start
      for name in path.split(separator: "/") {
        guard let below = selection.choose(String(name), progress).below else { return false }
        progress = below
      }
      return true
    }
    #expect(["src", "src/y", "src/x", "src/y/z/x", "a"].allSatisfy(enters))
    #expect(!["docs", "b", "a/b", "a/c", "src/out", "src/y/out", "src/.git", "sr"].contains(where: enters))
  }

  @Test(arguments: [
    ("Files.glob('*.ts')", "ERR_ARGUMENT Files.glob, argument 1 'patterns': expected array, got string"),
    ("Files.glob(['a{'])", "ERR_ARGUMENT Files.glob: in the pattern 'a{' a '{' has no '}'"),
    ("Files.glob(['*'], { ignore: ['[']})", "ERR_ARGUMENT Files.glob: in the pattern '[' a '[' has no ']'"),
    ("Files.glob(['*'], { folder: folder + '/none' })", "ERR_NOT_FOUND F/none: No such file or directory"),
    ("Files.glob(['*'], { folder: folder + '/a' })", "ERR_NOT_DIRECTORY F/a: Not a directory"),
    ("Files.glob(['*'], { folder: 'a\\0' })", "a path has no NUL character"),
  ])
  func whatCannotBeSearchedIsSaid(_ call: String, _ message: String) async throws {
    let text = try await filesResult(
      of: """
        await Files.writeText(folder + '/a', '');
        return \(call).then(() => 'done', (error) => `${error.code} ${error.message.replaceAll(folder, 'F')}`);
        """)
    #expect(text.contains(message), "\(text)")
  }

  /// What fits nothing in a tree that has no end holds nobody up: the loop may be left, and the bridge closed.
  @Test func aSearchThatFindsNothingEndsWithTheBridge() async throws {
    let text = try await filesResult(
      of: """
        const search = await Files.glob(['**/no such name'], { folder: '/proc', hidden: true });
        search.next().catch(() => {});
        return search.return(1);
        """)
    #expect(text == #"{"value":1,"done":true}"#)
  }
}
