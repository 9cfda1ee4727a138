import EditorProtocol
import JSON
import Testing

@testable import EditorClient

@Suite struct ChangesTests {
  private func bench(_ runs: [ChangedLines.Run], text: [String] = ["one", "two", "three"]) -> Bench {
    let bench = Bench(text)
    show(runs, in: bench)
    return bench
  }

  private func show(_ runs: [ChangedLines.Run]?, in bench: Bench) {
    var update = ViewUpdate(ops: [.copy(count: bench.editor.view?.cache.count ?? 0, firstNumber: 1)], pristine: true)
    update.handledEdits = bench.editor.view?.log.nextNumber
    update.changes = runs.map { ChangedLines(base: .head, added: 12, modified: 0, removed: 3, runs: $0) }
    bench.editor.handle(.update(Bench.view, update))
  }

  @Test func eachLineHasASign() {
    let bench = bench([.init(.added, line: 0, count: 1), .init(.modified, line: 1, count: 1)])
    #expect(bench.screen.prefix(3) == ["+ 1 one", "~ 2 two", "  3 three"])
    #expect(bench.screen.contains { $0.contains("+12 -3") })
    show([.init(.removed, line: 2, count: 1)], in: bench)
    #expect(bench.screen.prefix(3) == ["  1 one", "  2 two", "- 3 three"])
    show(nil, in: bench)
    #expect(bench.screen.prefix(3) == ["  1 one", "  2 two", "  3 three"])
    #expect(!bench.screen.contains { $0.contains("+12") })
  }

  /// They stand with the numbers, and go with them.
  @Test func withoutNumbersThereAreNone() {
    let bench = bench([.init(.added, line: 0, count: 3)])
    bench.press("{alt n}")
    #expect(bench.screen.first == "one")
  }

  /// What a core that lies says of lines that no text has.
  @Test func nonsense() {
    let bench = bench([.init(.added, line: 1 << 48, count: 1 << 48), .init(.added, line: 2, count: 0)])
    #expect(bench.screen.prefix(3) == ["  1 one", "  2 two", "  3 three"])
  }

  @Test func whatLinesWereIsShown() {
    let bench = bench([.init(.modified, line: 0, count: 1)])
    bench.press("{F2}show_change{enter}")
    let earlier = EarlierLines(base: .head, line: 0, count: 1, earlierCount: 2, text: "before\nit\n")
    bench.core.answer(.success(earlier.json))
    #expect(bench.screen.contains { $0.contains("2 lines in the last commit, 1 line now:") })
    #expect(bench.screen.contains { $0.contains("before") })
    bench.press("x")
    #expect(!bench.screen.contains { $0.contains("before") })
    bench.press("{F2}show_change{enter}")
    bench.core.answer(.success(.null))
    #expect(bench.bottom.contains("No line has changed here"))
  }

  @Test func anotherCoreIsNotAsked() {
    let bench = Bench(isOurCore: false)
    for name in ["show_change", "xiedit_next_change", "xiedit_revert_changes"] {
      bench.press("{F2}\(name){enter}")
      #expect(bench.bottom.contains("This core cannot"))
      #expect(bench.core.requests.isEmpty)
    }
  }
}
