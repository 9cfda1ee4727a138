import CLinux
import EventLoop
import Foundation
import TestSupport
import Testing
import Trestle

@testable import TrestleModules

/// Whatever leads out of what is granted.
@Suite struct PlaceTests {
  let folder: PermittedFolder

  init() throws { folder = try PermittedFolder() }

  private var open: Permissions.Grant { .only([folder.path + "/open"]) }

  @Test(arguments: [
    "/secret/file", "/open/../secret/file", "/open/./../secret/./file", "/open/out/file", "/open/file-out",
    "/open/chain",
    "/open/absolute/file", "/openfile", "/open/out/nothing", "/open/out/nothing/there", "/secret/file/", "/open/out/",
    "/open/dangling",
  ])
  func nothingIsToldOfWhatLiesElsewhere(_ path: String) async throws {
    try folder.link("open/out", to: "../secret")
    try folder.link("open/file-out", to: "../secret/file")
    try folder.link("open/chain", to: "file-out")
    try folder.link("open/absolute", to: folder.path + "/secret")
    try folder.link("open/dangling", to: "../secret/none")
    let text = try await folder.result(
      of: """
        const told = [], path = folder + '\(path)';
        for (const call of [
          () => Files.readText(path), () => Files.stat(path), () => Files.exists(path), () => Files.realPath(path), () => Files.list(path),
          () => Files.writeText(path, 'x'), () => Files.replaceText(path, 'x'), () => Files.setPermissions(path, 0o777), () => Files.setModified(path, 0),
          () => Files.open(path, { mode: 'append' }), () => (async () => { for await (const x of Files.walk(path)); })(),
          () => (async () => { for await (const x of Files.watch(path)) break; })(), () => Files.copy(path + '/x', folder + '/open/copy'),
        ]) {
          try { await call(); told.push('done'); } catch ({ code, message }) {
            if (code !== 'ERR_PERMISSION' && !(path.endsWith('/out/') && code === 'ERR_NOT_DIRECTORY')) told.push(`${call}: ${code} ${message}`);
          }
        }
        return told;
        """, Permissions(read: open, write: open))
    #expect(text == "[]")
    #expect(try folder.text("secret/file") == "text of secret/file\n")
  }

  /// What lies only on the way to what is granted: the answer is the same be it there or not.
  @Test(arguments: [
    "/secret/../open/file", "/none/../open/file", "/secret/dir/../../open/file", "/secret/none/../../open/file",
    "/secret/file/../../open/file", "/secret/to-open/file", "/secret/to-none/file", "/to-open/file",
  ])
  func aWayThroughWhatIsNotGrantedIsRefused(_ path: String) async throws {
    try folder.link("secret/to-open", to: "../open")
    try folder.link("to-open", to: "open")
    let text = try await folder.result(
      of: """
        const told = [], path = folder + '\(path)';
        for (const call of [() => Files.readText(path), () => Files.exists(path), () => Files.realPath(path), () => Files.writeText(path, 'x')])
          told.push(await call().then(() => 'done', ({ code }) => code));
        return [...new Set(told)];
        """, Permissions(read: open, write: open))
    #expect(text == #"["ERR_PERMISSION"]"#)
  }

  @Test func theTopmostFolderIsWithoutWhatTellsOfTheProcess() async throws {
    let text = try await folder.result(
      of: """
        const told = [];
        for (const path of ['/proc/self/environ', '/proc', '/sys', folder + '/open/file'])
          told.push(await Files.exists(path).catch(({ code }) => code));
        return told;
        """, Permissions(read: .only(["/"])))
    #expect(text == #"["ERR_PERMISSION","ERR_PERMISSION","ERR_PERMISSION",true]"#)
  }

