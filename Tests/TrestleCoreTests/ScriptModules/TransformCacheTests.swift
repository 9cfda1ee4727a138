import Foundation
import Testing

@testable import TrestleCore

/// What sources became, on disk.
@Suite struct TransformCacheTests {
  private let root: URL
  private let cache: TransformCache
  private let key = TransformCache.Key(transformer: "t 1", options: ["--a"], source: "let a")

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    cache = TransformCache(folder: root.path + "/trestle/transforms")
  }

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: cache.folder).sorted() }

  private func finish() { try? FileManager.default.removeItem(at: root) }

  private func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func givesWhatItWasGiven() throws {
    defer { finish() }
    #expect(cache.read(key) == nil)
    cache.write("ü\n", for: key)
    #expect(cache.read(key) == "ü\n")
    cache.write("", for: key)
    #expect(cache.read(key) == "")
    #expect(cache.read(TransformCache.Key(transformer: "t 2", options: ["--a"], source: "let a")) == nil)
    #expect(cache.read(TransformCache.Key(transformer: "t 1", options: [], source: "let a")) == nil)
    #expect(cache.read(TransformCache.Key(transformer: "t 1", options: ["--a"], source: "let b")) == nil)
    #expect(try files().count == 1)
  }

  @Test func isOfTheUserAlone() throws {
    defer { finish() }
    cache.write("a", for: key)
    #expect(try permissions(of: cache.folder) == 0o700)
    let file = cache.folder + "/" + (try #require(try files().first))
    #expect(try permissions(of: file) == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
    #expect(cache.read(key) == nil)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(cache.read(key) == "a")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: cache.folder)
    #expect(cache.read(key) == nil)
  }

  /// Another entry in its place, or half of it.
  @Test func anEntryIsComparedAsAWhole() throws {
    defer { finish() }
    cache.write("result", for: key)
    let name = try #require(try files().first)
    let file = URL(filePath: cache.folder + "/" + name)
    let bytes = try Data(contentsOf: file)
    for length in 0..<bytes.count {
      try bytes.prefix(length).write(to: file)
      #expect(cache.read(key) == nil)
    }
    try (bytes + Data("x".utf8)).write(to: file)
    #expect(cache.read(key) == nil)
    let other = TransformCache.Key(transformer: "t 1", options: ["--a"], source: "let b")
    cache.write("other", for: other)
    let otherName = try #require(try files().first { $0 != name })
    try FileManager.default.removeItem(at: file)
    try FileManager.default.copyItem(at: URL(filePath: cache.folder + "/" + otherName), to: file)
    #expect(cache.read(key) == nil && cache.read(other) == "other")
  }

  @Test func aLinkIsNoEntry() throws {
    defer { finish() }
    cache.write("result", for: key)
    let file = URL(filePath: cache.folder + "/" + (try #require(try files().first)))
    let elsewhere = root.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: file, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
    #expect(cache.read(key) == nil)
    // Written anew the link goes, not what it leads to.
    cache.write("new", for: key)
    #expect(cache.read(key) == "new")
    #expect(try String(contentsOf: elsewhere, encoding: .utf8).hasSuffix("result"))
  }

  @Test func theOldestGo() throws {
    defer { finish() }
    var cache = cache
    cache.countLimit = 10
    let keys = (0..<20).map { TransformCache.Key(transformer: "", options: [], source: "\($0)") }
    for (index, key) in keys.enumerated() {
      let before = Set((try? files()) ?? [])
      cache.write("x", for: key)
      for name in try files() where !before.contains(name) {
        let date = Date(timeIntervalSince1970: 1_000_000 + Double(index))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: cache.folder + "/" + name)
      }
    }
    let folder = Glibc.open(cache.folder, O_RDONLY)
    defer { close(folder) }
    cache.removeOldest(in: folder)
    #expect(try files().count <= 10)
    #expect(cache.read(keys[19]) == "x" && cache.read(keys[0]) == nil)
  }

  @Test func whereNothingCanBeWrittenNothingIsKept() {
    defer { finish() }
    let cache = TransformCache(folder: "/proc/nowhere/trestle/transforms")
    cache.write("x", for: key)
    #expect(cache.read(key) == nil)
  }
}
