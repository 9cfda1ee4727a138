import EditorProtocol
import JSON
import Rope
import TestSupport
import Testing

@testable import EditorCore

/// What plugins say, right, damaged and at random, while a user types: the core goes on, answers each request once and with what is
/// true, makes the edits that fit, and tells of every change.
@Suite struct PluginFuzzTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func theTextIsRightWhateverPluginsSay(seed: UInt64) throws {
    let bench = try PluginFuzzBench(seed: seed)
    for step in 0..<250 {
      bench.doSomething()
      guard bench.problems.isEmpty else {
        Issue.record("step \(step): \(bench.problems.prefix(3))")
        return
      }
    }
    bench.finish()
    #expect(bench.problems == [])
    #expect(bench.editCount > 0 && bench.dataCount > 0)
  }

  /// Told of the whole text, it is not told of the changes once more that are in it.
  @Test func oneThatCatchesUpWhileItEditsIsToldOfEachChangeOnce() throws {
    let driver = CoreDriver(handshake: true)
    driver.open()
    driver.document?.plugins.areThere = true
    let plugin = FuzzPlugin(in: driver.session, number: 1, revision: driver.document?.buffer.revision ?? 0, text: [])
    plugin.keepsAnswers = true
    for _ in 0..<100 {
      driver.edit("insert", ["chars": "x"])
      #expect(plugin.hasCaughtUp || plugin.revision > 60)
    }
    #expect(!plugin.hasCaughtUp)
    let revision = driver.document?.buffer.revision ?? 0
    let edit: JSONValue = [
      "method": "edit",
      "params": [
        "view_id": .string(driver.view.rawValue), "plugin_id": JSONValue(plugin.id),
        "edit": [
          "rev": JSONValue(revision), "priority": 1, "after_cursor": false, "author": "fuzz",
          "delta": ["base_len": 100, "els": [["insert": "!"], ["copy": [0, 100]]]],
        ],
      ],
    ]
    plugin.answer(after: [edit])
    driver.settle()
    driver.edit("insert", ["chars": "y"])
    driver.run { plugin.hasCaughtUp }
    #expect(plugin.problems == [])
    #expect(plugin.text == Array(("!" + String(repeating: "x", count: 100) + "y").utf8))
    driver.session.plugins.end()
  }
}

/// A core with a user and a plugin that has lost its mind.
private final class PluginFuzzBench {
  let driver = CoreDriver(handshake: true)
  private var mutator: MessageMutator
  private var plugin: FuzzPlugin?
  private var pluginCount = 0
  private var markerCount = 0
  /// A text in the text that is there once, and marked.
  private var marked: String?
  private var ownProblems: [String] = []
  private(set) var editCount = 0
  private(set) var dataCount = 0

  init(seed: UInt64) throws {
    mutator = MessageMutator(seed: seed)
    driver.open()
    driver.edit("paste", ["chars": "one two\nthrée 日本\n👩‍🚀 four\n"])
    attach()
  }

  var problems: [String] { ownProblems + (plugin?.problems ?? []) + driver.cache.problems }

  private var text: [UInt8] { driver.document.map { $0.buffer.text.bytes(in: $0.buffer.text.fullRange) } ?? [] }

  private func attach() {
    pluginCount += 1
    driver.document?.plugins.areThere = true
    plugin = FuzzPlugin(
      in: driver.session, number: pluginCount, revision: driver.document?.buffer.revision ?? 0, text: text)
    plugin?.send(["method": "add_scopes", "params": ["view_id": "view-id-1", "scopes": [["comment"], ["string"]]]])
    driver.settle()
  }

  func doSomething() {
    switch mutator.number(below: 10) {
    case 0...3: type()
    case 4: edit()
    case 5: ask()
    default: say()
    }
    replacePlugin()
    check()
  }

  private func type() {
    let words = ["a", "é", "日本", "\n", "👩‍🚀", "x y "]
    let commands = [
      "move_left", "move_up", "move_right_and_modify_selection", "move_to_beginning_of_document", "delete_backward",
      "delete_forward", "undo", "redo", "insert_newline", "duplicate_line", "transpose", "move_down",
    ]
    if text.count > 4000 {
      driver.edit("select_all")
      driver.edit("delete_backward")
    }
    if mutator.isOne(in: 6) {
      for word in words.prefix(3) { driver.perform(driver.view, .insert(word)) }
      driver.session.views.sendUpdates()
      driver.settle()
    } else if mutator.isOne(in: 2) {
      driver.edit("insert", ["chars": .string(words[mutator.number(below: words.count)])])
    } else {
      driver.edit(commands[mutator.number(below: commands.count)])
    }
    driver.run { plugin?.hasCaughtUp != false }
  }

  /// An edit that fits a text that was there is made, one of a text of another length is not. Its text is marked.
  private func edit() {
    guard let plugin, let (revision, base) = plugin.anyText(&mutator) else { return }
    let place = boundary(in: base)
    let isLie = mutator.isOne(in: 4)
    let isLatest = revision == driver.document?.buffer.revision
    let before = text
    markerCount += 1
    let marker = "⟨\(markerCount)⟩"
    plugin.edit(
      revision, of: base.count + (isLie ? 1 : 0), at: place, upTo: base.count, inserting: marker,
      priority: mutator.number(below: 0x20000), in: driver.view)
    driver.settle()
    if plugin.isGone { return }
    editCount += 1
    let expected = Array(base[..<place]) + Array(marker.utf8) + Array(base[place...])
    let isRight =
      isLie ? text == before : isLatest ? text == expected : String(decoding: text, as: UTF8.self).contains(marker)
    if !isRight { ownProblems.append("an edit of revision \(revision), \(isLie ? "which lies" : "not made")") }
    if isLatest, isRight, !isLie { mark(marker, at: place) }
  }

