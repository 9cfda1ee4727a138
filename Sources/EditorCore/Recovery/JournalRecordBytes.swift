import EditorProtocol
import JSON
import Rope

// The payload's bytes: a kind, then its members in order.

extension JournalRecord {
  fileprivate enum Kind: UInt64 {
    case base = 1
    case edit = 2
    case saving = 3
    case selection = 4
    case loaded = 5
    /// Those of views that are not the first have its number before the members.
    case editOfView = 6
    case selectionOfView = 7
    case origin = 8
    case history = 9
    case stepClosed = 10
    /// With the number of the view, and behind the members what it did to the undo steps.
    case editWithStep = 11
  }

  var payload: [UInt8] {
    var encoder = ByteEncoder()
    switch self {
    case .base(let base):
      encoder.write(Kind.base.rawValue)
      Array(base.path.utf8).withUnsafeBytes { encoder.write($0) }
      encoder.write(base.stamp)
      encoder.write(base.contents)
      encoder.write(base.image)
    case .edit(let edit):
      encoder.write(edit) { encoder, text in text.withBytes(in: text.fullRange) { encoder.write($0) } }
    case .saving(let revision, let contents, let image, let path):
      encoder.write(Kind.saving.rawValue)
      encoder.write(revision)
      encoder.write(contents)
      encoder.write(image)
      if let path { Array(path.utf8).withUnsafeBytes { encoder.write($0) } }
    case .loaded(let contents, let image):
      encoder.write(Kind.loaded.rawValue)
      encoder.write(contents)
      encoder.write(image)
    case .selection(let selection):
      encoder.write(.selection, .selectionOfView, selection.view)
      encoder.write(selection.handledEdits)
      encoder.write(selection.regions)
    case .origin(let origin):
      encoder.write(Kind.origin.rawValue)
      encoder.write(origin.encoding.number)
      encoder.write(origin.isOutdated ? 1 : 0)
    case .history(let history):
      encoder.write(history) { encoder, text in text.withBytes(in: text.fullRange) { encoder.write($0) } }
    case .stepClosed: encoder.write(Kind.stepClosed.rawValue)
    }
    return encoder.bytes
  }

  /// How much text it holds.
  var textByteCount: Int {
    switch self {
    case .edit(let edit): edit.delta.textByteCount
    case .history(let history): history.textByteCount
    default: 0
    }
  }

  /// The payload without a copy of long texts.
  var payloadText: Rope {
    var parts = Rope.Builder()
    var encoder = ByteEncoder()
    let writeText = { (encoder: inout ByteEncoder, text: Rope) in
      guard text.byteCount > 4096 else { return text.withBytes(in: text.fullRange) { encoder.write($0) } }
      encoder.write(text.byteCount)
      encoder.bytes.withUnsafeBytes { parts.append($0) }
      parts.append(text)
      encoder = ByteEncoder()
    }
    switch self {
    case .edit(let edit): encoder.write(edit, writeText)
    case .history(let history): encoder.write(history, writeText)
    default: return Rope(payload)
    }
    encoder.bytes.withUnsafeBytes { parts.append($0) }
    return parts.finish()
  }

  /// Nil when the bytes are no record.
  init?(payload: ArraySlice<UInt8>) {
    var decoder = ByteDecoder(payload)
    let kind = decoder.readNumber().flatMap(Kind.init)
    let isOfOtherView = kind == .editOfView || kind == .selectionOfView || kind == .editWithStep
    guard let view = isOfOtherView ? decoder.readCount() : 0 else { return nil }
    switch kind {
    case .base:
      guard let path = decoder.readBytes(), let hasFile = decoder.readNumber() else { return nil }
      let stamp = hasFile == 1 ? decoder.readStamp() : nil
      guard (stamp != nil) == (hasFile == 1), let contents = decoder.readContentIdentity(),
        let image = decoder.readImage()
      else { return nil }
      self = .base(
        JournalBase(path: String(decoding: path, as: UTF8.self), stamp: stamp, contents: contents, image: image))
    case .edit, .editOfView, .editWithStep:
      guard var edit = decoder.readEdit(ofView: view) else { return nil }
      if kind == .editWithStep {
        guard let step = decoder.readStep() else { return nil }
        edit.step = step
      }
      self = .edit(edit)
    case .saving:
      guard let revision = decoder.readNumber(), let contents = decoder.readContentIdentity(),
        let image = decoder.readImage()
      else { return nil }
      var path: String?
      if !decoder.isAtEnd {
        guard let bytes = decoder.readBytes() else { return nil }
        path = String(decoding: bytes, as: UTF8.self)
      }
      self = .saving(revision: revision, contents: contents, image: image, path: path)
    case .loaded:
      guard let contents = decoder.readContentIdentity(), let image = decoder.readImage() else { return nil }
      self = .loaded(contents, image)
    case .selection, .selectionOfView:
      guard let handledEdits = decoder.readCount(), let regions = decoder.readSelections() else { return nil }
      self = .selection(JournalSelection(view: view, handledEdits: handledEdits, regions: regions))
    case .origin:
      guard let encoding = decoder.readEncoding(), let isOutdated = decoder.readNumber() else { return nil }
      self = .origin(JournalOrigin(encoding: encoding, isOutdated: isOutdated == 1))
    case .history:
      guard let history = decoder.readHistory() else { return nil }
      self = .history(history)
    case .stepClosed: self = .stepClosed
    case nil: return nil
    }
    guard decoder.isAtEnd else { return nil }
  }
}

