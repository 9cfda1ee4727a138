import TestSupport
import Testing

/// Code, through the real binaries.
@Suite(.serialized, .offThePool) struct CodeEditingTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func codeIsTyped() throws {
    let session = try edit("a.swift")
    try session.wait(toSee: "New file")
    try session.type("func f(x")
    try session.wait(for: "the pair") { $0.line(0) == "  1 func f(x)" }
    try session.type(") {\rif x {\ry\u{1B}[B")
    try session.wait(for: "the blocks") { $0.line(2) == "  3         y" && $0.line(4) == "  5 }" }
    try session.type("\u{1F}")
    try session.wait(for: "the comment") { $0.line(3) == "  4     // }" }
    try session.type("\u{1F}\u{1B}[1;4A")
    try session.wait(for: "the line above") { $0.line(2) == "  3     }" && $0.line(3) == "  4         y" }
    try session.type("\u{1B}[1;4B")
    try session.wait(for: "the line below") { $0.line(3) == "  4     }" }
    try save(session)
    #expect(home.text(of: "a.swift") == "func f(x) {\n    if x {\n        y\n    }\n}\n")
    try quit(session)
  }

  @Test func aPasteStaysAsItIs() throws {
    let session = try edit("a.swift")
    try session.wait(toSee: "New file")
    try session.type("if x {\r\u{1B}[200~(\r  b\r}\u{1B}[201~")
    try session.wait(for: "the paste") { $0.line(1) == "  2     (" && $0.line(2) == "  3   b" && $0.line(3) == "  4 }" }
    try quit(session, answer: "\u{04}")
  }

  @Test func aLineIsCutAndPutBack() throws {
    try home.write("one\n  two\n", to: "a.txt")
    let session = try edit("a.txt")
    try session.wait(toSee: "2   two")
    try session.type("\u{18}")
    try session.wait(for: "the cut") { $0.line(0) == "  1   two" }
    try session.type("\u{1B}[B\u{16}")
    try session.wait(for: "the line") { $0.line(0) == "  1   two" && $0.line(1) == "  2 one" }
    try quit(session, answer: "\u{04}")
  }

  @Test func whatAProjectSaysIsObeyed() throws {
    try home.write("root = true\n[*.py]\nindent_style = tab\ntrim_trailing_whitespace = true\n", to: ".editorconfig")
    try home.write("def f():\n    x  \n    y\n", to: "a.py")
    let session = try edit("a.py")
    try session.wait(toSee: "3     y")
    try session.type("\u{1B}[F\r1")
    try session.wait(for: "the tab") { $0.line(1) == "  2     1" }
    try save(session)
    #expect(home.text(of: "a.py") == "def f():\n\t1\n    x\n    y\n")
    try quit(session)
  }
}
