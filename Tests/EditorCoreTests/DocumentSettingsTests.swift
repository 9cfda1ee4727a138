import Testing

@testable import EditorCore

@Suite struct DocumentSettingsTests {
  @Test func rulesAreThoseOfTheLanguageWhereCodeIsEdited() {
    var settings = DocumentSettings(language: "Swift", table: ["tab_size": 3])
    #expect(settings.config.tabSize == 3 && settings.rules == nil)
    settings.editsCode = true
    #expect(settings.rules?.lineComment == "//")
    settings.language = "Python"
    #expect(settings.rules?.lineComment == "#")
    settings.language = "Klingon"
    #expect(settings.rules?.name == "Klingon" && settings.rules?.lineComment == nil)
    settings.editsCode = false
    #expect(settings.rules == nil)
  }
}
