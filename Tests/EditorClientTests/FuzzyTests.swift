import Testing

@testable import EditorClient

@Suite struct FuzzyTests {
  private func best(_ typed: String, _ texts: [String]) -> [String] {
    var index = FuzzyIndex(texts)
    return index.search(FuzzyQuery(typed)).hits.map { texts[$0.index] }
  }

  @Test func lettersInTheirOrderAreFound() {
    #expect(
      best("dup", ["Undo", "Duplicate line", "update", "Delete up"]) == ["Duplicate line", "Delete up"])
    #expect(best("zz", ["Undo"]) == [])
    #expect(best("", ["b", "a"]) == ["b", "a"])
    #expect(best("li so", ["Sort lines", "Lines"]) == ["Sort lines"], "words in any order")
  }

  @Test func startsOfWordsAndNeighboursComeFirst() {
    #expect(best("gl", ["jungle", "Go to a line"]).first == "jungle")
    #expect(best("gtl", ["logistical", "Go to a line"]).first == "Go to a line")
    #expect(best("sa", ["Save all", "Spell again", "Visa"]).first == "Save all")
    #expect(best("kmt", ["src/kilometre", "Tests/KeyMapTests.swift"]).first == "Tests/KeyMapTests.swift")
    #expect(best("main", ["domain/x.c", "src/main.c"]).first == "src/main.c")
    #expect(
      best("rope", ["Tests/Rope/A.swift", "Sources/Rope/Text/Rope.swift"]).first == "Sources/Rope/Text/Rope.swift")
  }

  @Test func equallyGoodOnesKeepTheirOrderTheShorterFirst() {
    #expect(best("a", ["ab", "ac", "a"]) == ["a", "ab", "ac"])
  }

  @Test func matchesAreOffsetsOfTheBytes() {
    #expect(FuzzyQuery("éb").match("aÉ b")?.offsets == [1, 2, 4])
    #expect(FuzzyQuery("jl").match("join_lines")?.offsets == [0, 5])
    #expect(FuzzyQuery("日").match("本日")?.offsets == [3, 4, 5])
  }

  /// What is typed on is looked for in what was found; what is taken back is looked for anew.
  @Test func narrowingFindsTheSame() {
    let words = ["alpha", "beta", "Gamma/delta", "epsilon zeta", "a_b_c", "äöü", "x"]
    let texts = (0..<3000).map { "\(words[$0 % 7])/\(words[$0 / 7 % 7])/\($0)" }
    var index = FuzzyIndex(texts)
    for typed in ["a", "al", "alp", "al", "al 9", "al 99", "", "q", "ä", "ab", "abc 1", "7"] {
      var fresh = FuzzyIndex(texts)
      let (narrowed, all) = (index.search(FuzzyQuery(typed)), fresh.search(FuzzyQuery(typed)))
      #expect(narrowed.hits == all.hits && narrowed.count == all.count, "\(typed)")
      let plain = texts.count { text in FuzzyQuery(typed).words.allSatisfy { isSubsequence($0, of: text) } }
      #expect(all.count == plain, "\(typed)")
    }
  }

  private func isSubsequence(_ word: [UInt8], of text: String) -> Bool {
    var rest = word[...]
    for byte in FuzzyFolding.folded(text) where byte == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  @Test func theBestOfManyAreTold() {
    var texts = (0..<5000).map { "some long name with an x in it \($0)" }
    texts.append("x")
    var index = FuzzyIndex(texts)
    let found = index.search(FuzzyQuery("x"))
    #expect(found.count == 5001 && found.hits.count == FuzzyIndex.mostHits && found.hits.first?.index == 5000)
  }

  @Test func hugeTextsAndQueriesDoNoHarm() {
    let text = String(repeating: "ab", count: 100_000)
    #expect(best(String(repeating: "a", count: 1000), [text, "a"]) == [text])
    #expect(best(String(repeating: "a ", count: 1000), ["a"]) == ["a"])
    #expect(best("zb", ["z" + text]) == ["z" + text])
  }

  @Test func whatIsAddedIsFoundByTheSameQuery() {
    let texts = (0..<500).map { "folder \($0 % 7)/name\($0)" }
    var (index, whole) = (FuzzyIndex(), FuzzyIndex(texts))
    for (number, text) in texts.enumerated() {
      index.append(text)
      if number % 50 == 0 { _ = index.search(FuzzyQuery("n1")) }
    }
    for typed in ["n1", "n12", "3 n"] {
      #expect(index.search(FuzzyQuery(typed)).hits == whole.search(FuzzyQuery(typed)).hits, "\(typed)")
    }
  }
}
