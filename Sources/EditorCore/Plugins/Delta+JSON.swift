import JSON
import Rope

extension Delta {
  /// `{base_len, els: [{copy: [a, b]}, {insert: text}]}`; nil when it is none of `base`, or cuts a character.
  init?(pluginDelta json: JSONValue, base: Rope) {
    guard json["base_len"]?.int == base.byteCount, let list = json["els"]?.array else { return nil }
    var elements: [Element] = []
    for element in list {
      if let text = element["insert"]?.string {
        elements.append(.insert(Rope(text)))
      } else if let start = element["copy"]?[0]?.int, let end = element["copy"]?[1]?.int, 0 <= start, start <= end,
        end <= base.byteCount
      {
        for offset in [start, end] where offset < base.byteCount {
          if UTF8Sequence.isContinuation(base[ByteOffset(offset)]) { return nil }
        }
        elements.append(.copy(ByteOffset(start)..<ByteOffset(end)))
      } else {
        return nil
      }
    }
    self.init(baseByteCount: base.byteCount, elements: elements)
  }
}