  @Test func linksWithinWhatIsGrantedAreFollowed() async throws {
    try folder.link("open/link", to: "./../open/file")
    try folder.link("open/to-open", to: "../open")
    let text = try await folder.result(
      of: """
        await Files.writeText(folder + '/open/link', 'a'); await Files.replaceText(folder + '/open/link', 'ab');
        await Files.makeDirectory(folder + '/open/x/y/z'); await Files.makeDirectory(folder + '/open/x');
        await Files.removeAll(folder + '/open/none/at/all'); await Files.removeAll(folder + '/open/x/y/');
        return [await Files.readText(folder + '/open/to-open/file'), await Files.realPath(folder + '/open/link'), await Files.list(folder + '/open/'),
          (await Files.linkStatus(folder + '/open/link')).kind, await Files.list(folder + '/open/x/.'), await Files.exists(folder + '/open/none/x')];
        """, Permissions(read: open, write: open))
    #expect(text == #"["ab","\#(folder.path)/open/file",["file","link","to-open","x"],"link",[],false]"#)
  }

  @Test(arguments: [
    ("read", "read", ""), ("write", "write", ""), ("append", "write", ""), ("readWrite", "read", "write"),
    ("new", "read", "write"),
  ])
  func filesThatAreOpenedNeedWhatTheirModeDoes(_ mode: String, _ first: String, _ second: String) async throws {
    for granted in [[], ["read"], ["write"], ["read", "write"]] {
      let secret = Permissions.Grant.only([folder.path + "/secret"])
      let text = try await folder.result(
        of: """
          const file = await Files.open(folder + '/secret/\(mode == "new" ? "new-\(granted.count)" : "file")', { mode: '\(mode)' });
          await file.close();
          """,
        Permissions(read: granted.contains("read") ? secret : .none, write: granted.contains("write") ? secret : .none))
      let isAllowed = [first, second].allSatisfy { $0.isEmpty || granted.contains($0) }
      #expect(
        (text == "undefined") == isAllowed && (isAllowed || text.hasPrefix("ERR_PERMISSION")), "\(granted) \(text)")
    }
  }

  @Test func whatTellsOfTheProcessIsGrantedByItsName() async throws {
    let body = """
      const told = [];
      for (const path of ['/proc/self/environ', '/proc/self/root/etc/hostname', '/proc/self/cwd', '/dev/fd/0', '/sys'])
        told.push(await Files.stat(path).then(({ kind }) => kind, ({ code }) => code));
      for await (const { path } of Files.walk('/')) if (path.startsWith('proc/')) { told.push(path); break; } else if (path > 'proc0') break;
      return told;
      """
    let text = try await folder.result(of: body, Permissions(read: .all))
    #expect(text.hasPrefix(#"["ERR_PERMISSION""#) && !text.contains(#""proc/"#), "\(text)")
    #expect(!text.dropLast(1).split(separator: ",")[4].contains("directory"), "\(text)")
    let named = try await folder.result(
      of: "return (await Files.readText('/proc/self/comm')).length > 0", Permissions(read: .only(["/proc"])))
    #expect(named == "true")
  }

  @Test func temporaryDirectoriesAreMadeWhereOneMayWrite() async throws {
    let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    let refused = try await folder.result(
      of: "return await Files.makeTemporaryDirectory()", Permissions(read: .all, write: open))
    #expect(refused.hasPrefix("ERR_PERMISSION: writing "))
    if getenv("TMPDIR") != nil { #expect(refused.hasPrefix("ERR_PERMISSION: writing $TMPDIR ")) }
    let made = try await folder.result(
      of: "const made = await Files.makeTemporaryDirectory(); await Files.writeText(made + '/a', 'b'); return true",
      Permissions(write: .only([place])))
    #expect(made == "true")
  }

  @Test func whoIsAskedMayGrantIt() async throws {
    var permissions = Permissions(read: open)
    let asked = Lock<[String]>([])
    permissions.onRefusal = { request in
      asked.withLock { $0.append(request.words) }
      return request.kind == .read
    }
    try folder.link("open/out", to: "../secret")
    let text = try await folder.result(
      of: """
        const text = await Files.readText(folder + '/open/out/file'), other = await Files.readText(folder + '/secret/file');
        return [text === other, await Files.writeText(folder + '/secret/file', '').catch(({ code }) => code)];
        """, permissions)
    #expect(text == #"[true,"ERR_PERMISSION"]"#)
    #expect(asked.withLock { $0 } == ["reading \(folder.path)/secret/file", "writing \(folder.path)/secret/file"])
  }

  /// Whatever a path has on its way: a script has what it would have without permissions, or is refused.
  @Test(arguments: 1...3) func permissionsChangeNothingElse(_ seed: UInt64) async throws {
    var generator = MessageMutator(seed: seed)
    let names = ["a", "b", "open", "l1", "l2", "l3", "file", "none", "..", ".", ""]
    func path(atMost count: Int) -> String {
      (0..<Int.random(in: 1...count, using: &generator)).map { _ in names.randomElement(using: &generator) ?? "" }
        .joined(separator: "/")
    }
    for folderName in ["", "/a", "/a/b", "/open", "/open/a", "/open/a/b", "/open/b"] {
      let place = folder.path + folderName
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data("text of \(place)".utf8).write(to: URL(fileURLWithPath: place + "/file"))
      for name in ["l1", "l2", "l3"] {
        let target = path(atMost: 4)
        _ = symlink(Bool.random(using: &generator) ? folder.path + "/" + target : "./" + target, place + "/" + name)
      }
    }
    let paths = (0..<300).map { n in
      folder.path + (n % 2 == 0 ? "/open/" : "/") + path(atMost: 5) + (n % 5 == 0 ? "/" : "")
    }
    let list = try #require(String(data: JSONEncoder().encode(paths), encoding: .utf8))
    let body = """
      const all = [], tell = (call) => call().then((value) => value ?? null, ({ code }) => code);
      for (const path of \(list)) all.push(await Promise.all([
        () => Files.realPath(path), () => Files.exists(path), () => Files.readText(path), () => Files.stat(path).then(({ kind }) => kind),
        () => Files.linkStatus(path).then(({ kind }) => kind), () => Files.linkTarget(path), () => Files.list(path).then(String),
      ].map(tell)));
      return all.map((results) => results.map(String));
      """
    func results(_ permissions: Permissions) async throws -> [[String]] {
      try JSONDecoder().decode(
        [[String]].self, from: Data(try await folder.result(of: body, permissions).utf8))
    }
    let (free, bound) = (try await results(.all), try await results(Permissions(read: open)))
    var told = 0
    for (path, results) in zip(paths, zip(free, bound)) {
      for (free, bound) in zip(results.0, results.1) where bound != "ERR_PERMISSION" {
        #expect(bound == free, "\(path)")
      }
      guard results.1[0].hasPrefix("/") || results.1[1] == "true" else { continue }
      told += 1
      #expect(results.0[0] == folder.path + "/open" || results.0[0].hasPrefix(folder.path + "/open/"), "\(path)")
    }
    #expect(told > 5)
  }

  /// A thread that puts links in the place of folders and files, as often as they are looked at.
  @Test func linksThatComeAndGoLeadNowhere() async throws {
    let (root, isOver) = (folder.path, Lock(false))
    #expect(mkdir(root + "/open/turning", 0o700) == 0 && mkdir(root + "/open/safe", 0o700) == 0)
    try Data("safe".utf8).write(to: URL(fileURLWithPath: root + "/open/safe/file"))
    #expect(symlink("../secret", root + "/open/out") == 0 && symlink("../../secret/file", root + "/open/safe/out") == 0)
    let thread = Thread {
      // Both change places in one step each.
      while !isOver.withLock({ $0 }) {
        exchange(root + "/open/safe", root + "/open/out")
        exchange(root + "/open/safe/file", root + "/open/safe/out")
      }
    }
    thread.start()
    let before = try folder.content(of: "secret")
    let text = try await folder.result(
      of: """
        const told = new Set(), ends = { done: 0, refused: 0 };
        const calls = [
          (path) => Files.readText(path), (path) => Files.replaceText(path, 'safe'), (path) => Files.appendText(path, ''), (path) => Files.setPermissions(path, 0o640),
          (path) => Files.setModified(path, 1e12), (path) => Files.copy(path, folder + '/open/copy').then(() => Files.readText(folder + '/open/copy')),
          (path) => Files.list(path.slice(0, -5)).then((names) => names.includes('dir') ? 'text of ' : ''), (path) => Files.stat(path).then(({ size, kind }) => size > 5 && kind !== 'link' ? 'text of ' : ''),
          async (path) => { let all = ''; for await (const { path: one } of Files.walk(folder + '/open')) if (/below|dir/.test(one)) all = 'text of '; return all; },
          async (path) => { const db = await SQLite.open(path + '.db'); await db.exec('CREATE TABLE IF NOT EXISTS t (a)'); await db.close(); },
          (path) => Files.removeAll(path.slice(0, -5) + '/dir'), (path) => Files.makeDirectory(path.slice(0, -5) + '/made'), (path) => Files.rename(path + '.db', path + '.old'),
        ];
        for (let n = 0; n < 40; n++) for (const call of calls) {
          await Files.removeAll(folder + '/open/copy');
          try {
            const text = await call(folder + '/open/safe/file');
            ends.done++;
            if (`${text}`.startsWith('text of ')) told.add(`${call}`);
          } catch { ends.refused++; }
        }
        return [[...told], ends.done > 0, ends.refused > 0];
        """, Permissions(read: open, write: open), .files + .sqlite)
    isOver.withLock { $0 = true }
    while !thread.isFinished { try await Task.sleep(for: .milliseconds(1)) }
    #expect(text == "[[],true,true]")
    // Whatever is at the path now.
    let secret = FileManager.default.fileExists(atPath: root + "/secret/dir")
    #expect(secret)
    #expect(try folder.content(of: "secret") == before)
  }
}