extension ByteEncoder {
  fileprivate mutating func write(_ contents: ContentIdentity) {
    write(contents.size)
    write(contents.hash)
  }

  /// 1 and the members, or 0.
  fileprivate mutating func write(_ stamp: FileStatus.Stamp?) {
    guard let stamp else { return write(0) }
    write(1)
    write(stamp.size)
    write(UInt64(bitPattern: stamp.modificationTime))
    write(stamp.device)
    write(stamp.inode)
  }

  fileprivate mutating func write(_ image: FileImage) {
    write(image.encoding.number)
    Array(image.addedEnd.utf8).withUnsafeBytes { write($0) }
  }

  fileprivate mutating func write(_ first: JournalRecord.Kind, _ other: JournalRecord.Kind, _ view: Int) {
    write((view == 0 ? first : other).rawValue)
    if view != 0 { write(view) }
  }

  fileprivate mutating func write(_ edit: JournalEdit, _ writeText: (inout ByteEncoder, Rope) -> Void) {
    if edit.step == nil {
      write(.edit, .editOfView, edit.view)
    } else {
      write(JournalRecord.Kind.editWithStep.rawValue)
      write(edit.view)
    }
    write(edit.revision)
    write(edit.undoGroup)
    write(edit.handledEdits)
    write(edit.delta, writeText)
    write(edit.selections)
    if let step = edit.step { write(step) }
  }

  private mutating func write(_ delta: Delta, _ writeText: (inout ByteEncoder, Rope) -> Void) {
    write(delta.baseByteCount)
    write(delta.edits.count)
    let edits = delta.edits
    for index in edits.indices {
      write(edits[index].range.lowerBound.value)
      write(edits[index].range.count)
      writeText(&self, edits[index].replacement)
    }
  }

  private mutating func write(_ step: JournalEdit.Step) {
    write(step.effect.number)
    write(step.kind.number)
    write((step.hasMore ? 1 : 0) | (step.changesOrigin ? 2 : 0))
  }

  fileprivate mutating func write(_ history: JournalHistory, _ writeText: (inout ByteEncoder, Rope) -> Void) {
    write(JournalRecord.Kind.history.rawValue)
    write(history.revision)
    write(history.state)
    write(history.openKind?.number ?? 0)
    write(history.openByteCount)
    defer { if let found = history.found { write(found) } }
    for steps in [history.done, history.undone] {
      write(steps.count)
      for step in steps {
        write(step.stateBefore)
        write(step.stateAfter)
        write(step.delta, writeText)
        write(step.origin == nil ? 0 : 1)
        guard let origin = step.origin else { continue }
        write(origin.origin.encoding.number)
        write(origin.origin.isOutdated ? 1 : 0)
        write(origin.format.bits)
      }
    }
  }

  private mutating func write(_ found: JournalHistory.Found) {
    write(found.format.bits)
    write(found.indentation["translate_tabs_to_spaces"]?.bool.map { $0 ? 2 : 1 } ?? 0)
    write(found.indentation["tab_size"]?.int ?? 0)
  }

  fileprivate mutating func write(_ selections: [JournalEdit.Selection]) {
    write(selections.count)
    for selection in selections {
      write(selection.anchor.value)
      write(selection.active.value)
    }
  }
}

extension TextFormat {
  fileprivate var bits: Int {
    (lineEnding == nil ? 0 : 1) | (lineEnding == .carriageReturnLineFeed ? 2 : 0) | (hasMixedLineEndings ? 4 : 0)
      | (endsWithNewline ? 8 : 0) | (isValidUTF8 ? 16 : 0)
  }

  fileprivate init(bits: Int) {
    self.init()
    lineEnding = bits & 1 == 0 ? nil : bits & 2 == 0 ? .lineFeed : .carriageReturnLineFeed
    (hasMixedLineEndings, endsWithNewline, isValidUTF8) = (bits & 4 != 0, bits & 8 != 0, bits & 16 != 0)
  }
}

extension UndoHistory.Effect {
  /// For good, as those below.
  fileprivate var number: Int {
    switch self {
    case .opensStep: 1
    case .continuesStep: 2
    case .joinsStep: 3
    case .undoes: 4
    case .redoes: 5
    }
  }
}

extension EditKind {
  fileprivate var number: Int {
    switch self {
    case .insert: 1
    case .newline: 2
    case .delete: 3
    case .indent: 4
    case .undo: 5
    case .redo: 6
    case .transpose: 7
    case .surround: 8
    case .other: 9
    }
  }
}

