import EditorProtocol
import JSON

/// What plugins say.
extension FuzzPlugin {
  /// Inserts a text at `place` of the text at `revision`, said to have `baseLength` bytes.
  func edit(
    _ revision: Int, of baseLength: Int, at place: Int, upTo end: Int, inserting text: String, priority: Int,
    in view: ViewID
  ) {
    let elements: JSONValue = [
      ["copy": [0, JSONValue(place)]], ["insert": .string(text)], ["copy": [JSONValue(place), JSONValue(end)]],
    ]
    send([
      "method": "edit",
      "params": [
        "view_id": .string(view.rawValue), "plugin_id": 3,
        "edit": [
          "rev": JSONValue(revision), "priority": JSONValue(priority), "after_cursor": false, "author": "fuzz",
          "delta": ["base_len": JSONValue(baseLength), "els": elements],
        ],
      ],
    ])
  }

  /// Gives a part of the text that is there its first scope.
  func mark(_ range: Range<Int>, in view: ViewID) {
    send([
      "method": "update_spans",
      "params": [
        "view_id": .string(view.rawValue), "start": JSONValue(range.lowerBound), "len": JSONValue(range.count),
        "rev": JSONValue(revision), "spans": [["start": 0, "end": JSONValue(range.count), "scope_id": 0]],
      ],
    ])
  }

  /// One of each kind, about a text of that length.
  func messages(in view: ViewID, length: Int) -> [JSONValue] {
    let (view, revision) = (JSONValue.string(view.rawValue), JSONValue(revision))
    let part: JSONObject = [
      "view_id": view, "plugin_id": 3, "rev": revision, "start": JSONValue(length / 3), "len": JSONValue(length / 2),
    ]
    var spans = part
    spans["spans"] = [
      ["start": 0, "end": JSONValue(length / 4), "scope_id": 0],
      ["start": 1, "end": JSONValue(length / 2), "scope_id": 1],
    ]
    var annotations = part
    annotations["spans"] = [["start": 0, "end": JSONValue(length / 3), "data": ["x": 1]]]
    annotations["annotation_type"] = ["Other": "lint"]
    let data: JSONValue = ["view_id": view, "start": 1, "unit": "line", "max_size": 100, "rev": revision]
    let edit: JSONValue = [
      "rev": revision, "priority": 5, "after_cursor": false, "author": "f",
      "delta": ["base_len": JSONValue(length), "els": [["copy": [0, JSONValue(length)]], ["insert": "z"]]],
    ]
    let item: JSONValue = ["view_id": view, "key": "k", "value": "v", "alignment": "left"]
    return [
      ["method": "add_scopes", "params": ["view_id": view, "scopes": [["comment"], ["source", "string"]]]],
      ["method": "update_spans", "params": .object(spans)],
      ["method": "update_annotations", "params": .object(annotations)],
      ["method": "edit", "params": ["view_id": view, "plugin_id": 3, "edit": edit]],
      ["method": "alert", "params": ["msg": "hello"]],
      ["method": "add_status_item", "params": item], ["method": "update_status_item", "params": item],
      ["method": "remove_status_item", "params": ["view_id": view, "key": "other"]],
      [
        "method": "show_hover",
        "params": ["view_id": view, "request_id": 1, "result": ["Ok": ["content": "é"]]],
      ],
      ["id": 1_000_001, "method": "get_data", "params": data],
      ["id": 1_000_002, "method": "line_count", "params": ["view_id": view]],
      ["id": 1_000_003, "method": "get_selections", "params": ["view_id": view]],
      ["id": 1_000_004, "method": "nothing", "params": ["view_id": view]], ["id": 999_999, "result": 0],
    ]
  }
}
