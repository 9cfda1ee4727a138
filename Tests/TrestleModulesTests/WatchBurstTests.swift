import EventLoop
import Foundation
import TestSupport
import Testing

@testable import TrestleModules

/// Whatever happens to a tree: what is told, done to what was there, gives what is there.
@Suite struct WatchBurstTests {
  /// The same numbers for the same seed.
  private struct Numbers {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
  }

  /// A folder that is watched, one outside of it, and what the watch tells of the former.
  private final class Tree {
    let root: String
    let outside: String
    private var changes: FileChanges.AsyncIterator
    private(set) var told: Set<String>
    private(set) var seen: [String] = []
    private(set) var problems: [String] = []
    private(set) var overflows = 0
    private var count = 0

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
      (root, outside) = (folder + "/root", folder + "/outside")
      for path in [root, outside] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      }
      told = []
      changes = FileChanges(tree: try WatchedTree(SystemPath(of: root), isRecursive: true, through: .open))
        .makeAsyncIterator()
    }

    deinit { try? FileManager.default.removeItem(atPath: String(root.dropLast(5))) }

    var isThere: Set<String> {
      Set((FileManager.default.enumerator(atPath: root)?.allObjects ?? []).compactMap { $0 as? String })
    }

    /// Takes what is told until a file that is made now is told.
    func hear() async throws {
      count += 1
      let last = "told\(count)"
      _ = FileManager.default.createFile(atPath: "\(root)/\(last)", contents: nil)
      while let change = try await changes.next() {
        apply(change)
        if change.path == last || change.kind == .overflow { return }
      }
    }

    /// - Returns: whether what is told comes to what is there.
    func agrees() async throws -> Bool {
      // New folders may be told behind what came later.
      for _ in 0..<20 {
        try await hear()
        if overflows > 0 || told == isThere { break }
      }
      if overflows > 0 { return true }
      if told != isThere {
        problems.append("missing \(isThere.subtracting(told).sorted()), extra \(told.subtracting(isThere).sorted())")
      }
      return problems.isEmpty
    }

    private func apply(_ change: FileChange) {
      let (path, from) = (change.path, change.from)
      seen.append("\(change.kind.rawValue) \(from.map { $0 + " " } ?? "")\(path)")
      let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
      switch change.kind {
      case .overflow: overflows += 1
      case .changed: if !told.contains(path), path != "" { problems.append("changed \(path), which is not there") }
      case .removed: told = told.filter { $0 != path && !$0.hasPrefix(path + "/") }
      case .created, .renamed:
        if folder != "", !told.contains(folder) { problems.append("\(seen.last ?? ""), whose folder is not there") }
        guard let from else {
          told.insert(path)
          return
        }
        if !told.contains(from) { problems.append("\(seen.last ?? ""), which was not there") }
        told = told.filter { $0 != path && !$0.hasPrefix(path + "/") }
        told = Set(
          told.map { $0 == from || $0.hasPrefix(from + "/") ? path + $0.dropFirst(from.count) : $0 } + [path])
      }
    }

    func make(_ path: String) {
      try? FileManager.default.createDirectory(atPath: at(path), withIntermediateDirectories: true)
    }
    func write(_ path: String) { _ = FileManager.default.createFile(atPath: at(path), contents: Data([1])) }
    func remove(_ path: String) { try? FileManager.default.removeItem(atPath: at(path)) }
    func move(_ path: String, _ newPath: String) { _ = Glibc.rename(at(path), at(newPath)) }
    func swap(_ path: String, _ other: String) {
      // Glibc's module for Swift leaves it out.
      typealias Exchange = @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
      let exchange = unsafeBitCast(dlsym(nil, "renameat2"), to: Exchange?.self)
      let isDone = exchange?(AT_FDCWD, at(path), AT_FDCWD, at(other), 2) == 0
      #expect(isDone, "\(path) \(other)")
    }
    func link(_ path: String) { _ = symlink("nowhere", at(path)) }
    private func at(_ path: String) -> String {
      path.hasPrefix("^") ? "\(outside)/\(path.dropFirst())" : "\(root)/\(path)"
    }

    /// Such as `mkdir a/b; mv a c`, without a shell; `^` is outside.
    func run(_ commands: String) {
      for command in commands.split(separator: "; ") {
        let words = command.split(separator: " ").map(String.init)
        switch words[0] {
        case "mkdir": make(words[1])
        case "write": write(words[1])
        case "rm": remove(words[1])
        case "mv": move(words[1], words[2])
        case "swap": swap(words[1], words[2])
        default: link(words[1])
        }
      }
    }
  }

  @Test(arguments: [
    // In the place of a folder another, or a file.
    "mv d ^o; mkdir d",
    "mv d ^o; write d",
    "rm d; mkdir d",
    "rm d; write d",
    "rm x; mkdir x",
    "mv d ^o; mkdir d; mv d e",
    "mv d ^o; mkdir d; write d/y",
    "mv d ^o; mv d2 d",
    "mv x d/f",
    "mv x d/f; rm d/f",
    "write n; mv n x; rm x",
    "mv d2 ^o; mv ^o d2",
    // New ones below what is renamed.
    "mkdir d/q; mv d e",
    "mkdir d/q/c; mv d e",
    "mkdir d/q/c; mv d e; mkdir d/q",
    "mkdir d/q; mkdir d/q/c; mv d e; mkdir d/q/r",
    "mkdir d/q/c; mkdir d/r/c; mv d e; mv e/q e/k",
    "mkdir n/m/k; mv n d/n",
    "mkdir d/q; mv d/q d2/q; mkdir d2/q/c",
    "mkdir n; mv d n/d; mv n m",
    "mkdir n; mv d n/d; mv n ^o",
    "mkdir n; mv d n/d; rm n",
    "mkdir n; mv n n2; write n2/q; mv n2 n3",
    "mv d e; mv e d",
    "mv d e; rm e",
    "mv d e; mkdir d; mv e/f d/f",
    "mv d ^t; mv d2 d; mv ^t d2",
    "mv d t; mv d2 d; mv t d2",
    "mkdir n; mv n d2/t",
    "mv d/s/g d/s/h; mv d/s k; mkdir d/s; write d/s/g; mv k d/s/k",
    "ln d/l; mv d e; ln d; rm e/l",
  ])
  func whatIsToldComesToWhatIsThere(_ commands: String) async throws {
    let tree = try Tree()
    tree.run("mkdir d/s; mkdir d2; write d/f; write d/s/g; write x; write d2/t")
    #expect(try await tree.agrees(), "\(tree.problems)")
    tree.run(commands)
    #expect(try await tree.agrees(), "\(tree.problems) \(tree.seen)")
    // All that is there is watched.
    for path in tree.isThere { tree.write(path + "/later") }
    #expect(try await tree.agrees(), "\(tree.problems) \(tree.seen)")
    #expect(tree.overflows == 0)
  }

  /// Such look like a way there and back: where that cannot be told any more, it is said that changes were lost.
  @Test(arguments: [
    "swap x d/f", "swap x d/f; mv d e", "swap x d/f; mv d/f d/g", "swap x d/f; mv x y", "swap d d2", "swap x d",
    "swap x d/f; swap x d2/t; mv d2 d3", "mv d e; swap x e/f; mv e d; mv d n",
  ])
  func whatChangesPlacesIsToldOrSaidToBeLost(_ commands: String) async throws {
    let tree = try Tree()
    tree.run("mkdir d/s; mkdir d2; write d/f; write x; write d2/t")
    #expect(try await tree.agrees(), "\(tree.problems)")
    tree.run(commands)
    #expect(try await tree.agrees(), "\(tree.problems) \(tree.seen)")
  }

  /// A file is watched by its name, whatever is put in its place, and however fast.
  @Test(arguments: 1...200) func burstsOfOneFileAreTold(_ seed: Int) throws {
    var numbers = Numbers(state: UInt64(seed) &* 104_729)
    let folder = try Tree()
    folder.run("write x; write y")
    var watched = try WatchedTree(SystemPath(of: folder.root + "/x"), isRecursive: false, through: .open)
    var (isThere, seen) = (true, [String]())
    func status() -> (isThere: Bool, inode: UInt64) {
      var status = stat()
      return (lstat(folder.root + "/x", &status) == 0, UInt64(status.st_ino))
    }
    for _ in 0..<10 {
      let commands = (0..<(1 + numbers.below(4))).map { _ in
        let (one, other) = (["x", "x", "y", "z"][numbers.below(4)], ["x", "y", "z", "^o"][numbers.below(4)])
        return switch numbers.below(7) {
        case 0: "mkdir \(one)"
        case 1, 2: "write \(one)"
        case 3: "rm \(one)"
        case 4: "ln \(one)"
        default: "mv \(one) \(other)"
        }
      }
      let before = status()
      folder.run(commands.joined(separator: "; "))
      watched.take([])
      try watched.work()
      let changes = watched.takeChanges()
      for change in changes {
        seen.append("\(change.kind.rawValue) \(change.path)")
        #expect(change.path == "x")
        switch change.kind {
        case .removed: isThere = false
        case .created: isThere = true
        default: #expect(change.kind == .changed && isThere, "\(commands) \(seen)")
        }
      }
      let after = status()
      #expect(isThere == after.isThere, "\(commands) \(seen)")
      if before != after { #expect(!changes.isEmpty, "\(commands)") }
    }
  }

  @Test(arguments: 1...60) func burstsAreToldWhole(_ seed: Int) async throws {
    var numbers = Numbers(state: UInt64(seed) &* 7919)
    let tree = try Tree()
    tree.run("mkdir d/e; write d/x")
    func path() -> String {
      let names = (0...numbers.below(3)).map { _ in ["a", "b", "c", "d", "e"][numbers.below(5)] }
      return names.joined(separator: "/")
    }
    for _ in 0..<4 {
      var commands: [String] = []
      for step in 0..<(4 + numbers.below(40)) {
        let (one, other) = (path(), path())
        let command =
          switch numbers.below(12) {
          case 0: "mkdir \(one)"
          case 1: "write \(one)"
          case 2: "rm \(one)"
          case 3, 4: "mv \(one) \(other)"
          case 5: "mv \(one) ^\(step)"
          case 6: "mv ^\(step - 1 - numbers.below(5)) \(one)"
          case 7: "ln \(one)"
          case 8: "mkdir \(one)/m/n; write \(one)/z; write \(one)/m/n/k"
          case 9: "mkdir \(one)/q/r; mv \(one) \(other)"
          case 10: "mv \(one) ^\(step); mkdir \(one); mv \(one) \(other); mkdir \(one)/t"
          default: "mv \(one) ^\(step); write \(one)"
          }
        commands.append(command)
      }
      let seen = tree.seen.count
      tree.run(commands.joined(separator: "; "))
      let agrees = try await tree.agrees()
      #expect(agrees, "\(tree.problems) \(commands) \(tree.seen[seen...])")
      if !agrees || tree.overflows > 0 { break }
    }
    #expect(tree.overflows == 0)
  }
}
