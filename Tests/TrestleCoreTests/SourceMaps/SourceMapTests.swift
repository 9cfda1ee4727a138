import Testing

@testable import TrestleCore

/// What maps say, and what is made of those that say nothing sensible.
@Suite struct SourceMapTests {
  private func decoded(
    _ mappings: String, sources: String = #"["a.ts", "b.ts"]"#, more: String = "", base: String = "/p/out/x.js"
  )
    -> SourceMap?
  {
    SourceMap(#"{"version": 3, "sources": \#(sources), "mappings": "\#(mappings)"\#(more)}"#, base: base)
  }

  @Test func placesOfSegments() throws {
    // Line 1: column 0 is a.ts 1:0, column 4 is a.ts 1:5. Line 2: nothing. Line 3: column 2 is b.ts 3:1.
    let map = try #require(decoded("AAAA,IAAK;;ECEJ"))
    func place(_ line: Int, _ column: Int) -> String {
      map.original(line: line, column: column).map { "\($0.source):\($0.line):\($0.column)" } ?? "none"
    }
    #expect(place(1, 1) == "/p/out/a.ts:1:1")
    #expect(place(1, 4) == "/p/out/a.ts:1:1")
    #expect(place(1, 5) == "/p/out/a.ts:1:6")
    #expect(place(1, 500) == "/p/out/a.ts:1:6")
    #expect(place(2, 1) == "none")
    #expect(place(3, 1) == "none")
    #expect(place(3, 3) == "/p/out/b.ts:3:2")
    // Of a line alone.
    #expect(place(3, 0) == "/p/out/b.ts:3:2")
    for line in [0, -1, 4, Int.max, Int.min + 1] { #expect(place(line, 1) == "none") }
  }

  @Test func whatWasInNoSource() throws {
    let map = try #require(decoded("A,CAAC,E"))
    #expect(map.original(line: 1, column: 1) == nil)
    #expect(map.original(line: 1, column: 2)?.column == 2)
    #expect(map.original(line: 1, column: 9) == nil)
  }

  @Test func segmentsInNoOrder() throws {
    // Columns 8, then 4 by a negative difference.
    let map = try #require(decoded("QAAA,JAAE"))
    #expect(map.original(line: 1, column: 5)?.column == 3)
    #expect(map.original(line: 1, column: 9)?.column == 1)
  }

  static let names: [(source: String, base: String, expected: String?)] = [
    ("a.ts", "/p/x.js", "/p/a.ts"), ("../src/./a.ts", "/p/out/x.js", "/p/src/a.ts"),
    ("../../../a.ts", "/p/x.js", "/a.ts"),
    ("/q/a.ts", "/p/x.js", "/q/a.ts"), ("../src/a.ts", "dist/x.js", "src/a.ts"), ("../../a.ts", "dist/x.js", "../a.ts"),
    ("../a.ts", "x.js", "../a.ts"), ("a.ts", "x.js", "a.ts"), ("webpack://m/a.ts", "/p/x.js", "webpack://m/a.ts"),
    ("file:///q/a.ts", "/p/x.js", "/q/a.ts"), ("a.ts", "https://h/d/x.js", "https://h/d/a.ts"), ("", "/p/x.js", nil),
    ("a\nb@c:1:1", "/p/x.js", nil), ("trestle:runtime", "/p/x.js", nil), ("x\u{1B}[0m", "/p/x.js", nil),
    (String(repeating: "a", count: 5000), "/p/x.js", nil), ("ä.ts", "/p/é/x.js", "/p/é/ä.ts"),
    ("./a.ts", "./x.js", "./a.ts"),
  ]

  @Test(arguments: names) func namesOfSources(source: String, base: String, expected: String?) {
    #expect(SourceName.resolved(source, base) == expected)
  }

  @Test func rootAndTexts() throws {
    let map = try #require(
      decoded("AAAA", sources: #"["a.ts", null]"#, more: #", "sourceRoot": "../src", "sourcesContent": ["one", null]"#))
    #expect(map.original(line: 1, column: 1)?.source == "/p/src/a.ts")
    #expect(map.texts == ["/p/src/a.ts": "one"])
    #expect(map.names("/p/src/a.ts") && !map.names("/etc/passwd"))
  }

  @Test func sections() throws {
    let inner = { (source: String) in #"{"version": 3, "sources": ["\#(source)"], "mappings": "AAAA;AACA"}"# }
    let text =
      #"{"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "map": \#(inner("a.ts"))}, "#
      + #"{"offset": {"line": 1, "column": 4}, "map": \#(inner("b.ts"))}]}"#
    let map = try #require(SourceMap(text, base: "/x.js"))
    #expect(map.original(line: 1, column: 3)?.source == "/a.ts")
    #expect(map.original(line: 2, column: 4) == SourceMap.Place(source: "/a.ts", line: 2, column: 1))
    #expect(map.original(line: 2, column: 5) == SourceMap.Place(source: "/b.ts", line: 1, column: 1))
    #expect(map.original(line: 3, column: 1) == SourceMap.Place(source: "/b.ts", line: 2, column: 1))
    #expect(map.original(line: 4, column: 1) == nil)
  }

  static let broken = [
    "", "{", "null", "[]", #"{"version": 2, "sources": [], "mappings": ""}"#, #"{"version": 3, "mappings": ""}"#,
    #"{"version": 3, "sources": [], "mappings": 1}"#, #"{"version": 3, "sources": ["a"], "mappings": "AAA"}"#,
    #"{"version": 3, "sources": ["a"], "mappings": "g"}"#, #"{"version": 3, "sources": ["a"], "mappings": "A A"}"#,
    #"{"version": 3, "sources": ["a"], "mappings": "gggggggggA"}"#,
    #"{"version": 3, "sources": ["a"], "mappings": "DAAA"}"#,
    #"{"version": 3, "sources": ["a"], "mappings": "AADA"}"#,
    #"{"version": 3, "sources": ["a"], "mappings": "AAAAAA"}"#,
    #"{"version": 3, "sections": [{}]}"#,
    #"{"version": 3, "sections": [{"offset": {"line": -1, "column": 0}, "map": {}}]}"#,
    #"{"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "map": {"version": 3, "sections": []}}]}"#,
  ]

  @Test(arguments: broken) func whatIsNoMap(text: String) { #expect(SourceMap(text, base: "/x.js") == nil) }

  /// To resolve them takes as many microseconds, on the thread that tells of an error.
  @Test func aMapOfTooManySources() {
    func list(_ count: Int) -> String { "[\(Array(repeating: #""s""#, count: count).joined(separator: ","))]" }
    #expect(decoded("AAAA", sources: list(50_000)) != nil)
    #expect(decoded("AAAA", sources: list(50_001)) == nil)
    let section =
      #"{"offset": {"line": 0, "column": 0}, "map": {"version": 3, "sources": \#(list(30_000)), "mappings": ""}}"#
    #expect(SourceMap(#"{"version": 3, "sections": [\#(section), \#(section)]}"#, base: "/x.js") == nil)
  }

  /// They are read once each, not each with all before it.
  @Test(.timeLimit(.minutes(2))) func aMapOfManySections() {
    let section = #"{"offset": {"line": 0, "column": 0}, "map": {"version": 3, "sources": [], "mappings": ""}}"#
    let sections = Array(repeating: section, count: 100_000).joined(separator: ",")
    #expect(SourceMap(#"{"version": 3, "sections": [\#(sections)]}"#, base: "/x.js") != nil)
  }

  @Test func aSourceThatIsNotThere() throws {
    let map = try #require(decoded("AgBAA"))
    #expect(map.original(line: 1, column: 1) == nil)
  }

  @Test func aMapBehindALineForBrowsers() {
    #expect(SourceMap(")]}'\n" + #"{"version": 3, "sources": ["a"], "mappings": "AAAA"}"#, base: "/x.js") != nil)
  }

  /// Texts at random, mostly of what mappings are made of: each is decoded or refused.
  @Test func anyTextIsDecodedOrRefused() {
    var generator = SeededGenerator(seed: 14)
    let signs = Array("AABCDEFgghij/+;;,,,=\" \u{0}ü")
    var count = 0
    for _ in 0..<20_000 {
      let text = String((0..<generator.below(40)).map { _ in signs[generator.below(signs.count)] })
      guard let mappings = SourceMapMappings(text) else { continue }
      count += 1
      for line in -1...5 { for column in [nil, 0, 3, 1 << 40] { _ = mappings.segment(line: line, column: column) } }
    }
    #expect(count > 500)
  }

  /// A good map with bytes changed at random.
  @Test func aMapThatIsDamaged() {
    var generator = SeededGenerator(seed: 15)
    let text = Array(
      #"{"version":3,"sources":["a.ts","b.ts"],"sourcesContent":["x",null],"names":[],"mappings":"AAAA,IAAK;;ECEJ,QAAA"}"#
        .utf8)
    for _ in 0..<5000 {
      var bytes = text
      for _ in 0...generator.below(3) {
        bytes[generator.below(bytes.count)] = UInt8(truncatingIfNeeded: generator.next())
      }
      guard let map = SourceMap(String(decoding: bytes, as: UTF8.self), base: "/p/x.js") else { continue }
      for line in 0...4 { _ = map.original(line: line, column: generator.below(10)) }
    }
  }
}
