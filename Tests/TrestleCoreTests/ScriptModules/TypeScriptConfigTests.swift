import Foundation
import Testing

@testable import TrestleCore

/// `tsconfig.json`, as far as it says what one file becomes.
@Suite struct TypeScriptConfigTests {
  private func options(
    _ files: [String: String], for file: String = "src/a.ts", in folder: String = ""
  ) throws -> CompilerOptions {
    let root = FileManager.default.temporaryDirectory.appending(path: "config-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let url = root.appending(path: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let moduleRoot = ModuleRoot(root.path + "/" + folder)
    do throws(BridgeError) { return try TypeScriptConfig.options(for: root.path + "/" + file, in: moduleRoot) } catch {
      throw BridgeError(error.code, error.message, at: error.place?.replacing(root.path + "/", with: ""))
    }
  }

  @Test func theNearestCounts() throws {
    let options = try options([
      "tsconfig.json": #"{"compilerOptions": {"jsx": "react", "jsxFactory": "h", "jsxFragmentFactory": "Fragment"}}"#,
      "src/package.json": "{}",
    ])
    #expect(options.jsx == .classic && options.jsxFactory == "h" && options.jsxFragmentFactory == "Fragment")
    #expect(try self.options([:]) == CompilerOptions())
    #expect(
      try self.options(["tsconfig.json": "", "node_modules/p/a.ts": ""], for: "node_modules/p/a.ts")
        == CompilerOptions())
  }

  @Test func commentsAndCommasAreAllowed() throws {
    let options = try options([
      "src/tsconfig.json": """
      \u{FEFF}// "jsx": "react"
      { "compilerOptions": { /* , */ "jsx": "react-jsx", // }
        "jsxImportSource": "preact//x", /* "a" */
        "lib": ["a", /* b */ ],
        "strict": true, // last
      }, }
      """
    ])
    #expect(options.jsx == .automatic && options.jsxImportSource == "preact//x")
  }

  @Test func whatIsExtendedComesFirst() throws {
    let options = try options([
      "src/tsconfig.json": #"{"extends": ["../base", "pack/own.json"], "compilerOptions": {"jsxFactory": "own"}}"#,
      "base.json": #"{"extends": "./deeper.json", "compilerOptions": {"jsxFactory": "base", "jsx": "react"}}"#,
      "deeper.json": #"{"compilerOptions": {"useDefineForClassFields": false}}"#,
      "node_modules/pack/own.json": #"{"compilerOptions": {"verbatimModuleSyntax": true}}"#,
    ])
    #expect(options.jsx == .classic && options.jsxFactory == "own")
    #expect(!options.definesClassFields && options.keepsUnusedImports)
  }

  @Test(arguments: [("ES2021", false), ("es2022", true), ("ESNext", true), ("es5", false)])
  func classFieldsAreThoseOfTheTarget(target: String, isDefined: Bool) throws {
    let options = try options(["tsconfig.json": #"{"compilerOptions": {"target": "\#(target)"}}"#])
    #expect(options.definesClassFields == isDefined)
  }

  @Test(arguments: [
    ("{", "tsconfig.json", "no JSON object"), ("[]", "tsconfig.json", "no JSON object"),
    (#"{"extends": "./nowhere"}"#, "tsconfig.json", "extends './nowhere'"),
    (#"{"extends": "./tsconfig.json"}"#, "tsconfig.json", "without end"),
  ]) func whatIsWrongIsNamed(text: String, place: String, words: String) throws {
    let error = #expect(throws: BridgeError.self) { try options(["tsconfig.json": text]) }
    #expect(error?.place == place && error?.message.contains(words) == true, "\(String(describing: error))")
  }

  /// One that names another more than once is read for each of these.
  @Test func manyThatExtendManyAreRefused() throws {
    var files = ["tsconfig.json": #"{"extends": "./1.json"}"#, "6.json": "{}"]
    for i in 1...5 {
      let names = Array(repeating: #""./\#(i + 1).json""#, count: 40).joined(separator: ", ")
      files["\(i).json"] = #"{"extends": [\#(names)]}"#
    }
    let error = #expect(throws: BridgeError.self) { try options(files) }
    #expect(error?.code == .module && error?.message.contains("too many files") == true, "\(String(describing: error))")
  }

  @Test func whatLiesOutsideIsNotRead() throws {
    #expect(try options(["tsconfig.json": "{"], in: "src") == CompilerOptions())
    let files = ["src/tsconfig.json": #"{"extends": "../base.json"}"#, "base.json": "{"]
    let error = #expect(throws: BridgeError.self) { try options(files, in: "src") }
    #expect(error?.place == "src/tsconfig.json", "\(String(describing: error))")
    #expect(error?.message.contains("extends '../base.json': it lies outside of") == true)
  }

  @Test func anyTextIsTakenOrRefused() {
    var generator = SeededGenerator(seed: 3)
    let signs = Array("{}[],:\"\\/*a1 \n")
    for _ in 0..<5000 {
      let text = String((0..<generator.below(30)).map { _ in signs[generator.below(signs.count)] })
      #expect(TypeScriptConfig.withoutComments(text).count == text.utf8.count)
    }
  }
}
