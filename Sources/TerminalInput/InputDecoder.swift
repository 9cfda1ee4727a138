/// Turns what a terminal sends into events: keys, mouse (SGR 1006), bracketed paste (2004).
///
/// A lone Esc is the start of many sequences: the caller waits for more as long as ``patience`` says, then calls ``flush(at:)``.
package struct InputDecoder {
  private var buffer: [UInt8] = []
  private var paste: [UInt8]?
  /// Nothing has come inside the paste for so long that its end may be lost; what had come is delivered.
  private var isPasteSilent = false
  /// That has happened, and the user was told how to end it: by a byte that comes alone, however soon.
  private var isPasteDoubtful = false
  /// What came alone after that, and ends the paste unless more follows at once.
  private var leavingByte: UInt8?
  /// Sequences of this terminal that are none of the usual ones, from its description.
  private let described: [[UInt8]: Key]
  /// The byte that the backspace key sends, if it is not 0x7F.
  private let backspace: UInt8

  package init(described: [[UInt8]: Key] = [:], backspace: UInt8 = 0x7F) {
    self.described = described
    self.backspace = backspace
  }

  /// Whether bytes wait for those that complete them.
  package var isWaiting: Bool { !buffer.isEmpty || paste != nil }

  /// Esc, ^C and ^Q: nobody is locked out by an end of a paste that is lost.
  private static let leavingBytes: Set<UInt8> = [escape, 0x03, 0x11]
  private static let escape: UInt8 = 0x1B

  /// How long to wait for what completes the bytes at hand: longer where less can be meant by them alone, as a slow line may part any
  /// sequence. Nil when none wait.
  package var patience: Duration? {
    guard isWaiting else { return nil }
    if leavingByte != nil { return .milliseconds(100) }
    if paste != nil { return isPasteSilent ? nil : isPasteDoubtful ? .milliseconds(100) : .seconds(1) }
    // Half a character is nothing else.
    guard buffer.first == Self.escape else { return .seconds(2) }
    return buffer.count > 2 ? .seconds(1) : .milliseconds(buffer.count == 1 ? 25 : 100)
  }

  /// - Parameters:
  ///   - bytes: Of one read.
  ///   - time: Of the mouse events, in nanoseconds.
  package mutating func decode(_ bytes: some Collection<UInt8>, at time: Int64 = 0) -> [InputEvent] {
    guard let first = bytes.first else { return [] }
    if let byte = leavingByte {
      buffer.append(byte)
      leavingByte = nil
    } else if isPasteDoubtful, bytes.count == 1, Self.leavingBytes.contains(first) {
      leavingByte = first
      return []
    }
    isPasteSilent = false
    buffer.append(contentsOf: bytes)
    return decodeBuffer(at: time, isComplete: false)
  }

  /// Nothing more has come: what is there is all; but a paste goes on, as what comes late must not be taken for keys.
  package mutating func flush(at time: Int64 = 0) -> [InputEvent] {
    if let byte = leavingByte { return leavePaste(by: byte, at: time) }
    guard let pasted = paste else { return decodeBuffer(at: time, isComplete: true) }
    (isPasteSilent, isPasteDoubtful) = (true, true)
    // Half a character, half a line end and what may begin the end of the paste wait for the rest.
    let count = pasted.count - pasted.unfinishedCount
    paste = Array(pasted[count...])
    return (count > 0 ? [.paste(Array(pasted[..<count]))] : []) + [.openPaste(isLeft: false)]
  }

  private mutating func leavePaste(by byte: UInt8, at time: Int64) -> [InputEvent] {
    let rest = paste ?? []
    // What is in the buffer is part of an end.
    (paste, buffer, isPasteSilent, isPasteDoubtful, leavingByte) = (nil, [], false, false, nil)
    let events: [InputEvent] = (rest.isEmpty ? [] : [.paste(rest)]) + [.openPaste(isLeft: true)]
    return byte == Self.escape ? events : events + decode([byte], at: time)
  }

  /// Nothing more will come: of what is there a paste is text all the same; half a key is nothing.
  package mutating func flushPaste() -> [InputEvent] {
    let rest = paste.map { $0 + buffer } ?? []
    (paste, buffer, isPasteSilent, isPasteDoubtful, leavingByte) = (nil, [], false, false, nil)
    return rest.isEmpty ? [] : [.paste(rest)]
  }

  private mutating func decodeBuffer(at time: Int64, isComplete: Bool) -> [InputEvent] {
    var events: [InputEvent] = []
    var input = Input(bytes: buffer, isComplete: isComplete)
    while !input.isAtEnd {
      if paste != nil {
        guard takePaste(from: &input, into: &events) else { break }
        continue
      }
      let start = input.position
      switch next(in: &input, at: time) {
      case .event(let event): events.append(event)
      case .pasteBegins: paste = []
      case .ignored: break
      case .incomplete:
        input.position = start
        buffer = Array(input.rest)
        return events
      }
    }
    buffer = Array(input.rest)
    return events
  }

  private enum Token {
    case event(InputEvent)
    case pasteBegins
    case ignored
    case incomplete
  }

  private func next(in input: inout Input, at time: Int64) -> Token {
    if let key = describedKey(in: &input) { return .event(.key(key)) }
    guard let first = input.next() else { return .incomplete }
    if first == backspace { return .event(.key(Key(.backspace))) }
    switch first {
    case Self.escape: return escape(in: &input, at: time)
    // A line feed is an Enter that was typed before the terminal was taken.
    case 0x0A, 0x0D: return .event(.key(Key(.enter)))
    case 0x09: return .event(.key(Key(.tab)))
    case 0x7F: return .event(.key(Key(.backspace)))
    case 0x00: return .event(.key(.control(" ")))
    case 0x01...0x1A: return .event(.key(.control(Character(Unicode.Scalar(first + 0x60)))))
    case 0x1C...0x1F: return .event(.key(.control(Character(Unicode.Scalar(first + 0x40)))))
    case 0x20..<0x7F: return .event(.key(Key(.character(Character(Unicode.Scalar(first))))))
    default: return character(first, in: &input)
    }
  }

  private func describedKey(in input: inout Input) -> Key? {
    guard !described.isEmpty, input.peek() == 0x1B else { return nil }
    for (sequence, key) in described where input.rest.starts(with: sequence) {
      input.position += sequence.count
      return key
    }
    return nil
  }

  /// A code point past ASCII; what is no UTF-8 becomes U+FFFD.
  private func character(_ first: UInt8, in input: inout Input) -> Token {
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    var bytes = [first]
    while bytes.count < length {
      guard let byte = input.peek() else {
        if input.isComplete { break }
        return .incomplete
      }
      guard byte & 0xC0 == 0x80 else { break }
      bytes.append(byte)
      input.position += 1
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.first.map { .event(.key(Key(.character($0)))) } ?? .ignored
  }

  // MARK: Sequences that start with Esc

  private func escape(in input: inout Input, at time: Int64) -> Token {
    guard let second = input.next() else {
      return input.isComplete ? .event(.key(Key(.escape))) : .incomplete
    }
    switch second {
    case 0x5B: return controlSequence(in: &input, at: time)
    case 0x4F:
      guard let final = input.next() else { return input.isComplete ? .event(.key(.alt("O"))) : .incomplete }
      return KeySequences.key(singleShift: final).map { .event(.key($0)) } ?? .event(.unknown)
    case 0x1B:
      // Alt with a key that sends a sequence itself, or Esc twice.
      input.position -= 1
      if input.rest.count == 1 { return input.isComplete ? .event(.key(Key(.escape))) : .incomplete }
      return withAlt(escapeAfterEscape(in: &input, at: time))
    default:
      input.position -= 1
      return withAlt(next(in: &input, at: time))
    }
  }

  private func escapeAfterEscape(in input: inout Input, at time: Int64) -> Token {
    let rest = input.rest
    let second = rest[rest.startIndex + 1]
    guard second == 0x5B || second == 0x4F else { return .event(.key(Key(.escape))) }
    return next(in: &input, at: time)
  }

  private func withAlt(_ token: Token) -> Token {
    guard case .event(.key(var key)) = token, key.code != .escape else { return token }
    key.modifiers.insert(.alt)
    return .event(.key(key))
  }

  /// CSI: parameters, intermediate bytes, a final byte (ECMA-48, 5.4).
  private func controlSequence(in input: inout Input, at time: Int64) -> Token {
    let start = input.position
    while let byte = input.next() {
      // In a key of rxvt a dollar sign is the end; in the answers of terminals, which begin with `?`, it is not.
      let isDollarKey = byte == 0x24 && input.bytes[start] != 0x3F
      guard isDollarKey || !(0x20...0x3F).contains(byte) else { continue }
      guard isDollarKey || (0x40...0x7E).contains(byte) else {
        // No sequence after all: the odd byte is looked at anew.
        input.position -= 1
        return .event(.unknown)
      }
      return interpret(input.bytes[start..<input.position - 1], final: byte, in: &input, at: time)
    }
    guard input.isComplete else { return .incomplete }
    if input.position == start { return .event(.key(.alt("["))) }
    return .event(.unknown)
  }

  private func interpret(
    _ parameters: ArraySlice<UInt8>, final: UInt8, in input: inout Input, at time: Int64
  ) -> Token {
    if parameters.first == 0x3C { return mouse(parameters.dropFirst(), final: final, at: time) }
    if parameters.isEmpty, final == 0x4D {
      // The old mouse report, three bytes; asked for by nobody.
      input.position = min(input.position + 3, input.bytes.count)
      return .ignored
    }
    if parameters.isEmpty, final == 0x49 || final == 0x4F { return .ignored }
    if parameters.isEmpty, final == 0x5B {
      // The function keys of the Linux console.
      guard let letter = input.next() else { return input.isComplete ? .event(.unknown) : .incomplete }
      return (0x41...0x45).contains(letter) ? .event(.key(Key(.function(Int(letter) - 0x40)))) : .event(.unknown)
    }
    let numbers = KeySequences.numbers(parameters)
    if final == 0x7E, numbers.first == 200 { return .pasteBegins }
    // The end of a paste that was left before.
    if final == 0x7E, numbers.first == 201 { return .ignored }
    if !parameters.isEmpty, final == 0x63 || final == 0x79 { return .ignored }
    return KeySequences.key(final: final, parameters: numbers).map { .event(.key($0)) } ?? .event(.unknown)
  }

  private func mouse(_ parameters: ArraySlice<UInt8>, final: UInt8, at time: Int64) -> Token {
    let numbers = KeySequences.numbers(parameters)
    guard numbers.count == 3, final == 0x4D || final == 0x6D else { return .ignored }
    let button = numbers[0]
    let action: MouseEvent.Action
    switch (button & 0x43, final) {
    case (0x40, _): action = .wheelUp
    case (0x41, _): action = .wheelDown
    case (0, 0x6D): action = .release
    case (0, _): action = button & 0x20 != 0 ? .drag : .press
    default: return .ignored
    }
    var modifiers: Key.Modifiers = []
    if button & 4 != 0 { modifiers.insert(.shift) }
    if button & 8 != 0 { modifiers.insert(.alt) }
    if button & 16 != 0 { modifiers.insert(.control) }
    return .event(
      .mouse(
        MouseEvent(
          action, column: max(numbers[1] - 1, 0), row: max(numbers[2] - 1, 0), modifiers: modifiers, time: time)))
  }

  // MARK: Paste

  /// - Returns: false if the end has not come yet; then all but a possible start of the end is taken.
  private mutating func takePaste(from input: inout Input, into events: inout [InputEvent]) -> Bool {
    let end: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
    let rest = input.rest
    var index = rest.startIndex
    while let escape = rest[index...].firstIndex(of: 0x1B) {
      let tail = rest[escape...]
      if tail.starts(with: end) {
        events.append(.paste((paste ?? []) + rest[..<escape]))
        (paste, isPasteDoubtful) = (nil, false)
        input.position = escape + end.count
        return true
      }
      if tail.count < end.count, end.starts(with: tail) {
        paste?.append(contentsOf: rest[..<escape])
        input.position = escape
        return false
      }
      index = escape + 1
    }
    paste?.append(contentsOf: rest)
    input.position = rest.endIndex
    return true
  }
}

extension [UInt8] {
  /// How many bytes at the end are half of a character, or of a line end.
  fileprivate var unfinishedCount: Int {
    if last == 0x0D { return 1 }
    let tail = suffix(3)
    guard let start = tail.lastIndex(where: { $0 & 0xC0 == 0xC0 }),
      tail[tail.index(after: start)...].allSatisfy({ $0 & 0xC0 == 0x80 })
    else { return 0 }
    let length = tail[start] >= 0xF0 ? 4 : tail[start] >= 0xE0 ? 3 : 2
    return endIndex - start < length ? endIndex - start : 0
  }
}

/// The bytes at hand and how far they are read.
private struct Input {
  let bytes: [UInt8]
  let isComplete: Bool
  var position = 0

  var isAtEnd: Bool { position >= bytes.count }
  var rest: ArraySlice<UInt8> { bytes[position...] }

  func peek() -> UInt8? { isAtEnd ? nil : bytes[position] }

  mutating func next() -> UInt8? {
    guard let byte = peek() else { return nil }
    position += 1
    return byte
  }
}