  private func mark(_ marker: String, at place: Int) {
    driver.run { plugin?.hasCaughtUp != false }
    plugin?.mark(place..<place + marker.utf8.count, in: driver.view)
    driver.settle()
    marked = marker
  }

  private func boundary(in bytes: [UInt8]) -> Int {
    var place = mutator.number(below: bytes.count + 1)
    while place < bytes.count, UTF8Sequence.isContinuation(bytes[place]) { place -= 1 }
    return place
  }

  /// For a piece of a text that was there: that is answered.
  private func ask() {
    guard let plugin, let (revision, base) = plugin.anyText(&mutator) else { return }
    let start = boundary(in: base)
    let size = mutator.number(below: 30)
    plugin.request(
      "get_data",
      [
        "view_id": .string(driver.view.rawValue), "start": JSONValue(start), "unit": "utf8",
        "max_size": JSONValue(size),
        "rev": JSONValue(revision),
      ])
    driver.settle()
    dataCount += 1
    var end = min(start + size, base.count)
    while end < base.count, end > start, UTF8Sequence.isContinuation(base[end]) { end -= 1 }
    let answer = plugin.lastAnswer?["result"]
    let newlines = base[..<start].indices.filter { base[$0] == 10 }
    if answer?["chunk"]?.string != String(decoding: base[start..<end], as: UTF8.self)
      || answer?["first_line"]?.int != newlines.count
      || answer?["first_line_offset"]?.int != start - (newlines.last.map { $0 + 1 } ?? 0)
    {
      ownProblems.append("get_data: \(String(describing: answer)) of \(start), \(size)")
    }
  }

  /// Anything, mostly damaged.
  private func say() {
    guard let plugin else { return }
    marked = nil
    let messages = plugin.messages(in: driver.view, length: text.count)
    let message = messages[mutator.number(below: messages.count)]
    switch mutator.number(below: 8) {
    case 0...2: plugin.send(message)
    case 3...4: plugin.send(mutator.mutated(message))
    case 5...6: plugin.send(mutator.withOtherNumber(message))
    default:
      var writer = JSONWriter()
      writer.write(message)
      plugin.send(line: mutator.damaged(Array(writer.bytes)))
    }
    driver.settle()
  }

  /// One that keeps saying what means nothing is ended.
  private func replacePlugin() {
    guard let plugin, plugin.isGone else { return }
    if !statusItems.isEmpty { ownProblems.append("status items of a plugin that is gone are still there") }
    if let marks = driver.textView?.marks, marks.spans[plugin.id] != nil || marks.annotations[plugin.id] != nil {
      ownProblems.append("marks of a plugin that is gone are still there")
    }
    ownProblems += plugin.problems
    marked = nil
    attach()
  }

  private var statusItems: Set<String> {
    driver.notifications.reduce(into: []) { keys, notification in
      switch notification {
      case .addStatusItem(_, let item): keys.insert(item.key)
      case .removeStatusItem(_, let key): keys.remove(key)
      default: break
      }
    }
  }

  /// What the front end shows is the text, and all marks lie within it.
  private func check() {
    driver.run { plugin?.hasCaughtUp != false }
    if let plugin, plugin.text != text { ownProblems.append("the plugin has another text") }
    if let open = plugin?.openRequests, !open.isEmpty { ownProblems.append("unanswered: \(open)") }
    let lines = driver.cache.lines.map { $0 }
    if lines.allSatisfy({ $0 != nil }) {
      let shown = lines.reduce(into: [UInt8]()) { $0 += ($1?.text ?? "").utf8 }
      if shown != text { ownProblems.append("another text is shown") }
    }
    for line in lines.compactMap({ $0 }) {
      let count = line.text?.utf8.count ?? 0
      for style in line.styles ?? [] where style.start < 0 || style.length < 0 || style.start + style.length > count {
        ownProblems.append("a style outside of its line: \(style)")
      }
    }
    checkMark()
    for annotation in driver.cache.annotations {
      for range in annotation.ranges where range.upperBound.line >= max(lines.count, 1) {
        ownProblems.append("an annotation outside of the text: \(range)")
      }
    }
  }

  private func checkMark() {
    guard let marker = marked.map({ Array($0.utf8) }), let plugin,
      let spans = driver.textView?.marks.spans[plugin.id],
      let place = text.indices.first(where: { text[$0...].starts(with: marker) }),
      !text[(place + 1)...].indices.contains(where: { text[$0...].starts(with: marker) })
    else { return }
    let range = ByteOffset(place)..<ByteOffset(place + marker.count)
    if spans.touching(range).map(\.range) != [range] {
      ownProblems.append("the mark of \(marked ?? "") has moved")
    }
  }

  func finish() {
    driver.edit("insert", ["chars": "!"])
    check()
    if !text.contains(UInt8(ascii: "!")) { ownProblems.append("the core takes no keys") }
    driver.session.plugins.end()
  }
}
