import EventLoop
import Foundation
import Testing
import Trestle

@testable import TrestleModules

@Suite struct FilesTests {
  @Test func textIsWrittenAppendedAndRead() async throws {
    let text = try await filesResult(
      of: """
        const path = folder + '/a.txt';
        await Files.writeText(path, 'long text'); await Files.writeText(path, 'ä€😀\\n'); await Files.appendText(path, 'b');
        return [await Files.readText(path), (await Files.stat(path)).size, await Files.exists(path)];
        """)
    #expect(text == #"["ä€😀\nb",11,true]"#)
  }

  /// UTF-8 has no such halves: with something else in their place two names would be one file, and a text another.
  @Test func halvesOfSurrogatePairsAreRefused() async throws {
    let text = try await filesResult(
      of: """
        const half = '\\ud800', long = 'x'.repeat(100000), told = [];
        for (const call of [
          () => Files.writeText(folder + '/a' + half, ''), () => Files.writeText(folder + '/a', half), () => Files.writeText(folder + '/a', long + half),
          () => Files.rename(folder + '/a', folder + half), () => Files.glob(['*'], { folder: folder + half }), () => Files.makeLink(folder + '/l', half),
        ]) await call().then(() => told.push('taken'), error => told.push(error.code, error.message.match(/'.*?'/)[0]));
        await Files.writeText(folder + '/b', long + '😀');
        return [told, await Files.list(folder), (await Files.readText(folder + '/b')) === long + '😀'];
        """)
    let refused = ["path", "text", "text", "newPath", "options.folder", "target"].map { #""ERR_ARGUMENT","'\#($0)'""# }
    #expect(text == #"[[\#(refused.joined(separator: ","))],["b"],true]"#)
  }

  @Test func messagesHaveAMegabyteAtMost() async throws {
    let text = try await filesResult(
      of: "return await Files.readText('x'.repeat(3e6)).catch(({ message }) => [message.length, message.at(-1)]);")
    #expect(text == "[1048577,\"…\"]")
  }

  @Test func linesComeOneByOne() async throws {
    let text = try await filesResult(
      of: """
        const path = folder + '/lines', long = '€'.repeat(100000);
        const read = async text => {
          await Files.writeText(path, text);
          const lines = [];
          for await (const line of await Files.lines(path)) lines.push(line === long ? 'long' : line);
          return lines;
        };
        return [await read(''), await read('a'), await read('a\\n'), await read('\\na\\r\\n\\r\\nb\\r'),
          await read(long + '\\n' + long), (await read('x\\n'.repeat(10000))).length];
        """)
    #expect(text == #"[[],["a"],["a"],["","a","","b\r"],["long","long"],10000]"#)
  }

  /// More of them than there are threads: everybody else goes on, and what waits can be cancelled.
  @Test func filesThatMakeTheirReaderWaitHoldNobodyUp() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let text = try await filesResult(
      of: """
        const fifo = '\(path)', all = [];
        for (let i = 0; i < 100; i++) all.push(Files.lines(fifo).then(lines => lines.next()));
        const controller = new AbortController, aborted = Files.readText(fifo, { signal: controller.signal });
        await Files.writeText(folder + '/a', 'x\\ny\\n');
        const read = [];
        for await (const line of await Files.lines(folder + '/a')) read.push(line);
        controller.abort();
        read.push(await aborted.catch(error => error.name));
        await Files.writeText(fifo, 'z\\n');
        // One of them has the line; all others come to the end of the pipe, maybe before it.
        read.push(await Promise.any(all.map(async next => { const { value, done } = await next; if (done) throw null; return value; })));
        return read;
        """)
    #expect(text == #"["x","y","AbortError","z"]"#)
  }

