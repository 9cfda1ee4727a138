import Foundation
import TestSupport
import Testing
import Trestle

@testable import TrestleModules

@Suite struct WatchTests {
  /// `until(changes, text)` gives what is told up to a change, as texts.
  private static let prelude = """
    const text = ({ kind, path, from }) => `${kind} ${from === null ? '' : from + ' '}${path}`;
    const until = async (changes, last) => {
      const seen = [];
      for (;;) {
        const { value, done } = await changes.next();
        if (done) return [...seen, 'end'];
        seen.push(text(value));
        if (seen.at(-1) === last) return seen;
      }
    };
    const told = (error) => `${error.code} ${error.message.replaceAll(folder, 'F')}`;

    """

  private func result(of body: String) async throws -> String { try await filesResult(of: Self.prelude + body) }

  @Test func changesAreToldInTheirOrder() async throws {
    let seen = try await result(
      of: """
        await Files.writeText(folder + '/old', 'x'); await Files.makeDirectory(folder + '/sub');
        const changes = await Files.watch(folder), seen = [];
        await Files.writeText(folder + '/new', 'x'); await Files.appendText(folder + '/new', 'y');
        await Files.appendText(folder + '/old', 'y'); await Files.appendText(folder + '/old', 'z'); await Files.setPermissions(folder + '/old', 0o600);
        await Files.writeText(folder + '/sub/unseen', ''); await Files.writeText(folder + '/brief', ''); await Files.remove(folder + '/brief');
        seen.push(await until(changes, 'changed old'));
        await Files.rename(folder + '/old', folder + '/older'); await Files.remove(folder + '/new'); await Files.makeLink(folder + '/link', 'nowhere');
        seen.push(await until(changes, 'created link'));
        await Files.replaceText(folder + '/older', 'z'); await Files.remove(folder + '/link'); await Files.writeText(folder + '/link', '');
        seen.push(await until(changes, 'changed link'));
        return seen;
        """)
    #expect(
      seen
        == #"[["created new","changed old"],["renamed old older","removed new","created link"],["created older","changed link"]]"#
    )
  }

  @Test func foldersBelowAreFollowedWhereverTheyGo() async throws {
    let seen = try await result(
      of: """
        const root = folder + '/root', other = folder + '/other', seen = [];
        await Files.makeDirectory(root + '/a/b'); await Files.makeDirectory(other); await Files.makeLink(root + '/link', other);
        const changes = await Files.watch(root, { recursive: true });
        await Files.writeText(root + '/a/b/x', ''); await Files.writeText(other + '/unseen', '');
        seen.push(await until(changes, 'created a/b/x'));
        await Files.makeDirectory(root + '/c/d/e'); await Files.writeText(root + '/c/d/e/y', '');
        seen.push((await until(changes, 'created c/d/e/y')).sort());
        await Files.appendText(root + '/c/d/e/y', 'y');
        seen.push(await until(changes, 'changed c/d/e/y'));
        await Files.rename(root + '/c', root + '/a/c');
        seen.push(await until(changes, 'renamed c a/c'));
        await Files.appendText(root + '/a/c/d/e/y', 'y');
        seen.push(await until(changes, 'changed a/c/d/e/y'));
        await Files.rename(root + '/a', other + '/a');
        seen.push(await until(changes, 'removed a'));
        await Files.appendText(other + '/a/c/d/e/y', 'y'); await Files.writeText(root + '/z', '');
        seen.push(await until(changes, 'created z'));
        await Files.rename(other + '/a', root + '/back');
        seen.push((await until(changes, 'created back/c/d/e/y')).length >= 1);
        await Files.removeAll(root);
        const end = await until(changes, 'none');
        seen.push(end.includes('removed back'), end.slice(-2), await changes.next());
        return seen;
        """)
    #expect(
      seen
        == #"[["created a/b/x"],["created c","created c/d","created c/d/e","created c/d/e/y"],["changed c/d/e/y"],["renamed c a/c"],"#
        + #"["changed a/c/d/e/y"],["removed a"],["created z"],true,true,["removed ","end"],{"done":true}]"#)
  }

  @Test func newFoldersAreFollowedAlsoIfTheyAreRenamedAtOnce() async throws {
    let seen = try await result(
      of: """
        const changes = await Files.watch(folder, { recursive: true }), seen = [];
        await Files.makeDirectory(folder + '/a/b'); await Files.rename(folder + '/a', folder + '/c'); await Files.rename(folder + '/c', folder + '/d');
        seen.push(await until(changes, 'created d/b'));
        await Files.writeText(folder + '/d/b/x', '');
        seen.push(await until(changes, 'created d/b/x'));
        return seen;
        """)
    #expect(seen == #"[["created d","created d/b"],["created d/b/x"]]"#)
  }

  /// By name: many a program puts a new one in its place.
  @Test func aFileIsWatchedByItsName() async throws {
    let seen = try await result(
      of: """
        const path = folder + '/a', seen = [];
        await Files.writeText(path, 'x'); await Files.makeDirectory(folder + '/sub'); await Files.makeLink(folder + '/sub/link', '../a');
        const changes = await Files.watch(folder + '/sub/link', { recursive: true });
        await Files.writeText(folder + '/b', 'x'); await Files.writeText(folder + '/sub/a', 'x'); await Files.appendText(path, 'y');
        seen.push(await until(changes, 'changed a'));
        await Files.replaceText(path, 'z');
        seen.push(await until(changes, 'created a'));
        await Files.remove(path);
        seen.push(await until(changes, 'removed a'));
        await Files.writeText(path, 'x');
        seen.push(await until(changes, 'created a'));
        await Files.removeAll(folder);
        seen.push((await until(changes, 'none')).at(-1));
        await Files.makeDirectory(folder);
        return seen;
        """)
    #expect(seen == #"[["changed a"],["created a"],["removed a"],["created a"],"end"]"#)
  }

  @Test(arguments: [
    ("Files.watch(folder + '/none')", "ERR_NOT_FOUND F/none: No such file or directory"),
    ("Files.watch('a\\0b')", "a path has no NUL character"),
    ("Files.watch(folder, true)", "Files.watch, argument 2 'options': expected WatchOptions, got boolean"),
  ])
  func whatCannotBeWatchedIsSaid(_ call: String, _ message: String) async throws {
    let seen = try await result(of: "return \(call).then(() => 'watched', told);")
    #expect(seen.contains(message), "\(seen)")
  }

  /// What nobody asks for waits with the kernel, which keeps so much of it.
  @Test func changesThatWereLostAreTold() async throws {
    let most = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let count = (Int(most.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 16384) / 2 + 100
    guard count < 50_000 else { return }
    let seen = try await result(
      of: """
        await Files.makeDirectory(folder + '/sub');
        const changes = await Files.watch(folder, { recursive: true });
        for (let i = 0; i < \(count); i++) { Files.writeText(`${folder}/sub/${i}`, ''); if (i % 100 === 0) await Files.exists(folder); }
        await Files.rename(folder + '/sub', folder + '/renamed'); await Files.makeDirectory(folder + '/late');
        const seen = [text((await changes.next()).value)];
        await Files.writeText(folder + '/late/x', ''); await Files.writeText(folder + '/renamed/x', '');
        const rest = await until(changes, 'created renamed/x');
        return [...seen, rest.includes('created late/x')];
        """)
    #expect(seen == #"["overflow ",true]"#)
  }

  /// Waits until there are queues of the kernel's for a folder, or none. Other tests have theirs, for others.
  private func waitForWatches(of folder: String, toBe areThere: Bool) async throws -> Bool {
    var status = stat()
    guard stat(folder, &status) == 0 else { return false }
    let watch = " ino:\(String(status.st_ino, radix: 16)) "
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
      let isWatched = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").contains {
        // One that is gone again is none.
        let lines = try? String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8).split(separator: "\n")
        return lines?.contains { $0.hasPrefix("inotify ") && $0.contains(watch) } == true
      }
      if isWatched == areThere { return true }
      try await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  /// The user's are few.
  @Test func watchesThatHaveEndedAreFree() async throws {
    var areFree = false
    let seen = try await filesResult(
      of: """
        for (let i = 0; i < 300; i++) {
          const changes = await Files.watch(folder), next = changes.next();
          if (i % 2) await Files.writeText(folder + '/a', `${i}`);
          if (i % 2) await next;
          await changes.return();
        }
        return 1;
        """, meanwhile: { areFree = try await waitForWatches(of: $0, toBe: false) })
    #expect(seen == "1" && areFree)
  }

  @Test func aBridgeThatClosesEndsItsWatches() async throws {
    let bridge = try await ModuleBridge(.files, capabilities: [.files]).bridge
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await bridge.evaluate(
      "(async () => { for await (const change of NativeModules.Files.watch('\(folder)', {})) globalThis.last = change; })()"
    )
    #expect(try await waitForWatches(of: folder, toBe: true))
    await bridge.close()
    #expect(try await waitForWatches(of: folder, toBe: false))
  }

  // MARK: Changes of one path as one

  private func told(_ changes: (inout ChangeList) -> Void) -> [String] {
    var list = ChangeList()
    changes(&list)
    return list.take().map { "\($0.kind.rawValue) \($0.from.map { $0 + " " } ?? "")\($0.path)" }
  }

  private func path(_ text: String) -> [CChar] { text.utf8.map { CChar(bitPattern: $0) } }

  @Test func whatFollowsOneAnotherIsTold() {
    let (a, b) = (path("a"), path("b"))
    #expect(
      told {
        $0.create(a, isFolder: false, .made); $0.change(a, isFolder: false); $0.change(a, isFolder: false)
      } == ["created a"])
    #expect(
      told {
        $0.change(a, isFolder: false); $0.remove(a, isFolder: false)
      } == ["removed a"])
    #expect(
      told {
        $0.create(a, isFolder: false, .made); $0.change(b, isFolder: false); $0.remove(a, isFolder: false)
      } == ["changed b"])
    #expect(
      told {
        $0.remove(a, isFolder: false); $0.create(a, isFolder: false, .made); $0.change(a, isFolder: false)
      } == ["changed a"])
    #expect(
      told {
        _ = $0.rename(a, to: b, isFolder: false, replacesNothing: false)
        $0.change(b, isFolder: false)
        $0.create(a, isFolder: false, .made)
      } == ["renamed a b", "changed b", "created a"])
    #expect(
      told {
        $0.create(a, isFolder: false, .made)
        _ = $0.rename(a, to: b, isFolder: false, replacesNothing: false)
      } == ["created b"])
    #expect(
      told {
        $0.change(b, isFolder: false)
        _ = $0.rename(a, to: b, isFolder: false, replacesNothing: false)
      } == ["renamed a b"])
    #expect(
      told {
        $0.change(a, isFolder: false)
        _ = $0.rename(a, to: b, isFolder: false, replacesNothing: false)
      } == ["changed a", "renamed a b"])
  }

  /// What may have been there, or has been told, is removed.
  @Test func whatTakesAPlaceAndGoesIsRemoved() {
    let (a, b, c) = (path("a"), path("b"), path("c"))
    #expect(
      told {
        $0.create(a, isFolder: false, .made)
        _ = $0.rename(a, to: b, isFolder: false, replacesNothing: false)
        $0.remove(b, isFolder: false)
      } == ["removed b"])
    #expect(
      told {
        $0.create(a, isFolder: false, .found); $0.remove(a, isFolder: false); $0.create(a, isFolder: false, .made)
      } == ["created a"])
    #expect(
      told {
        _ = $0.rename(a, to: b, isFolder: false, replacesNothing: false)
        _ = $0.rename(c, to: b, isFolder: false, replacesNothing: false)
      } == ["renamed a b", "renamed c b"])
  }

  @Test func foldersAndFilesInTheirPlaceAreTold() {
    let (a, b, inA, inB) = (path("a"), path("b"), path("a/x"), path("b/x"))
    var isNew: [Bool] = []
    for (before, after) in [(true, true), (true, false), (false, true)] {
      #expect(
        told {
          $0.remove(a, isFolder: before); $0.create(a, isFolder: after, .made)
        } == ["removed a", "created a"])
    }
    #expect(
      told {
        $0.create(a, isFolder: true, .made)
        $0.create(inA, isFolder: false, .made)
        isNew.append($0.rename(a, to: b, isFolder: true, replacesNothing: true))
        $0.create(inB, isFolder: false, .found)
      } == ["created b", "created b/x"])
    // What was there before lies in a new one.
    #expect(
      told {
        $0.create(a, isFolder: true, .made)
        _ = $0.rename(path("old"), to: inA, isFolder: false, replacesNothing: false)
        isNew.append($0.rename(a, to: b, isFolder: true, replacesNothing: true))
        $0.remove(b, isFolder: true)
      } == ["created a", "renamed old a/x", "renamed a b", "removed b"])
    #expect(isNew == [true, false])
    // Not the same file.
    #expect(
      told {
        $0.create(inA, isFolder: false, .made)
        _ = $0.rename(a, to: b, isFolder: true, replacesNothing: true)
        $0.create(a, isFolder: true, .made)
        $0.create(inA, isFolder: false, .made)
      } == ["created a/x", "renamed a b", "created a", "created a/x"])
  }
}