extension PlaceTests {
  /// A stream that goes on for long meets what has become of the way to its folder.
  @Test func streamsThatGoOnTellNothingElse() async throws {
    let root = folder.path
    #expect(mkdir(root + "/open/a", 0o700) == 0 && mkdir(root + "/open/a/b", 0o700) == 0)
    for name in ["x", "y"] { try Data().write(to: URL(fileURLWithPath: "\(root)/open/a/b/\(name)")) }
    #expect(mkdir(root + "/secret/b", 0o700) == 0 && symlink("../secret", root + "/open/link") == 0)
    try Data().write(to: URL(fileURLWithPath: root + "/secret/b/hidden"))
    // Scripts move no links.
    let thread = Thread {
      while access(root + "/open/ready", F_OK) != 0 { usleep(1000) }
      rename(root + "/open/a", root + "/open/c")
      rename(root + "/open/link", root + "/open/a")
      _ = mkdir(root + "/open/done", 0o700)
    }
    thread.start()
    let text = try await folder.result(
      of: """
        const told = [];
        const walk = Files.walk(folder + '/open')[Symbol.asyncIterator]();
        for (let n = 0; n < 2; n++) told.push((await walk.next()).value.path);
        const changes = (await Files.watch(folder + '/open/a', { recursive: true }))[Symbol.asyncIterator]();
        await Files.writeText(folder + '/open/ready', '');
        while (!await Files.exists(folder + '/open/done')) ;
        for (;;) { const { done, value } = await walk.next(); if (done) break; told.push(value.path); }
        for (const next of [await changes.next(), await changes.next()]) told.push(next.done ? 'end' : next.value.kind + next.value.path);
        return told;
        """,
      Permissions(read: .only([root + "/open"]), write: .only([root + "/open"])))
    #expect(!text.contains("hidden") && !text.contains("dir") && text.hasPrefix(#"["a","a/b""#), "\(text)")
  }
}

private func exchange(_ path: String, _ other: String) {
  renameat2(AT_FDCWD, path, AT_FDCWD, other, 2)  // RENAME_EXCHANGE
}
