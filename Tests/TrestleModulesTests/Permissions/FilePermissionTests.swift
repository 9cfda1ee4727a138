import Foundation
import TestSupport
import Testing
import Trestle

@testable import TrestleModules

@Suite struct FilePermissionTests {
  /// What a method needs, and a call of it. None of a method that needs neither, or is tested by itself.
  private static let table: [String: (needs: Set<Permissions.Kind>, call: String)?] = [
    "readText": ([.read], "await Files.readText(secret + '/file')"),
    "lines": ([.read], "for await (const line of Files.lines(secret + '/file'));"),
    "readBytes": ([.read], "await Files.readBytes(secret + '/file')"),
    "bytes": ([.read], "for await (const bytes of Files.bytes(secret + '/link'));"),
    "writeText": ([.write], "await Files.writeText(secret + '/file', 'new')"),
    "writeBytes": ([.write], "await Files.writeBytes(secret + '/new', new Uint8Array(3))"),
    "appendBytes": ([.write], "await Files.appendBytes(secret + '/link', new Uint8Array(3))"),
    "appendText": ([.write], "await Files.appendText(secret + '/dir/new', 'more')"),
    "replaceText": ([.write], "await Files.replaceText(secret + '/link', 'new')"),
    "replaceBytes": ([.write], "await Files.replaceBytes(secret + '/new', new Uint8Array(3))"),
    "open": ([.read, .write], "await (await Files.open(secret + '/new', { mode: 'readWrite' })).close()"),
    "list": ([.read], "await Files.list(secret)"),
    "stat": ([.read], "await Files.stat(secret + '/link')"),
    "exists": ([.read], "await Files.exists(secret + '/nothing/there')"),
    "makeDirectory": ([.write], "await Files.makeDirectory(secret + '/new/below')"),
    "remove": ([.write], "await Files.remove(secret + '/link')"),
    "removeAll": ([.write], "await Files.removeAll(secret + '/dir')"),
    "copy": ([.read, .write], "await Files.copy(secret + '/dir', secret + '/new')"),
    "walk": ([.read], "for await (const entry of Files.walk(secret + '/dir'));"),
    "glob": ([.read], "for await (const entry of Files.glob(['**'], { folder: secret }));"),
    "watch": ([.read], "await (await Files.watch(secret, { recursive: true }))[Symbol.asyncIterator]().return()"),
    "linkStatus": ([.read], "await Files.linkStatus(secret + '/link')"),
    // Below: it needs all.
    "makeLink": nil,
    "linkTarget": ([.read], "await Files.linkTarget(secret + '/link')"),
    "realPath": ([.read], "await Files.realPath(secret + '/link')"),
    "setPermissions": ([.write], "await Files.setPermissions(secret + '/link', 0o600)"),
    "setModified": ([.write], "await Files.setModified(secret + '/link', 1e12)"),
    "rename": ([.read, .write], "await Files.rename(secret + '/dir', secret + '/new')"),
    "makeTemporaryDirectory": .none,
  ]

  /// What was granted could be found elsewhere by the next run.
  @Test(arguments: [
    ("/open", "Files.makeLink(open + '/link', '/')"), ("/open", "Files.removeAll(open)"),
    ("/open", "Files.rename(open, open + '2')"), ("/open", "Files.rename(open + '2', open)"),
    ("/open/file", "Files.remove(open + '/file')"), ("/open/file", "Files.rename(open + '/file', open + '/file2')"),
    ("/open/file", "Files.rename(open + '/file2', open + '/file')"),
    ("/open/none", "Files.copy(open + '/none2', open + '/none')"),
  ])
  func whatIsGrantedStaysWhereItIs(_ granted: String, _ call: String) async throws {
    let folder = try PermittedFolder()
    try folder.link("open2", to: "secret")
    try folder.link("open/file2", to: "../secret/file")
    try folder.link("open/none2", to: "../secret")
    let before = try folder.content(of: "open")
    let grant = Permissions.Grant.only([folder.path + granted, folder.path + granted + "2"])
    let text = try await folder.result(
      of: "const open = folder + '/open'; await \(call); return 'done'", Permissions(read: grant, write: grant))
    #expect(text.hasPrefix("ERR_PERMISSION"), "\(text)")
    #expect(try folder.content(of: "open") == before)
  }

