import EventLoop
import Testing

@testable import TrestleCore

/// Maps of scripts, and the stacks that they are for.
@Suite struct SourceMapsTests {
  static let comments: [(script: String, url: String?, rest: String)] = [
    ("x\n//# sourceMappingURL=a.map", "a.map", "x\n"), ("x\n//# sourceMappingURL=a.map\n \n", "a.map", "x\n"),
    ("x\r\n//@ sourceMappingURL=a.map\r\n", "a.map", "x\r\n"), ("//# sourceMappingURL=a.map", "a.map", ""),
    ("x //# sourceMappingURL=a.map", nil, ""), ("//# sourceMappingURL=a.map\nx", nil, ""), ("", nil, ""),
    ("\n", nil, ""),
    ("//# sourceMappingURL=", nil, ""), ("//# sourceMappingURL=a b", nil, ""),
  ]

  @Test(arguments: comments) func theLastLine(script: String, url: String?, rest: String) {
    let comment = SourceMapComment(in: script)
    #expect(comment?.url == url)
    if url != nil { #expect(comment.map { String($0.rest) } == rest) }
  }

  static let urls: [(url: String, content: String?)] = [
    ("data:application/json;base64,e30=", "{}"), ("data:application/json;charset=utf-8;base64,e30", "{}"),
    ("data:application/json,%7B%7d", "{}"), ("data:text/html,{}", nil), ("data:application/json", nil), ("a.map", nil),
    ("data:application/json,%7", nil), ("data:application/json,%zz", nil), ("data:application/json;base64,e!", nil),
    ("data:application/json,%ff", nil), ("data:,", nil),
  ]

  @Test(arguments: urls) func mapsWithinAScript(url: String, content: String?) {
    #expect(SourceMapComment.content(ofURL: url) == content)
  }

  private static let map =
    #"{"version": 3, "sources": ["../src/a.ts"], "sourcesContent": ["text"], "mappings": "AAAA;AACE"}"#
  private static let script = "x\n//# sourceMappingURL=data:application/json,\(map.replacing(" ", with: ""))"

  @Test func stacksShowWhereTheSourceWas() {
    let maps = SourceMaps()
    #expect(maps.isEmpty && maps.mapped("f@/p/out/a.js:2:5") == "f@/p/out/a.js:2:5")
    #expect(maps.note(Self.script, name: "/p/out/a.js", base: "/p/out/a.js") == "x\n")
    let stack =
      "f@/p/out/a.js:2:5\n/p/out/a.js:1:1\ng@/p/out/b.js:2:5\nglobal code@/p/out/a.js:2:0\n[native code]\n@/p/out/a.js:9:1\n"
    let expected =
      "f@/p/src/a.ts:2:3\n/p/src/a.ts:1:1\ng@/p/out/b.js:2:5\nglobal code@/p/src/a.ts:2:3\n[native code]\n@/p/out/a.js:9:1\n"
    #expect(maps.mapped(stack) == expected)
    // It is done once.
    #expect(maps.mapped(expected) == expected)
    #expect(maps.text(of: "/p/src/a.ts") == "text" && maps.names("/p/src/a.ts") && !maps.names("/p/out/a.js"))
    // Another script takes the name.
    maps.note("y", name: "/p/out/a.js", base: "/p/out/a.js")
    #expect(maps.isEmpty && maps.mapped(stack) == stack)
  }

  @Test func aMapIsReadOnceAndWhenItIsNeeded() {
    let (maps, reads) = (SourceMaps(), Lock<[String]>([]))
    maps.note("x\n//# sourceMappingURL=maps/a.js.map", name: "a", base: "/p/out/a.js") { url in
      reads.withLock { $0.append(url) }
      return Self.map
    }
    maps.note("x\n//# sourceMappingURL=nowhere", name: "b", base: "/p/b.js") { url in
      reads.withLock { $0.append(url) }
      return nil
    }
    #expect(reads.withLock { $0 }.isEmpty)
    // Relative to where the map lies.
    for _ in 0..<3 { #expect(maps.mapped("f@a:1:1\nf@b:1:1") == "f@/p/out/src/a.ts:1:1\nf@b:1:1") }
    #expect(reads.withLock { $0 } == ["maps/a.js.map", "nowhere"])
  }

  @Test func manyMapsAreDecodedAgain() {
    let maps = SourceMaps()
    for index in 0..<40 { maps.note(Self.script, name: "/p/out/\(index).js", base: "/p/out/x.js") }
    for _ in 0..<2 {
      for index in 0..<40 { #expect(maps.mapped("@/p/out/\(index).js:1:1") == "@/p/src/a.ts:1:1") }
    }
  }

  /// A script may have made it.
  @Test func aStackReadsEachMapOnce() {
    let (maps, reads) = (SourceMaps(), Lock(0))
    for index in 0..<40 {
      maps.note("x\n//# sourceMappingURL=a.map", name: "/p/out/\(index).js", base: "/p/out/x.js") { _ in
        reads.withLock { $0 += 1 }
        return Self.map
      }
    }
    let stack = (0..<400).map { "@/p/out/\($0 % 40).js:1:1" }.joined(separator: "\n")
    #expect(Set(maps.mapped(stack).split(separator: "\n")) == ["@/p/src/a.ts:1:1"])
    #expect(reads.withLock { $0 } == 40)
  }

  /// Nothing ends what is read for it.
  @Test func aStackReadsOnlySoManyMaps() {
    let (maps, reads) = (SourceMaps(), Lock(0))
    let long = Self.map + String(repeating: " ", count: 10 << 20)
    for index in 0..<10 {
      maps.note("x\n//# sourceMappingURL=a.map", name: "/p/out/\(index).js", base: "/p/out/x.js") { _ in
        reads.withLock { $0 += 1 }
        return long
      }
    }
    let lines = maps.mapped((0..<30).map { "@/p/out/\($0 % 10).js:1:1" }.joined(separator: "\n")).split(separator: "\n")
    #expect(reads.withLock { $0 } == 4)
    #expect(lines.count == 30 && lines.count { $0 == "@/p/src/a.ts:1:1" } == 12)
  }

  /// Of too many, or too large ones, the oldest are forgotten.
  @Test func thereIsRoomForSoMuch() {
    let maps = SourceMaps(greatestLength: 10_000)
    let long = "x\n//# sourceMappingURL=data:application/json," + String(repeating: "%20", count: 1000)
    maps.note(Self.script, name: "/p/out/first.js", base: "/p/out/x.js")
    for index in 0..<6 { maps.note(long, name: "\(index)", base: "") }
    #expect(maps.mapped("@/p/out/first.js:1:1") == "@/p/out/first.js:1:1")
    #expect(maps.mapped("@5:1:1") == "@5:1:1")
  }
}