extension TextEncoding {
  /// For good: journals have it.
  fileprivate var number: UInt64 {
    switch self {
    case .utf8: 0
    case .utf8WithMark: 1
    case .utf16LittleEndian: 2
    case .utf16LittleEndianWithMark: 3
    case .utf16BigEndian: 4
    case .utf16BigEndianWithMark: 5
    case .latin1: 6
    case .windows1252: 7
    case .shiftJIS: 8
    case .gb18030: 9
    }
  }
}

extension ByteDecoder {
  fileprivate mutating func readContentIdentity() -> ContentIdentity? {
    guard let size = readCount(), let hash = readNumber() else { return nil }
    return ContentIdentity(size: size, hash: hash)
  }

  fileprivate mutating func readStamp() -> FileStatus.Stamp? {
    guard let size = readCount(), let time = readNumber(), let device = readNumber(), let inode = readNumber() else {
      return nil
    }
    return FileStatus.Stamp(
      size: size, modificationTime: Int64(bitPattern: time), device: device, inode: inode)
  }

  fileprivate mutating func readImage() -> FileImage? {
    guard let encoding = readEncoding(), let end = readBytes() else { return nil }
    var image = FileImage(encoding)
    image.addedEnd = String(decoding: end, as: UTF8.self)
    return image
  }

  fileprivate mutating func readEncoding() -> TextEncoding? {
    readNumber().flatMap { number in TextEncoding.allCases.first { $0.number == number } }
  }

  fileprivate mutating func readEdit(ofView view: Int) -> JournalEdit? {
    guard let revision = readNumber(), let undoGroup = readNumber(), let handledEdits = readCount(),
      let delta = readDelta(), let selections = readSelections()
    else { return nil }
    return JournalEdit(
      revision: revision, undoGroup: undoGroup, view: view, handledEdits: handledEdits, delta: delta,
      selections: selections)
  }

  fileprivate mutating func readSelections() -> [JournalEdit.Selection]? {
    guard let count = readCount() else { return nil }
    var selections: [JournalEdit.Selection] = []
    for _ in 0..<count {
      guard let anchor = readCount(), let active = readCount() else { return nil }
      selections.append(.init(anchor: ByteOffset(anchor), active: ByteOffset(active)))
    }
    return selections
  }

  fileprivate mutating func readStep() -> JournalEdit.Step? {
    guard let effect = readCount(), let kind = readKind(), let flags = readCount(),
      let effect = UndoHistory.Effect.allCases.first(where: { $0.number == effect })
    else { return nil }
    var step = JournalEdit.Step(effect, kind)
    (step.hasMore, step.changesOrigin) = (flags & 1 != 0, flags & 2 != 0)
    return step
  }

  private mutating func readKind() -> EditKind? {
    readCount().flatMap { number in EditKind.allCases.first { $0.number == number } }
  }

  fileprivate mutating func readHistory() -> JournalHistory? {
    guard let revision = readNumber(), let state = readState(), let openKind = readCount(),
      let openByteCount = readState(), let done = readSteps(), let undone = readSteps()
    else { return nil }
    var history = JournalHistory(
      revision: revision, done: done, undone: undone, state: state,
      openKind: EditKind.allCases.first { $0.number == openKind }, openByteCount: openByteCount)
    guard !isAtEnd else { return history }
    history.found = readFound()
    return history.found == nil ? nil : history
  }

  private mutating func readFound() -> JournalHistory.Found? {
    guard let format = readCount(), let tabs = readCount(), let width = readCount() else { return nil }
    var found = JournalHistory.Found(format: TextFormat(bits: format))
    if tabs != 0 { found.indentation["translate_tabs_to_spaces"] = .bool(tabs == 2) }
    if width != 0 { found.indentation["tab_size"] = JSONValue(width) }
    return found
  }

  /// A number that counting goes on from.
  private mutating func readState() -> Int? { readCount().flatMap { $0 < 1 << 53 ? $0 : nil } }

  private mutating func readSteps() -> [JournalHistory.Step]? {
    guard let count = readCount() else { return nil }
    var steps: [JournalHistory.Step] = []
    for _ in 0..<count {
      guard let before = readState(), let after = readState(), let delta = readDelta(), let hasOrigin = readCount()
      else { return nil }
      var step = JournalHistory.Step(stateBefore: before, stateAfter: after, delta: delta)
      if hasOrigin == 1 {
        guard let encoding = readEncoding(), let isOutdated = readCount(), let format = readCount() else { return nil }
        step.origin = .init(
          origin: JournalOrigin(encoding: encoding, isOutdated: isOutdated == 1), format: TextFormat(bits: format))
      }
      steps.append(step)
    }
    return steps
  }

  private mutating func readDelta() -> Delta? {
    guard let byteCount = readCount(), let count = readCount() else { return nil }
    var builder = Delta.Builder(baseByteCount: byteCount)
    var end = 0
    for _ in 0..<count {
      guard let start = readCount(), let length = readCount(), let text = readBytes() else { return nil }
      guard start >= end, start <= byteCount, length <= byteCount - start else { return nil }
      end = start + length
      builder.replace(ByteOffset(start)..<ByteOffset(end), with: Rope(text))
    }
    return builder.build()
  }
}