  /// What was granted itself, and what holds it, of every kind, in what is granted as a whole.
  @Test(arguments: ["a/b/granted", "a/b/none", "a/to-granted", "a/none/none"], Permissions.Kind.allCases)
  func whatIsGrantedWithinWhatIsGrantedStaysToo(_ name: String, _ kind: Permissions.Kind) async throws {
    guard kind != .environment else { return }
    let folder = try PermittedFolder()
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path + "/open/a/b/granted", withIntermediateDirectories: true)
    try manager.createDirectory(atPath: folder.path + "/open/other/b", withIntermediateDirectories: true)
    try folder.link("open/a/to-granted", to: "b/granted")
    let grants = Permissions.Grant.only([folder.path + "/open"])
    let own = Permissions.Grant.only([folder.path + "/open", "\(folder.path)/open/\(name)"])
    let permissions = Permissions(
      read: kind == .read ? own : grants, write: kind == .write ? own : grants, run: kind == .run ? own : .none)
    let before = try folder.content(of: "open")
    let text = try await folder.result(
      of: """
        const told = new Set();
        const place = folder + '/open/\(name)', other = folder + '/open/other';
        for (let path = place; path !== folder + '/open'; path = path.slice(0, path.lastIndexOf('/'))) {
          // Whose folder is not there either.
          if (path.endsWith('none/none')) continue;
          for (const call of [
            () => Files.remove(path), () => Files.removeAll(path), () => Files.rename(path, folder + '/open/moved'),
            () => Files.rename(other, path), () => Files.copy(other, path), () => Files.rename(folder + '/open/file', path),
          ])
            told.add(await call().then(() => `${path}: ${call}`, ({ code, message }) => code === 'ERR_NOT_FOUND' ? message : code));
        }
        return [...told];
        """, permissions)
    #expect(text == #"["ERR_PERMISSION"]"#)
    #expect(try folder.content(of: "open") == before)
  }

  @Test(arguments: [
    "Files.copy(open + '/link', open + '/new')", "Files.copy(open + '/tree', open + '/new')",
    "Files.copy(folder + '/secret/link', open + '/new')", "Files.rename(open + '/link', open + '/new')",
    "Files.rename(open + '/tree', open + '/new')", "Files.rename(open + '/tree/a', open + '/new')",
    "Files.rename(open + '/tree/a/b/link', open + '/new')",
  ])
  func linksStayWhereTheyAre(_ call: String) async throws {
    let folder = try PermittedFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/open/tree/a/b", withIntermediateDirectories: true)
    try folder.link("open/link", to: "../secret")
    try folder.link("open/tree/a/b/link", to: "../../../../secret")
    func links() throws -> [String] { try folder.content(of: "open").filter { $0.hasSuffix("/secret") } }
    let before = try links()
    let body = "const open = folder + '/open'; await \(call); return 'done'"
    let grant = Permissions.Grant.only([folder.path + "/open"])
    for read in [grant, .all, .only(["/"])] {
      let text = try await folder.result(of: body, Permissions(read: read, write: grant))
      #expect(text.hasPrefix("ERR_PERMISSION"), "\(text)")
      #expect(try links() == before)
      try? FileManager.default.removeItem(atPath: folder.path + "/open/new")
    }
    let text = try await folder.result(of: body, Permissions(read: .all, write: .all, run: .none))
    #expect(text == #""done""#)
  }

  /// Whatever a script does, what is granted leads where it did.
  @Test(arguments: 1...4) func grantsLeadWhereTheyDid(_ seed: UInt64) async throws {
    var generator = MessageMutator(seed: seed)
    let folder = try PermittedFolder()
    let names = ["a", "b", "c"]
    func path() -> String {
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in names.randomElement(using: &generator) ?? "" }
        .joined(separator: "/")
    }
    let manager = FileManager.default
    for n in 0..<12 {
      let place = "\(folder.path)/open/\(path())"
      switch n % 3 {
      case 0: try? manager.createDirectory(atPath: place, withIntermediateDirectories: true)
      case 1: _ = manager.createFile(atPath: place, contents: Data())
      default:
        let target = Bool.random(using: &generator) ? "\(folder.path)/open/\(path())" : "../secret"
        try? manager.createSymbolicLink(atPath: place, withDestinationPath: target)
      }
    }
    // What a link leads to that leads nowhere yet is found once it is there.
    let granted = (0..<6).map { _ in "\(folder.path)/open/\(path())" }.filter { path in
      sequence(first: path) { $0 == folder.path ? nil : FileModuleLoader.parent(of: $0) }.allSatisfy {
        (try? manager.destinationOfSymbolicLink(atPath: $0)) == nil || manager.fileExists(atPath: $0)
      }
    }
    let places = granted.map { PathGrant.withoutLinks($0) }
    let grant = Permissions.Grant.only(["\(folder.path)/open"] + granted)
    let calls = (0..<200).map { n -> String in
      let (one, other) = ("open + '/\(path())'", "open + '/\(path())'")
      return switch n % 6 {
      case 0: "Files.copy(\(one), \(other))"
      case 1: "Files.remove(\(one))"
      case 2: "Files.makeDirectory(\(one))"
      case 3: "Files.writeText(\(one), 'text')"
      case 4 where n % 4 == 0: "Files.removeAll(\(one))"
      default: "Files.rename(\(one), \(other))"
      }
    }
    let text = try await folder.result(
      of: """
        const open = folder + '/open';
        let count = 0;
        for (const call of [\(calls.map { "() => \($0)" }.joined(separator: ","))]) count += await call().then(() => 1, () => 0);
        return count > 0;
        """, Permissions(read: grant, write: grant))
    #expect(text == "true")
    #expect(granted.map { PathGrant.withoutLinks($0) } == places, "\(granted)")
  }

  @Test func linksAreMadeByWhoMayDoAll() async throws {
    let folder = try PermittedFolder()
    let text = try await folder.result(
      of:
        "await Files.makeLink(folder + '/open/link', '/anywhere'); return await Files.linkTarget(folder + '/open/link')",
      Permissions(read: .all, write: .all, run: .none))
    #expect(text == #""/anywhere""#)
  }

  @Test func everyMethodIsDecidedUpon() async throws {
    let text = try await PermittedFolder().result(of: "return Object.keys(Files).sort()", .none)
    #expect(try JSONDecoder().decode([String].self, from: Data(text.utf8)) == Self.table.keys.sorted())
  }

  private static let cases = table.keys.sorted().flatMap { name in
    [[], [.read], [.write], [.read, .write]].map { (name, Set<Permissions.Kind>($0)) }
  }

  @Test(arguments: cases) func methodsAndWhatTheyNeed(_ name: String, granted: Set<Permissions.Kind>) async throws {
    guard let (needs, call) = Self.table[name] ?? nil else { return }
    let folder = try PermittedFolder()
    let before = try folder.content(of: "secret")
    func grant(_ kind: Permissions.Kind) -> Permissions.Grant {
      .only(["\(folder.path)/open"] + (granted.contains(kind) ? ["\(folder.path)/secret"] : []))
    }
    let text = try await folder.result(
      of: "const secret = folder + '/secret'; \(call); return 'done'",
      Permissions(read: grant(.read), write: grant(.write)))
    if needs.isSubset(of: granted) {
      #expect(text == "\"done\"")
      return
    }
    let words = needs.subtracting(granted).map { PermissionRequest($0, "\(folder.path)/secret").words }
    #expect(
      words.contains { text.hasPrefix("ERR_PERMISSION: \($0)") } && text.hasSuffix(" is not permitted"), "\(text)")
    #expect(try folder.content(of: "secret") == before)
  }
}
