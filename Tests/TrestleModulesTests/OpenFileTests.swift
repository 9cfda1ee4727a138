import Foundation
import TestSupport
import Testing
import Trestle

@testable import TrestleModules

@Suite struct OpenFileTests {
  /// What a script has beside `Files`.
  private static let prelude = """
    const path = folder + '/a', bytes = (...all) => new Uint8Array(all), text = (from) => String.fromCharCode(...from);
    const from = (text) => bytes(...[...text].map((it) => it.charCodeAt())), told = (error) => `${typeof error.code === 'string' ? error.code : error.name} ${error.message.replaceAll(folder, 'F')}`;

    """

  private func result(
    of body: String, meanwhile: (_ folder: String) async throws -> Void = { _ in }
  ) async throws -> String {
    try await filesResult(of: Self.prelude + body, meanwhile: meanwhile)
  }

  /// How many descriptors of this process lead to files of a folder.
  private func openCount(in folder: String) -> Int {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.count { descriptor in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
      return target?.hasPrefix(folder + "/") == true
    }
  }

  @Test func bytesAreReadAndWrittenWhereOneWants() async throws {
    let seen = try await result(
      of: """
        const file = await Files.open(path, { mode: 'new', permissions: 0o600 }), seen = [];
        // In their order, though nobody waits.
        file.write(0, from('0123456789')); file.write(12, from('ab')); file.write(3, from('xy')); file.append(from('!'));
        seen.push([...await file.read(0, 100)].map(byte => byte && String.fromCharCode(byte)).join(''), text(await file.read(8, 2)), (await file.read(15, 5)).length, await file.read(2 ** 53 - 1, 5).then(read => read.length, told));
        await file.truncate(4); await file.truncate(6);
        seen.push(await file.size(), [...await file.read(3, 9)], (await file.read(0, 0)).length, await file.write(1, bytes()), await file.sync());
        const long = new Uint8Array(3000000).map((_, i) => i * 7 + (i >> 9));
        await file.write(5, long);
        const read = await file.read(5, 4000000);
        seen.push(read.length, read.every((byte, i) => byte === long[i]), await file.close(), await file.close(), (await Files.stat(path)).permissions.toString(8));
        return seen;
        """)
    #expect(
      seen
        == #"["012xy5678900ab!","89",0,0,6,[120,0,0],0,null,null,3000000,true,null,null,"600"]"#
    )
  }

  @Test(arguments: [
    (#"{ mode: 'read' }"#, "old", "old,no,no"), (#"undefined"#, "old", "old,no,no"),
    (#"{ mode: 'write' }"#, "x", "no,yes,yes"), (#"{ mode: 'readWrite' }"#, "xld", "old,yes,yes"),
    (#"{ mode: 'append' }"#, "old", "no,no,yes"),
  ])
  func modes(_ options: String, _ content: String, _ outcome: String) async throws {
    let seen = try await result(
      of: """
        await Files.writeText(path, 'old');
        const yes = () => 'yes', no = error => { if (error.code !== 'ERR_NOT_PERMITTED') throw error; return 'no'; };
        const file = await Files.open(path, \(options));
        const read = await file.read(0, 9).then(text, no), write = await file.write(0, from('x')).then(yes, no);
        const content = await Files.readText(path);
        return [content, [read, write, await file.append(from('z')).then(yes, no)].join(), (await Files.readText(path)).endsWith('z')];
        """)
    #expect(seen == #"["\#(content)","\#(outcome)",\#(outcome.hasSuffix("yes"))]"#)
  }

  @Test(arguments: [
    ("Files.open(folder + '/none')", "ERR_NOT_FOUND F/none: No such file or directory"),
    ("Files.open(folder + '/none/b', { mode: 'write' })", "ERR_NOT_FOUND F/none/b: No such file or directory"),
    ("Files.open(path, { mode: 'new' })", "ERR_EXISTS F/a: File exists"),
    ("Files.open(folder)", "ERR_IS_DIRECTORY F: Is a directory"),
    ("Files.open(folder, { mode: 'readWrite' })", "ERR_IS_DIRECTORY F: Is a directory"),
    ("Files.open('a\\0b')", "a path has no NUL character"),
    ("Files.open(path, { permissions: -1 })", "ERR_ARGUMENT F/a: permissions are 0 to 0o7777, got -1"),
    (
      "Files.open(path, { mode: 'w' })",
      #"argument 2 'options.mode': expected "read" | "write" | "readWrite" | "append" | "new", got string "w""#
    ),
    ("Files.open(path, 'w')", "argument 2 'options': expected OpenOptions, got string"),
    ("file.read(-1, 5)", "ERR_ARGUMENT F/a: a position is 0 to 2 ** 53 - 1, got -1"),
    ("file.read(2n ** 53n, 5)", "ERR_ARGUMENT F/a: a position is 0 to 2 ** 53 - 1, got 9007199254740992"),
    (
      "file.read(2 ** 53, 5)",
      "OpenFile.read, argument 1 'position': expected a 64-bit integer, got number 9007199254740992"
    ),
    ("file.read(NaN, 5)", "OpenFile.read, argument 1 'position': expected a 64-bit integer, got number NaN"),
    ("file.read(0.5, 5)", "OpenFile.read, argument 1 'position': expected a 64-bit integer, got number 0.5"),
    ("file.read(0, -1)", "ERR_ARGUMENT F/a: a length is 0 to 2 ** 53 - 1, got -1"),
    ("file.read(0, 2 ** 29 + 1)", "ERR_LIMIT F/a: more than 512 MB at once"),
    ("file.read(0)", "OpenFile.read"),
    ("file.write(0, 'text')", "OpenFile.write, argument 2 'bytes': expected"),
    ("file.write(-1, bytes(1))", "ERR_ARGUMENT F/a: a position is 0 to 2 ** 53 - 1, got -1"),
    ("file.truncate(-1)", "ERR_ARGUMENT F/a: a size is 0 to 2 ** 53 - 1, got -1"),
    ("file.truncate(2 ** 53 - 1)", "ERR_SYSTEM F/a: File too large"),
    ("file.lock('x')", #"argument 1 'kind': expected "shared" | "exclusive", got string "x""#),
    ("reader.write(0, bytes(1))", "ERR_NOT_PERMITTED F/a: opened with the mode 'read', cannot be written"),
    ("reader.truncate(0)", "ERR_NOT_PERMITTED F/a: opened with the mode 'read', cannot be written"),
    ("writer.read(0, 1)", "ERR_NOT_PERMITTED F/b: opened with the mode 'write', cannot be read"),
    (
      "appender.write(0, bytes(1))",
      "ERR_NOT_PERMITTED F/b: opened with the mode 'append': 'append' writes to its end"
    ),
    ("closed.read(0, 1)", "ERR_CLOSED F/a: the file is closed"),
    ("closed.write(0, bytes(1))", "ERR_CLOSED F/a: the file is closed"),
    ("closed.append(bytes())", "ERR_CLOSED F/a: the file is closed"),
    ("closed.size()", "ERR_CLOSED F/a: the file is closed"),
    ("closed.sync()", "ERR_CLOSED F/a: the file is closed"),
    ("closed.lock()", "ERR_CLOSED F/a: the file is closed"),
    ("closed.unlock()", "ERR_CLOSED F/a: the file is closed"),
    ("released.read(0, 1)", "ERR_RELEASED OpenFile.read: the OpenFile is released"),
    ("file.read.call({}, 0, 1)", "ERR_ARGUMENT OpenFile.read: expected to be called on a OpenFile, got object"),
    ("file.read.call(Object.create(file), 0, 1)", "expected to be called on a OpenFile"),
    ("Reflect.construct(file.constructor, [])", "made by native code"),
  ])
  func whatCannotBeDoneIsSaid(_ call: String, _ outcome: String) async throws {
    let seen = try await result(
      of: """
        await Files.writeText(path, 'abc');
        const file = await Files.open(path, { mode: 'readWrite' }), reader = await Files.open(path), writer = await Files.open(folder + '/b', { mode: 'write' });
        const appender = await Files.open(folder + '/b', { mode: 'append' }), closed = await Files.open(path), released = await Files.open(path);
        await closed.close(); released.release();
        const outcome = await (async () => \(call))().then(() => 'done', told);
        return [outcome, await Files.readText(path)];
        """)
    #expect(seen.replacing("\\\"", with: "\"").contains(outcome), "\(seen)")
    #expect(seen.hasSuffix(#","abc"]"#), "\(seen)")
  }

  /// A reader would wait for ever.
  @Test(arguments: ["/dev/ptmx", "/dev/tty"]) func terminalsAreRefused(path: String) async throws {
    let seen = try await result(of: "return Files.open('\(path)', { mode: 'readWrite' }).then(() => 'open', told)")
    // Where there is none it cannot be opened.
    #expect(seen.hasPrefix("\"ERR_ARGUMENT \(path): a pipe") || seen.hasPrefix("\"ERR_SYSTEM"), "\(seen)")
  }

  @Test func aPipeIsRefusedAndHoldsNobodyUp() async throws {
    let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let seen = try await result(
      of:
        "return Promise.all(['read', 'readWrite', 'append'].map(mode => Files.open('\(pipe)', { mode }).catch(told)))")
    let refusal =
      "ERR_ARGUMENT \(pipe): a pipe, terminal or device has no positions to read and write at: Files.bytes reads it"
    #expect(seen == #"["\#(refusal)","\#(refusal)","ERR_SYSTEM \#(pipe): No such device or address"]"#)
  }

  /// The kernel makes their bytes as they are read.
  @Test func filesWhoseLengthIsUnknownAreRead() async throws {
    let seen = try await result(
      of: """
        const zero = await Files.open('/dev/zero'), status = await Files.open('/proc/self/status');
        return [(await zero.read(5, 2500000)).length, text(await status.read(0, 5)), (await status.read(0, 100000)).length > 100];
        """)
    #expect(seen == #"[2500000,"Name:",true]"#)
  }

  @Test func nothingOfWhatIsAppendedIsLost() async throws {
    let seen = try await result(
      of: """
        const files = await Promise.all(['append', 'readWrite', 'append'].map(mode => Files.open(path, { mode }))), all = [];
        for (let i = 0; i < 300; i++) all.push(files[i % 3].append(new Uint8Array(1000).fill(i % 3 + 1)));
        await Promise.all(all);
        const counts = [0, 0, 0];
        for (const byte of await Files.readBytes(path)) counts[byte - 1]++;
        return counts;
        """)
    #expect(seen == "[100000,100000,100000]")
  }

  @Test func locksExcludeEachOther() async throws {
    let seen = try await result(
      of: """
        const [a, b, c] = await Promise.all([1, 2, 3].map(() => Files.open(path, { mode: 'readWrite' }))), seen = [];
        await a.lock('shared');
        seen.push(await b.tryLock('shared'), await c.tryLock(), await c.tryLock('shared'));
        await c.unlock(); await c.unlock();
        const order = [], waiting = c.lock().then(() => order.push('c'));
        // What waits holds up neither its own file nor others.
        seen.push(await c.size());
        await new Promise(resolve => setTimeout(resolve, 30));
        await b.unlock(); order.push('b'); await a.close(); order.push('a');
        await waiting;
        seen.push(order.join(''), await b.tryLock('shared'));
        const end = new AbortController, aborted = b.lock('exclusive', end.signal).catch(told);
        end.abort();
        seen.push(await aborted);
        const closed = b.lock().catch(told);
        await b.close();
        seen.push(await closed);
        c.release();
        const d = await Files.open(path);
        await d.lock();
        seen.push(await (await Files.open(path)).tryLock('shared'));
        return seen;
        """)
    #expect(
      seen
        == #"[true,false,true,0,"bac",false,"AbortError this operation was aborted","ERR_CLOSED F/a: the file is closed",false]"#
    )
  }

  /// Also where somebody waits for the lock, and where files are being opened.
  @Test func filesAreClosedWithTheBridge() async throws {
    var folder = ""
    _ = try await result(
      of: """
        globalThis.kept = await Files.open(path, { mode: 'new' });
        await kept.lock();
        kept.write(0, new Uint8Array(1 << 20));
        const other = globalThis.other = await Files.open(path, { mode: 'readWrite' });
        other.lock().catch(() => {});
        for (let i = 0; i < 50; i++) Files.open(path).catch(() => {});
        return 0;
        """
    ) { path in
      folder = path
      #expect(openCount(in: path) >= 2)
    }
    #expect(folder != "")
    let deadline = ContinuousClock.now + patience
    while openCount(in: folder) > 0, .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
    #expect(openCount(in: folder) == 0)
  }

  @Test func usingClosesAtOnce() async throws {
    let seen = try await result(
      of: """
        const file = await Files.open(path, { mode: 'new' }), other = await Files.open(path), seen = [];
        await file.lock();
        await file[Symbol.asyncDispose]();
        seen.push(await other.tryLock(), await file.size().catch(told));
        other[Symbol.dispose]();
        const third = await Files.open(path);
        await third.lock();
        return seen;
        """)
    #expect(seen == #"[true,"ERR_RELEASED OpenFile.size: the OpenFile is released"]"#)
  }
}
