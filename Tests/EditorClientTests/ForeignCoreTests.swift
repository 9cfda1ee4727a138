import EditorProtocol
import JSON
import TestSupport
import Testing

@testable import EditorClient

/// In front of a core of another project the editor sends only what that one has, typed as it has it: xi-core ends at anything
/// else.
@Suite struct ForeignCoreTests {
  private static let names: [Key.Code] = [
    .enter, .escape, .tab, .backspace, .delete, .insert, .home, .end, .pageUp, .pageDown, .up, .down, .left, .right,
    .function(1), .function(3), .function(5),
  ]

  @Test(arguments: 0..<40 as Range<UInt64>)
  func onlyWhatExistsIsSent(seed: UInt64) {
    var random = MessageMutator(seed: seed)
    let bench = Bench(["one two", "three (four)", "five"], isOurCore: false)
    var problems: Set<String> = []
    for _ in 0..<400 {
      bench.editor.handle(Self.event(&random))
      for notification in bench.core.takeSent() {
        let (method, params) = notification.encoded
        if let problem = XiCoreGrammar.problem(method, params, isRequest: false) { problems.insert(problem) }
      }
      while let (request, _) = bench.core.requests.first {
        let (method, params) = request.encoded
        if let problem = XiCoreGrammar.problem(method, params, isRequest: true) { problems.insert(problem) }
        bench.core.answer(.success(method == "new_view" ? "view-id-3" : method == "edit" ? "text" : [:]))
      }
      if random.isOne(in: 5) { bench.show(["text", "more"], pristine: random.isOne(in: 2)) }
      if random.isOne(in: 60) { bench.editor.coreWasReplaced() }
    }
    #expect(problems == [])
  }

  private static func event(_ random: inout MessageMutator) -> InputEvent {
    let modifiers: [Key.Modifiers] = [[], [], .shift, .control, .alt, [.control, .shift]]
    let modifier = modifiers[random.number(below: modifiers.count)]
    switch random.number(below: 12) {
    case 0: return .paste(Array("a\r\nb\u{7}".utf8))
    case 1: return .resize(columns: 20 + random.number(below: 80), rows: 4 + random.number(below: 30))
    case 2, 3:
      let actions: [MouseEvent.Action] = [.press, .drag, .release, .wheelUp, .wheelDown]
      return .mouse(
        MouseEvent(
          actions[random.number(below: 5)], column: random.number(below: 60), row: random.number(below: 12),
          modifiers: modifier, time: Int64(random.number(below: 1000)) * 1_000_000))
    case 4, 5: return .key(Key(names[random.number(below: names.count)], modifier))
    // The keys of commands more often than plain text.
    default:
      let letter = Character(UnicodeScalar(UInt8(0x20 + random.number(below: 95))))
      return .key(Key(.character("/~".contains(letter) ? "_" : letter), [[], .control, .alt][random.number(below: 3)]))
    }
  }

  @Test func whatDoesNotExistIsSeen() {
    let view = JSONValue("view-id-1")
    let edit = { (method: JSONValue, params: JSONValue?) -> String? in
      var object: JSONObject = ["view_id": view, "method": method]
      object["params"] = params
      return XiCoreGrammar.problem("edit", .object(object), isRequest: false)
    }
    #expect(edit("move_up", nil) == nil && edit("move_up", ["x": 1]) != nil && edit("xiedit_goto", [:]) != nil)
    #expect(edit("find_next", nil) != nil && edit("find_next", [:]) == nil && edit("scroll", ["first": 0]) != nil)
    #expect(edit("find", ["chars": "x"]) != nil && edit("find", ["chars": "x", "case_sensitive": true]) == nil)
    #expect(XiCoreGrammar.problem("xiedit_save", ["view_id": view], isRequest: true) != nil)
  }
}

/// What xi-core understands, written down from its own source: names, and the type of each member.
private enum XiCoreGrammar {
  private enum Kind: Sendable {
    case string, bool, count, number, object, any
    indirect case optional(Kind)

    func fits(_ value: JSONValue?) -> Bool {
      switch self {
      case .optional(let kind): value == nil || value?.isNull == true || kind.fits(value)
      case .string: value?.string != nil
      case .bool: value?.bool != nil
      case .count: value?.uint64 != nil
      case .number: value?.double != nil
      case .object: value?.object != nil
      case .any: value != nil
      }
    }
  }

  private typealias Members = [String: Kind]

