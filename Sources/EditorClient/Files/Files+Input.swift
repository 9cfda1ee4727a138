import EditorProtocol

/// What was piped in.
extension Files {
  /// A core refuses a line of 256 MB.
  package static let longestOnWire = 240 << 20

  /// Puts bytes into the buffer that was opened last; the caret stays at its start.
  ///
  /// - Returns: How many there was room for.
  @discardableResult
  package func insert(_ bytes: [UInt8]) -> Int {
    guard let view = views.current, !bytes.isEmpty else { return 0 }
    if !bytes.needBytes, let text = String(validating: bytes, as: UTF8.self) {
      views.putIn(.paste(text), atTheStartOf: view)
      return bytes.count
    }
    var (count, wireCount) = (0, 0)
    while count < bytes.count, wireCount < Self.longestOnWire {
      wireCount += RawBytes.wireCount(of: bytes[count])
      count += 1
    }
    views.putIn(.insertBytes(RawBytes(Array(bytes[..<count]))), atTheStartOf: view)
    return count
  }

  /// What a core can do that takes text alone.
  func insertAsText(_ bytes: RawBytes, into view: EditorView) -> EditCommand {
    let text = String(decoding: bytes.bytes, as: UTF8.self)
    if !text.utf8.elementsEqual(bytes.bytes) {
      notices.alarm("This core takes UTF-8 alone; what is none was replaced by \u{FFFD}")
    }
    if text.hasCarriageReturnsAtAllLineEnds, let id = view.id {
      // What is typed into it ends its lines as it does.
      core.send(.modifyUserConfig(.userOverride(id), changes: ["line_ending": "\r\n"]))
    }
    return .paste(text)
  }
}

extension [UInt8] {
  /// What a paste would not leave as it is, or a file's reader would find to be something else.
  fileprivate var needBytes: Bool { contains { $0 == 0 || $0 == 0x0D } || starts(with: [0xEF, 0xBB, 0xBF]) }
}

extension String {
  /// There is a line end, and none is a line feed alone.
  fileprivate var hasCarriageReturnsAtAllLineEnds: Bool {
    var (previous, isAny) = (UInt8(0), false)
    for byte in utf8 {
      if byte == 0x0A {
        guard previous == 0x0D else { return false }
        isAny = true
      }
      previous = byte
    }
    return isAny
  }
}
