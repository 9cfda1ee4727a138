import Foundation
import JSON
import Testing

@testable import EditorCore

/// Runs the folders of `Tests/EditorCases`; their README says what they hold.
@Suite struct EditorCasesTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../EditorCases")

  private static var cases: [String] {
    let paths = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    return paths.filter { $0.hasSuffix("/commands") }.map { String($0.dropLast("/commands".count)) }.sorted()
  }

  @Test func thereAreCases() { #expect(Self.cases.count > 50) }

  @Test(arguments: cases)
  func editingCase(name: String) throws {
    let folder = Self.folder.appending(path: name)
    let language = try? String(contentsOf: folder.appending(path: "language"), encoding: .utf8)
    let driver = CoreDriver(handshake: language != nil)
    let hasText = FileManager.default.fileExists(atPath: folder.appending(path: "text").path)
    driver.open(hasText ? folder.appending(path: "text").path : nil)
    if let language {
      driver.notify(.setLanguage(driver.view, languageID: language.trimmingCharacters(in: .newlines)))
      #expect(driver.document?.settings.language == language.trimmingCharacters(in: .newlines))
    }
    driver.edit("scroll", [0, 40])
    var result: JSONValue?
    for line in try String(contentsOf: folder.appending(path: "commands"), encoding: .utf8).split(separator: "\n") {
      result = try perform(line, on: driver) ?? result
    }
    let expected = try String(contentsOf: folder.appending(path: "expected"), encoding: .utf8)
    #expect(driver.markedText == expected)
    if let wanted = try? String(contentsOf: folder.appending(path: "result"), encoding: .utf8) {
      #expect(JSONValue.array([result ?? .null]) == (try JSONValue(parsing: wanted)))
    }
    try expectCacheShowsText(driver)
  }

  /// - Returns: The answer, where there is one.
  private func perform(_ line: Substring, on driver: CoreDriver) throws -> JSONValue? {
    let parts = line.split(separator: " ", maxSplits: 1)
    let params = parts.count > 1 ? try JSONValue(parsing: String(parts[1])) : []
    switch parts[0] {
    case "config":
      driver.notify(.modifyUserConfig(.userOverride(driver.view), changes: try #require(params.object)))
    case "copy", "cut":
      return try driver.request(
        "edit", ["view_id": .string(driver.view.rawValue), "method": .string(String(parts[0])), "params": params]
      ).get()
    default: driver.edit(String(parts[0]), params)
    }
    return nil
  }
}

/// What the front end shows is the text, with the carets where they are.
func expectCacheShowsText(_ driver: CoreDriver, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let view = try #require(driver.textView, sourceLocation: sourceLocation)
  #expect(driver.difference(in: view) == nil, sourceLocation: sourceLocation)
  #expect(driver.log == [], sourceLocation: sourceLocation)
}