  private static let notifications: [String: Members] = [
    "client_started": ["config_dir": .optional(.string), "client_extras_dir": .optional(.string)],
    "close_view": ["view_id": .string], "save": ["view_id": .string, "file_path": .string],
    "set_theme": ["theme_name": .string], "set_language": ["view_id": .string, "language_id": .string],
    "modify_user_config": ["domain": .any, "changes": .object], "tracing_config": ["enabled": .bool],
    "plugin": ["command": .string, "view_id": .string],
  ]
  private static let requests: [String: Members] = [
    "new_view": ["file_path": .optional(.string)], "get_config": ["view_id": .string],
    "debug_get_contents": ["view_id": .string],
  ]
  private static let query: Members = [
    "chars": .string, "case_sensitive": .bool, "regex": .optional(.bool), "whole_words": .optional(.bool),
  ]
  private static let motion: Members = [
    "wrap_around": .optional(.bool), "allow_same": .optional(.bool), "modify_selection": .optional(.string),
  ]
  private static let edits: [String: Members] = [
    "insert": ["chars": .string], "paste": ["chars": .string], "goto_line": ["line": .count],
    "gesture": ["line": .count, "col": .count, "ty": .any], "resize": ["width": .number, "height": .number],
    "highlight_find": ["visible": .bool], "find": query, "multi_find": ["queries": .any], "find_next": motion,
    "find_previous": motion, "selection_for_find": ["case_sensitive": .optional(.bool)],
    "replace": ["chars": .string, "preserve_case": .optional(.bool)],
    "request_hover": ["request_id": .count, "position": .optional(.object)],
    "toggle_recording": ["recording_name": .optional(.string)], "play_recording": ["recording_name": .string],
    "clear_recording": ["recording_name": .string],
  ]
  private static let arrays = ["scroll": 2, "request_lines": 2, "click": 4, "drag": 3]
  private static let plainEdits = Set(
    """
    delete_forward delete_backward delete_word_forward delete_word_backward delete_to_end_of_paragraph
    delete_to_beginning_of_line insert_newline insert_tab yank transpose undo redo uppercase lowercase capitalize indent outdent
    reindent debug_toggle_comment duplicate_line increase_number decrease_number replace_next replace_all select_all
    move_up move_up_and_modify_selection move_down move_down_and_modify_selection move_left
    move_left_and_modify_selection move_right move_right_and_modify_selection move_backward move_forward
    move_word_left move_word_left_and_modify_selection move_word_right move_word_right_and_modify_selection
    move_to_beginning_of_paragraph move_to_beginning_of_paragraph_and_modify_selection move_to_end_of_paragraph
    move_to_end_of_paragraph_and_modify_selection move_to_left_end_of_line
    move_to_left_end_of_line_and_modify_selection move_to_right_end_of_line
    move_to_right_end_of_line_and_modify_selection move_to_beginning_of_document
    move_to_beginning_of_document_and_modify_selection move_to_end_of_document
    move_to_end_of_document_and_modify_selection scroll_page_up page_up_and_modify_selection scroll_page_down
    page_down_and_modify_selection add_selection_above add_selection_below collapse_selections selection_into_lines
    find_all selection_for_replace debug_rewrap debug_wrap_width debug_print_spans
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Why xi-core would refuse a message; nil when it would not.
  static func problem(_ method: String, _ params: JSONValue, isRequest: Bool) -> String? {
    guard method == "edit" else {
      return problem(method, params, (isRequest ? requests : notifications)[method])
    }
    guard params["view_id"]?.string != nil, let edit = params["method"]?.string else { return "edit without a method" }
    if isRequest || plainEdits.contains(edit) {
      if isRequest, !["cut", "copy"].contains(edit) { return "the request \(edit)" }
      // Even an empty object is too much where there is more than that in it.
      let isEmpty = [nil, .null, [], [:]].contains(params["params"])
      return isEmpty ? nil : "\(edit) with params"
    }
    if let count = arrays[edit] {
      let numbers = params["params"]?.array ?? []
      return numbers.count == count && numbers.allSatisfy { $0.uint64 != nil } ? nil : "\(edit) of \(numbers)"
    }
    return problem(edit, params["params"] ?? .null, edits[edit])
  }

  private static func problem(_ method: String, _ params: JSONValue, _ members: Members?) -> String? {
    guard let members else { return "there is no \(method)" }
    guard let object = params.object else { return "\(method) without params" }
    return members.lazy.filter { !$0.value.fits(object[$0.key]) }.map { "\(method): \($0.key)" }.first
  }
}
