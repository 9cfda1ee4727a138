import JSON
import Rope

extension EditingTrace {
  /// The trace as `edit` messages: each patch places the caret, selects what it removes, and inserts or deletes.
  func script(forView view: String) -> [UInt8] {
    var writer = JSONWriter()
    var text = Rope(start)
    for patch in patches {
      let from = text.summary(before: CodePointOffset(patch.range.lowerBound))
      let to = text.summary(before: CodePointOffset(patch.range.upperBound))
      writer.writeGesture("point_select", at: from, in: text, view)
      if !patch.range.isEmpty { writer.writeGesture("range_select", at: to, in: text, view) }
      let inserted = String(decoding: patch.text, as: UTF8.self)
      if !inserted.isEmpty {
        writer.writeEdit(view, "insert", ["chars": .string(inserted)])
      } else if !patch.range.isEmpty {
        writer.writeEdit(view, "delete_backward", [])
      }
      text.replace(ByteOffset(from.bytes)..<ByteOffset(to.bytes), with: inserted)
    }
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func writeGesture(_ type: JSONValue, at place: TextSummary, in text: Rope, _ view: String) {
    let lineStart = text.convert(LineNumber(place.newlines), to: ByteOffset.self)
    writeEdit(
      view, "gesture",
      ["line": JSONValue(place.newlines), "col": JSONValue(place.bytes - lineStart.value), "ty": type])
  }

  fileprivate mutating func writeEdit(_ view: String, _ method: JSONValue, _ params: JSONValue) {
    write(["method": "edit", "params": ["view_id": .string(view), "method": method, "params": params]] as JSONValue)
    endLine()
  }
}