  @Test func aPipeThatNobodyReadsIsAnErrorOfTheWriter() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    #expect(try await filesResult(of: "await Files.writeText('\(path)', 'x')") == "\(path): No such device or address")
  }

  /// Also where the pipe is full, when the kernel tells of an error and of nothing else; and where it is not, when it sends a signal
  /// that ends processes.
  @Test func aPipeWhoseReaderLeavesIsAnErrorOfTheWriter() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let text = try await filesResult(
      of: """
        const fifo = '\(path)', text = ('x'.repeat(1000) + '\\n').repeat(1000), outcomes = new Set;
        for (let count = 0; count < 200; count += 10) {
          const lines = await Files.lines(fifo), first = lines.next();
          const written = Files.writeText(fifo, text).catch(error => error.message);
          await first;
          for (let i = 0; i < count; i++) await lines.next();
          await lines.return();
          outcomes.add(await written);
        }
        return [...outcomes];
        """)
    #expect(text == #"["\#(path): Broken pipe"]"#)
  }

  @Test func aLoopOverLinesMayBeLeft() async throws {
    let text = try await filesResult(
      of: """
        await Files.writeText(folder + '/a', 'one\\ntwo\\nthree\\n');
        for await (const line of await Files.lines(folder + '/a')) if (line === 'two') return [line];
        """)
    #expect(text == #"["two"]"#)
  }

  @Test func linesThatAreNoTextEndTheLoop() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    try Data([97, 10, 98, 10, 255, 10, 99]).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = try await filesResult(
      of: """
        const seen = [];
        try { for await (const line of await Files.lines('\(path)')) seen.push(line); } catch (error) { seen.push(error.code, error.message); }
        return seen;
        """)
    #expect(text == #"["a","b","ERR_NOT_TEXT","\#(path): not UTF-8 text"]"#)
  }

  /// Calls to one module start in the order they were made, so writing need not be awaited before reading.
  @Test func callsKeepTheirOrder() async throws {
    let text = try await filesResult(
      of: """
        const path = folder + '/a'; let last;
        for (let i = 0; i < 100; i++) { Files.writeText(path, String(i)); last = Files.readText(path); }
        return [await last];
        """)
    #expect(text == #"["99"]"#)
  }

  /// One is over before the next begins, also when they come in batches of their own.
  @Test func writersDoNotOvertakeEachOther() async throws {
    let text = try await filesResult(
      of: """
        const path = folder + '/log', word = 'abcdefghijklmnopqrst', wrong = [];
        for (let round = 0; round < 300; round++) {
          for (const letter of word) { Files.appendText(path, letter); if (round % 2) trestle.flush(); }
          const text = await Files.readText(path);
          if (text !== word) wrong.push(text);
          await Files.remove(path);
        }
        return wrong;
        """)
    #expect(text == "[]")
  }

  @Test func directories() async throws {
    let text = try await filesResult(
      of: """
        await Files.makeDirectory(folder + '/b/c'); await Files.makeDirectory(folder + '/b/c/');
        await Files.writeText(folder + '/a', ''); await Files.rename(folder + '/a', folder + '/b/z');
        const names = [await Files.list(folder), await Files.list(folder + '/b')];
        await Files.remove(folder + '/b/c'); await Files.remove(folder + '/b/z');
        return [...names, await Files.list(folder + '/b'), (await Files.stat(folder)).kind];
        """)
    #expect(text == #"[["b"],["c","z"],[],"directory"]"#)
  }

  /// A slash is one whatever stands behind it.
  @Test func directoriesWhoseNamesBeginWithAMark() async throws {
    let text = try await filesResult(
      of: "await Files.makeDirectory(folder + '/a/\\u0301b'); return (await Files.list(folder + '/a')).length;")
    #expect(text == "1")
  }

  @Test(arguments: [
    ("await Files.readText(folder + '/none')", "/none: No such file or directory"),
    ("await Files.lines(folder + '/none')", "/none: No such file or directory"),
    ("await Files.list(folder + '/none')", "/none: No such file or directory"),
    ("await Files.stat(folder + '/none')", "/none: No such file or directory"),
    ("await Files.remove(folder + '/none')", "/none: No such file or directory"),
    ("await Files.readText(folder)", ": Is a directory"),
    ("await Files.writeText(folder, 'x')", ": Is a directory"),
    ("await Files.writeText(folder + '/a', ''); await Files.makeDirectory(folder + '/a')", "/a: File exists"),
    ("await Files.makeDirectory(folder + '/d/e'); await Files.remove(folder + '/d')", "/d: Directory not empty"),
    ("await Files.readText('/proc/self/exe')", "not UTF-8 text"),
  ])
  func failures(_ body: String, _ message: String) async throws {
    let text = try await filesResult(of: body)
    #expect(text.hasSuffix(message), "\(text)")
  }

  @Test func notThereUnlessGranted() async throws {
    let bridge = try await ModuleBridge(.files)
    #expect(try await bridge.bridge.evaluate("String(NativeModules.Files)", as: String.self) == "undefined")
    await bridge.bridge.close()
  }

  /// The system would take it for the path before it.
  @Test(arguments: [
    "readText(path)", "writeText(path, 'x')", "appendText(path, 'x')", "list(path)", "stat(path)", "exists(path)",
    "makeDirectory(path)", "remove(path)", "rename(path, 'x')", "rename(folder, path)", "lines(path).then(() => {})",
  ])
  func pathsWithNUL(_ call: String) async throws {
    let text = try await filesResult(
      of: """
        const path = folder + '/x\\0.png';
        const outcome = await Files.\(call).then(() => 'done', (error) => error.code);
        return [outcome, await Files.list(folder)];
        """)
    #expect(text == #"["ERR_ARGUMENT",[]]"#)
  }

  @Test func bytesAreWrittenReadAndReplaced() async throws {
    let text = try await filesResult(
      of: """
        const path = folder + '/b', all = new Uint8Array(300000).map((_, i) => i * 7);
        await Files.writeBytes(path, all.subarray(0, 1000)); await Files.appendBytes(path, all.subarray(1000));
        const read = await Files.readBytes(path), same = bytes => bytes.length === all.length && bytes.every((byte, i) => byte === all[i]);
        let chunks = 0, length = 0;
        for await (const chunk of Files.bytes(path)) { chunks++; length += chunk.length; }
        await Files.setPermissions(path, 0o640); await Files.makeLink(folder + '/l', 'b');
        await Files.replaceText(folder + '/l', 'new ä'); await Files.replaceBytes(folder + '/c', new Uint8Array([0, 255]));
        return [read instanceof Uint8Array, same(read), chunks > 1, length, await Files.readText(path), (await Files.stat(path)).permissions.toString(8),
          (await Files.linkStatus(folder + '/l')).kind, await Files.linkTarget(folder + '/l'), [...await Files.readBytes(folder + '/c')],
          (await Files.realPath(folder + '/l')).endsWith('/b'), await Files.list(folder)];
        """)
    #expect(text == #"[true,true,true,300000,"new ä","640","link","b",[0,255],true,["b","c","l"]]"#)
  }

  @Test func treesAreWalkedCopiedAndRemoved() async throws {
    let text = try await filesResult(
      of: """
        const tree = folder + '/tree';
        await Files.makeDirectory(tree + '/a/b'); await Files.makeDirectory(tree + '/empty');
        await Files.writeText(tree + '/a/b/x', 'x'); await Files.writeText(tree + '/z', 'zz'); await Files.writeText(folder + '/kept', 'kept');
        await Files.makeLink(tree + '/out', folder); await Files.makeLink(tree + '/gone', 'nowhere');
        await Files.setModified(tree + '/z', 1234567890123); await Files.setPermissions(tree + '/a', 0o700);
        const walk = async path => { const all = []; for await (const { path: at, kind, size } of Files.walk(path)) all.push(`${at} ${kind[0]}${kind === 'file' ? size : ''}`); return all; };
        const before = await walk(tree);
        await Files.copy(tree, tree + '/copy');
        const copied = await walk(tree + '/copy'), { modified, permissions } = await Files.stat(tree + '/copy/z');
        await Files.removeAll(tree + '/out'); await Files.removeAll(tree); await Files.removeAll(tree);
        return [before, JSON.stringify(copied) === JSON.stringify(before), modified, permissions & 0o600, await Files.exists(tree), await Files.list(folder)];
        """)
    #expect(
      text
        == #"[["a d","a/b d","a/b/x f1","empty d","gone l","out l","z f2"],true,1234567890123,384,false,["kept"]]"#)
  }

  @Test(arguments: [
    ("Files.copy(folder + '/a', folder + '/b')", "F/b: File exists"),
    ("Files.copy(folder, folder + '/c').then(() => Files.list(folder + '/c'))", #"["a","b"]"#),
    ("Files.copy(folder + '/none', folder + '/c')", "F/none: No such file or directory"),
    ("Files.copy('/dev/null', folder + '/c')", "/dev/null: neither a file, a folder nor a link"),
    ("Files.copy(folder + '/a', folder + '/none/c')", "F/none/c: No such file or directory"),
    ("Files.replaceText(folder, 'x')", "F: Is a directory"),
    ("Files.replaceText(folder + '/none/c', 'x')", "F/none/c: No such file or directory"),
    ("Files.replaceText(folder + '/a/', 'x')", "F/a/: Not a directory"),
    ("Files.readBytes(folder + '/none')", "F/none: No such file or directory"),
    ("Files.walk(folder + '/a')", "F/a: Not a directory"),
    ("Files.linkTarget(folder + '/a')", "F/a: Invalid argument"),
    ("Files.makeLink(folder + '/a', 'b')", "F/a: File exists"),
    ("Files.setPermissions(folder + '/a', 0o10000)", "permissions are 0 to 0o7777, got 4096"),
    ("Files.setModified(folder + '/a', NaN)", "no time that a file can have"),
    ("Files.setModified(folder + '/a', -8e15)", "F/a: no time that its file system can keep"),
    ("Files.removeAll('/proc/self/status')", "Operation not permitted"),
    ("Files.open('/proc/self/mem')", "the memory of a process"),
    ("Files.writeText('/proc/self/task/../mem', 'a')", "the memory of a process"),
  ])
  func whatCannotBeDoneIsSaid(_ call: String, _ outcome: String) async throws {
    let text = try await filesResult(
      of: """
        await Files.writeText(folder + '/a', 'a'); await Files.writeText(folder + '/b', 'b');
        const value = await (\(call)).catch(error => error.message.replaceAll(folder, 'F'));
        return [value, (await Files.list(folder)).filter(name => name.startsWith('.'))];
        """)
    #expect(text.contains(outcome.replacing("\"", with: outcome.hasPrefix("[") ? "\"" : "\\\"")), "\(text)")
    // Nothing half written is left.
    #expect(text.hasSuffix(",[]]"), "\(text)")
  }

  /// A link that has a slash behind it would lead on.
  @Test(arguments: ["/d/..", "/d/.", "/d/./", "/d/../", "/d/sub/..//", "/..", "/link/", "/link/.", "/d/x/"])
  func whatCannotBeRemovedItselfKeepsWhatIsInIt(_ path: String) async throws {
    let text = try await filesResult(
      of: """
        await Files.makeDirectory(folder + '/d/sub'); await Files.writeText(folder + '/d/x', ''); await Files.makeLink(folder + '/link', 'd');
        const failure = await Files.removeAll(folder + '\(path)').then(() => 'removed', error => error.code);
        return [failure, await Files.list(folder + '/d'), await Files.list(folder)];
        """)
    let code = ["/link/", "/d/x/"].contains(path) ? "ERR_NOT_DIRECTORY" : "ERR_ARGUMENT"
    #expect(text == #"["\#(code)",["sub","x"],["d","link"]]"#)
  }

  @Test func aFolderIsRemovedAlsoWithASlashBehindIt() async throws {
    let text = try await filesResult(
      of: """
        await Files.makeDirectory(folder + '/d/sub'); await Files.removeAll(folder + '/d//'); await Files.removeAll(folder + '/none/');
        return Files.list(folder);
        """)
    #expect(text == "[]")
  }

  /// Zeros that take no room: at the start, between, at the end, and nothing else.
  @Test func aCopyKeepsHoles() async throws {
    var areSparse = false
    let text = try await filesResult(
      of: """
        const size = 2 ** 26, bytes = new Uint8Array(70000).fill(7), same = [];
        for (const [name, places] of [['a', []], ['b', [0]], ['c', [size / 2, size / 2 + 2 ** 20]], ['d', [size - bytes.length]]]) {
          const path = folder + '/' + name, file = await Files.open(path, { mode: 'new' });
          for (const place of places) await file.write(place, bytes);
          await file.truncate(size);
          await Files.copy(path, path + 2);
          const copy = await Files.open(path + 2), seen = [await copy.size()];
          for (const place of places) seen.push((await copy.read(place, bytes.length)).every(byte => byte === 7));
          if (places.length > 0) seen.push((await copy.read(places[0] === 0 ? bytes.length : places[0] - 10, 10)).every(byte => byte === 0));
          await file.close(); await copy.close();
          same.push(seen.slice(1).every(Boolean) && seen[0] === size);
        }
        return same;
        """
    ) { folder in
      var (status, copied) = (stat(), stat())
      areSparse = ["a", "b", "c", "d"].allSatisfy {
        stat("\(folder)/\($0)", &status) == 0 && stat("\(folder)/\($0)2", &copied) == 0
          && (copied.st_blocks <= status.st_blocks + 512)
      }
    }
    #expect(text == "[true,true,true,true]" && areSparse)
  }

  /// The length of some is known to nobody.
  @Test func filesOfTheSystemAreCopiedWhole() async throws {
    let text = try await filesResult(
      of: """
        const same = [];
        for (const path of ['/proc/version', '/proc/self/environ', '/sys/kernel/mm/transparent_hugepage/enabled', '/etc/passwd']) {
          if (!await Files.exists(path)) continue;
          await Files.copy(path, folder + '/a');
          same.push(await Files.readText(path) === await Files.readText(folder + '/a'));
          await Files.removeAll(folder + '/a');
        }
        return same.every(Boolean);
        """)
    #expect(text == "true")
  }

  /// What is copied or removed is more than is done in one go.
  @Test func longCopiesAndRemovalsHoldNobodyUp() async throws {
    let text = try await filesResult(
      of: """
        const seen = [], tell = what => () => seen.push(what);
        await Files.makeDirectory(folder + '/many');
        for (let i = 0; i < 1000; i++) Files.writeText(`${folder}/many/${i}`, '');
        const file = await Files.open(folder + '/long', { mode: 'new' });
        for (let i = 0; i < 3; i++) await file.write(i << 24, new Uint8Array(1 << 24).fill(1));
        for (const call of [() => Files.copy(folder + '/many', folder + '/many2'), () => Files.copy(folder + '/long', folder + '/long2'), () => Files.removeAll(folder + '/many')]) {
          await Promise.all([call().then(tell('all')), Files.exists(folder).then(tell('first'))]);
        }
        return [seen, (await Files.list(folder + '/many2')).length, (await Files.stat(folder + '/long2')).size === 3 << 24, await Files.exists(folder + '/many')];
        """)
    #expect(text == #"[["first","all","first","all","first","all"],1000,true,false]"#)
  }

  // MARK: Rights

  /// Nobody gets more than he had where a file comes to belong to others, and nothing runs as somebody else.
  @Test(arguments: [
    (0o4755, 1, 1, 0o4755), (0o6755, 2, 1, 0o755), (0o6755, 1, 2, 0o755), (0o6777, 2, 2, 0o777), (0o1777, 2, 2, 0o1777),
    (0o640, 2, 1, 0o640), (0o640, 1, 2, 0o600), (0o664, 1, 2, 0o644), (0o604, 2, 2, 0o604),
  ])
  func ofOthersFilesTheRightsThatAreLeftAreKept(_ before: Int, _ owner: Int, _ group: Int, _ left: Int) {
    let rights = FileRights(owner: 1, group: 1, permissions: mode_t(before))
    #expect(rights.permissions(withOwner: uid_t(owner), group: gid_t(group)) == mode_t(left))
  }

  private func rights(_ path: String) -> FileRights? {
    var status = stat()
    return lstat(path, &status) == 0 ? FileRights(status) : nil
  }

  /// Of a file, a folder and a link that are another user's.
  @Test(.enabled(if: geteuid() == 0)) func whatIsAnotherUsersStaysHis() async throws {
    let paths = ["a", "c", "tree", "tree/a", "tree/link", "copy", "copy/a", "copy/link"]
    var found: [FileRights?] = []
    _ = try await filesResult(
      of: """
        await Files.makeDirectory(folder + '/tree'); await Files.makeLink(folder + '/tree/link', 'a');
        for (const path of ['/a', '/tree/a']) await Files.writeText(folder + path, 'x');
        return 1;
        """
    ) { folder in
      for path in ["a", "tree", "tree/a", "tree/link"] { #expect(lchown("\(folder)/\(path)", 12345, 54321) == 0) }
      for path in ["a", "tree", "tree/a"] { #expect(chmod("\(folder)/\(path)", 0o6750) == 0) }
      let text = try await filesResult(
        of: """
          await Files.copy('\(folder)/a', '\(folder)/c'); await Files.copy('\(folder)/tree', '\(folder)/copy');
          await Files.replaceText('\(folder)/a', 'new'); await Files.replaceBytes('\(folder)/tree/a', new Uint8Array(1));
          return 1;
          """)
      #expect(text == "1")
      found = paths.map { rights("\(folder)/\($0)") }
    }
    for (path, found) in zip(paths, found) {
      let permissions: mode_t = path.hasSuffix("link") ? 0o777 : 0o6750
      #expect(found == FileRights(owner: 12345, group: 54321, permissions: permissions), "\(path)")
    }
  }

  @Test(.enabled(if: geteuid() != 0)) func aCopyOfAnotherUsersProgramRunsAsNobodyElse() async throws {
    let programs = ["/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount"]
    let program = programs.first { rights($0)?.owner == 0 && rights($0).map { $0.permissions & 0o4004 } == 0o4004 }
    guard let program else { return }
    let text = try await filesResult(
      of: """
        await Files.copy('\(program)', folder + '/a');
        return (await Files.stat(folder + '/a')).permissions & 0o7000;
        """)
    #expect(text == "0")
  }

  /// Somebody could open the new one before, and read on.
  @Test func whatIsWrittenInThePlaceOfAFileIsNobodyElsesToRead() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    #expect(mkdir(folder, 0o700) == 0)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/a"
    #expect(FileManager.default.createFile(atPath: path, contents: nil) && chmod(path, 0o4755) == 0)
    let replacement = try FileReplacement(of: FilePlace(SystemPath(of: path)))
    var status = stat()
    #expect(fstat(replacement.file.descriptor, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    try await replacement.file.writeAll("x")
    try replacement.finish()
    #expect(rights(path) == FileRights(owner: geteuid(), group: status.st_gid, permissions: 0o4755))
  }

  /// A link that was put in the place of a folder leads nowhere.
  @Test func namesThatAreNoTextAreRemovedToo() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    #expect(mkdir(folder, 0o700) == 0)
    let name: [CChar] = Array((folder + "/").utf8CString.dropLast()) + [-1, -2, 0x61, 0]
    #expect(mkdir(name, 0o700) == 0)
    let text = try await filesResult(
      of:
        "await Files.copy('\(folder)', folder + '/c'); await Files.removeAll('\(folder)'); return Files.exists('\(folder)')"
    )
    #expect(text == "false")
  }

  /// What is gone, is no text or lies deep ends no walk.
  @Test func aWalkTellsAllThatIsThere() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    #expect(mkdir(folder, 0o700) == 0)
    let name: [CChar] = Array((folder + "/m").utf8CString.dropLast()) + [-1, 0]
    #expect(mkdir(name, 0o700) == 0 && mkdir(name.dropLast() + [47, 0x78, 0], 0o700) == 0)
    let text = try await filesResult(
      of: """
        const root = '\(folder)', seen = [], many = folder + '/many';
        for (const name of ['a', 'z']) await Files.writeText(`${root}/${name}`, '');
        for await (const { path } of Files.walk(root)) seen.push(path);
        await Files.removeAll(root);
        await Files.makeDirectory(many);
        for (let i = 1000; i < 3000; i++) await Files.writeText(`${many}/${i}`, '');
        const entries = await Files.walk(many);
        await entries.next(); await Files.remove(many + '/2998');
        let count = 1;
        for await (const entry of entries) count++;
        return [...seen, count];
        """)
    #expect(text == #"["a","m\u{FFFD}","m\u{FFFD}/x","z",1999]"#.replacing(#"\u{FFFD}"#, with: "\u{FFFD}"))
  }

  /// Deeper than a path may be long.
  @Test func deepTreesAreWalkedCopiedAndRemoved() async throws {
    let text = try await filesResult(
      of: """
        const part = '/d'.repeat(1100), tree = folder + '/tree';
        await Files.makeDirectory(folder + '/0' + part);
        for (let i = 1; i < 2; i++) {
          await Files.makeDirectory(folder + '/' + i + part);
          await Files.rename(folder + '/' + (i - 1), folder + '/' + i + part + '/d');
        }
        await Files.rename(folder + '/1', tree);
        const count = async path => { let count = 0; for await (const { kind } of Files.walk(path)) count += kind === 'directory'; return count; };
        await Files.copy(tree, folder + '/copy');
        const counts = [await count(tree), await count(folder + '/copy')];
        await Files.removeAll(tree); await Files.removeAll(folder + '/copy');
        return [counts, await Files.list(folder)];
        """)
    #expect(String(text.suffix(200)) == "[[2201,2201],[]]")
  }

  @Test func ofALinkThatLeadsNowhereTheTargetIsMade() async throws {
    let text = try await filesResult(
      of: """
        await Files.makeDirectory(folder + '/a'); await Files.makeLink(folder + '/a/l', '../m'); await Files.makeLink(folder + '/m', 'n');
        await Files.makeLink(folder + '/loop', 'loop');
        await Files.replaceText(folder + '/a/l', 'x');
        const failure = await Files.replaceText(folder + '/loop', 'x').catch(error => error.message.replace(folder, 'F'));
        return [(await Files.linkStatus(folder + '/a/l')).kind, await Files.readText(folder + '/n'), failure, await Files.list(folder)];
        """)
    #expect(text == #"["link","x","F/loop: Too many levels of symbolic links",["a","loop","m","n"]]"#)
  }

  /// A bridge that is closed in a limited time cancels what is not over by then.
  @Test func temporaryDirectoriesGoAlsoWhenThatIsCancelled() async throws {
    let path = try TemporaryDirectories.make(
      in: FilePlace(try #require(SystemPath(FileManager.default.temporaryDirectory.path))))
    try Data().write(to: URL(filePath: path + "/a"))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      TemporaryDirectories.remove(path)
    }
    task.cancel()
    await task.value
    #expect(access(path, F_OK) != 0 && access(path + ".gone", F_OK) != 0)
  }

  @Test func temporaryDirectoriesGoFromWhereTheyWereMade() throws {
    let manager = FileManager.default
    let root = manager.temporaryDirectory.path + "/trestle-test-\(UUID().uuidString)"
    for name in ["tmp", "other"] {
      try manager.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
    defer { try? manager.removeItem(atPath: root) }
    let path = try TemporaryDirectories.make(in: FilePlace(try #require(SystemPath(root + "/tmp"))))
    #expect(manager.createFile(atPath: path + "/file", contents: nil))
    let name = try #require(path.split(separator: "/").last.map(String.init))
    try manager.createDirectory(atPath: "\(root)/other/\(name)", withIntermediateDirectories: true)
    try manager.moveItem(atPath: root + "/tmp", toPath: root + "/old")
    try manager.createSymbolicLink(atPath: root + "/tmp", withDestinationPath: "other")
    TemporaryDirectories.remove(path)
    #expect(try manager.contentsOfDirectory(atPath: root + "/old") == [])
    #expect(try manager.contentsOfDirectory(atPath: root + "/other") == [name])
  }

  @Test func temporaryDirectoriesGoWithTheBridge() async throws {
    let path = try await filesResult(
      of:
        "const path = await Files.makeTemporaryDirectory(); await Files.writeText(path + '/a', 'a'); return [path, await Files.exists(path + '/a')]"
    )
    let name = try #require(path.split(separator: "\"").dropFirst().first)
    #expect(path.hasSuffix(",true]") && access(String(name), F_OK) != 0)
  }
}
