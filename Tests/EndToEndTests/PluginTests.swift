import Glibc
import TestSupport
import Testing

/// Plugins, in front of their user.
@Suite(.serialized, .offThePool) struct PluginTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func folder(of plugin: String) -> String {
    for folder in ["", "/xiedit", "/xiedit/plugins", "/xiedit/plugins/\(plugin)"] {
      mkdir(home.path + "/config" + folder, 0o700)
    }
    return "config/xiedit/plugins/\(plugin)"
  }

  /// A plugin in shell: what it does for each `$line`, after it has answered the updates.
  private func install(_ name: String, _ script: String) throws {
    let folder = folder(of: name)
    try home.write("name = \"\(name)\"\nexec_path = \"./run\"\n", to: "\(folder)/manifest.toml")
    try home.write(script, to: "\(folder)/script")
    symlink("\(Products.package)/Tests/Fixtures/Plugin/run", "\(home.path)/\(folder)/run")
  }

  /// As its README has it.
  private func example() throws -> TerminalSession {
    let folder = folder(of: "text-tools")
    rmdir("\(home.path)/\(folder)")
    symlink("\(Products.package)/examples/editor-plugin", "\(home.path)/\(folder)")
    return try TerminalSession(
      [Products.xiedit, "a.txt"], in: home, columns: 80, rows: 14,
      environment: ["PATH": Products.folder + ":/usr/bin:/bin"])
  }

  @Test func theExampleCountsSortsAndTells() throws {
    try home.write("pear\nfig\napple\nfig\nétude\n", to: "a.txt")
    let session = try example()
    try session.wait(toSee: "5 words")
    try session.type("ripe ")
    try session.wait(toSee: "6 words")
    try session.type("\u{1B}OQ")
    try session.wait(toSee: "Command:")
    try session.type("text-tools")
    try session.wait(toSee: "Stop the plugin text-tools")
    try session.type("\u{15}sort the lines\r")
    try session.wait(toSee: "by numbers")
    try session.type("\r")
    try session.wait(toSee: "Leave out lines that are there twice:")
    try session.type("y\r")
    try session.wait(for: "sorted lines") {
      $0.lines[..<5] == ["  1 apple", "  2 fig", "  3 ripe pear", "  4 étude", "  5"]
    }
    try session.wait(toSee: "5 words")
    try session.type("\u{1A}")
    try session.wait(for: "the undo") { $0.line(0) == "  1 ripe pear" && $0.line(3) == "  4 fig" }
    // Only what is selected: the second line and the third.
    try session.type("\u{1B}[1;5H\u{1B}[B\u{1B}[1;2B\u{1B}[1;2B\u{1B}OQ\r\rno\r")
    try session.wait(for: "two sorted lines") {
      $0.lines[..<5] == ["  1 ripe pear", "  2 apple", "  3 fig", "  4 fig", "  5 étude"]
    }
    try session.type("\u{1B}[1;5F\u{1B}[A\u{1B}[A\u{1B}h")
    try session.wait(toSee: "\"fig\" occurs 2 times")
    try session.type("\u{1B}OQstop plug\r")
    try session.wait(toSee: "The plugin text-tools has stopped")
    try session.wait(for: "the words to go") { !$0.text.contains("6 words") }
    try session.type("\u{1B}OQstart plug\r")
    try session.wait(toSee: "6 words")
    try quit(session, answer: "\u{04}")
  }

  @Test(
    arguments: [
      ("hangs", "while :; do sleep 1; done", nil),
      ("dies", "read -r line; echo oh dear >&2; exit 3", "The plugin dies ended unexpectedly: oh dear"),
      (
        "lies",
        #"while read -r line; do echo '{"method":"edit","params":{"view_id":"view-id-1","edit":{"rev":0,"delta":{"base_len":999,"els":[]}}}}'; echo '{"id":0,"result":"yes"}'; done"#,
        nil
      ),
      (
        "floods",
        #"echo '{"method":"add_status_item","params":{"view_id":"view-id-1","key":"k","value":"v","alignment":"left"}}'; exec yes '{"method":"update_status_item","params":{"view_id":"view-id-1","key":"k","value":"flood"}}'"#,
        "flood"
      ),
      ("shouts", #"exec yes '{"method":"alert","params":{"msg":"again and again"}}'"#, "again and again"),
      ("babbles", "exec yes nonsense", "keeps saying what means nothing"),
    ] as [(String, String, String?)])
  func oneThatMisbehavesDoesNoHarmToAKey(_ name: String, _ script: String, _ sight: String?) throws {
    try home.write("one\n", to: "a.txt")
    try install(name, script + "\n")
    let session = try edit("a.txt", columns: 100)
    if let sight { try session.wait(toSee: sight) }
    try session.type("typed on, ")
    try session.wait(toSee: "1 typed on, one")
    try session.type("\u{13}")
    // The plugin may be named, and stand where the save is told.
    try session.wait(for: "the text to be saved") { !$0.line(10).contains("a.txt *") }
    #expect(home.text(of: "a.txt") == "typed on, one\n")
    try quit(session)
  }
}
