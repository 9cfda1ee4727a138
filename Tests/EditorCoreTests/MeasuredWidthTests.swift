import EditorProtocol
import JSON
import Testing

@testable import EditorCore

/// Wrapping in the font of a foreign front end, which says how wide its text is.
struct MeasuredWidthTests {
  /// Breaks `text` at 80 units for a front end that answers `measure_width` by `answer`.
  private func driver(
    _ text: String, handshake: Bool = false, answer: @escaping ([String]) -> JSONValue?
  ) -> CoreDriver {
    let driver = CoreDriver(handshake: handshake)
    driver.answer = { method, params in
      #expect(method == "measure_width" && params.array?.count == 1)
      #expect(params[0]?["id"] == 8)
      return answer((params[0]?["strings"]?.array ?? []).compactMap(\.string))
    }
    driver.open()
    driver.edit("insert", ["chars": .string(text)])
    driver.edit("resize", ["width": 80, "height": 400])
    driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: ["word_wrap": true]))
    return driver
  }

  private func rows(_ driver: CoreDriver) -> [String] { driver.cache.lines.map { $0?.text ?? "?" } }

  /// A narrow i, and anything else 8 units wide.
  private static func width(_ cluster: String) -> JSONValue { cluster == "i" ? 2.5 : 8 }

  @Test func linesAreBrokenByTheWidthsOfTheFrontEnd() {
    var asked: [[String]] = []
    let driver = driver("iiii iiii iiii iiii iiii\nmmmm mmmm mmmm") { strings in
      asked.append(strings)
      return [.array(strings.map(Self.width))]
    }
    #expect(rows(driver) == ["iiii iiii iiii iiii ", "iiii\n", "mmmm mmmm ", "mmmm"])
    #expect(asked.count == 1 && asked.first?.count == 95, "all of ASCII at once")
    driver.edit("insert", ["chars": " ééé "])
    #expect(rows(driver).suffix(2) == ["mmmm mmmm ", "mmmm ééé "])
    driver.edit("insert", ["chars": "é"])
    #expect(asked.count == 2 && asked.last == ["é"], "each cluster once")
    #expect(driver.cache.problems == [])
  }

  @Test func ourOwnFrontEndIsNotAsked() {
    let driver = driver(String(repeating: "word ", count: 20), handshake: true) { _ in
      Issue.record("cells need no measuring")
      return nil
    }
    #expect(rows(driver).first == String(repeating: "word ", count: 16))
  }

  @Test(
    arguments: [nil, [], [[]], "wide", [[-1, 1e300, "x"]], [.array(Array(repeating: 1e308, count: 95))]] as [JSONValue?]
  )
  func anAnswerThatIsNoneLeavesTheCells(_ answer: JSONValue?) {
    let driver = driver(String(repeating: "word ", count: 20)) { _ in answer }
    #expect(rows(driver).first == String(repeating: "word ", count: 16))
    driver.edit("insert", ["chars": "x"])
    #expect(driver.markedText.hasSuffix("word x‸"))
  }
}
