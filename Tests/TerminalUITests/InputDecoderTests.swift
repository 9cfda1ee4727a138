import EditorClient
import Testing

@testable import TerminalUI

@Suite struct InputDecoderTests {
  private func decode(_ text: String) -> [InputEvent] {
    var decoder = InputDecoder()
    return decoder.decode(text.utf8) + decoder.flush()
  }

  @Test(arguments: [
    ("a", Key(.character("a"))), ("é", Key(.character("é"))), ("日", Key(.character("日"))),
    ("\r", Key(.enter)), ("\n", Key(.enter)), ("\t", Key(.tab)), ("\u{7F}", Key(.backspace)), ("\u{13}", .control("s")),
    ("\u{1B}", Key(.escape)), ("\u{1B}x", .alt("x")), ("\u{1B}é", .alt("é")), ("\u{1B}[A", Key(.up)),
    ("\u{1B}OA", Key(.up)), ("\u{1B}[1;5C", Key(.right, .control)), ("\u{1B}[1;2D", Key(.left, .shift)),
    ("\u{1B}[1;6H", Key(.home, [.control, .shift])), ("\u{1B}[3~", Key(.delete)),
    ("\u{1B}[3;5~", Key(.delete, .control)),
    ("\u{1B}[5~", Key(.pageUp)), ("\u{1B}OP", Key(.function(1))), ("\u{1B}[11~", Key(.function(1))),
    ("\u{1B}[[A", Key(.function(1))), ("\u{1B}[1;2R", Key(.function(3), .shift)), ("\u{1B}[Z", Key(.tab, .shift)),
    ("\u{1B}\u{1B}[C", Key(.right, .alt)), ("\u{1B}[27;5;115~", .control("s")), ("\u{1B}[115;5u", .control("s")),
    ("\u{1B}[c", Key(.right, .shift)), ("\u{1B}Oc", Key(.right, .control)), ("\u{1B}[8$", Key(.end, .shift)),
    ("\u{1B}[7^", Key(.home, .control)), ("\u{1B}[3@", Key(.delete, [.control, .shift])),
    ("\u{1B}[", .alt("[")), ("\u{1B}O", .alt("O")), ("\0", .control(" ")),
  ])
  func keys(_ text: String, _ key: Key) {
    #expect(decode(text) == [.key(key)])
  }

  /// However the bytes are cut, the events are the same.
  @Test func anyCutIsTheSame() {
    let text = "a\u{1B}[1;5C日\u{1B}[<0;5;6M\u{1B}[200~p\u{1B}[20\u{1B}[201~z\u{1B}OPé"
    let whole = decode(text)
    #expect(whole.count == 8)
    let bytes = Array(text.utf8)
    for cut in bytes.indices {
      var decoder = InputDecoder()
      let events = decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...])
      #expect(events == whole, "cut at \(cut)")
      #expect(!decoder.isWaiting)
    }
    var decoder = InputDecoder()
    #expect(bytes.flatMap { decoder.decode([$0]) } == whole)
  }

  @Test func escapeWaitsForWhatMayFollow() {
    var decoder = InputDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.key(Key(.escape))])
    #expect(!decoder.isWaiting)
  }

  @Test func twoEscapesAreTwo() {
    #expect(decode("\u{1B}\u{1B}") == [.key(Key(.escape)), .key(Key(.escape))])
  }

  @Test func mouse() {
    #expect(decode("\u{1B}[<0;5;6M") == [.mouse(MouseEvent(.press, column: 4, row: 5))])
    #expect(decode("\u{1B}[<0;5;6m") == [.mouse(MouseEvent(.release, column: 4, row: 5))])
    #expect(decode("\u{1B}[<36;1;1M") == [.mouse(MouseEvent(.drag, column: 0, row: 0, modifiers: .shift))])
    #expect(decode("\u{1B}[<64;1;1M") == [.mouse(MouseEvent(.wheelUp, column: 0, row: 0))])
    #expect(decode("\u{1B}[<81;1;1M") == [.mouse(MouseEvent(.wheelDown, column: 0, row: 0, modifiers: .control))])
    #expect(decode("\u{1B}[<2;1;1M") == [])
  }

  @Test func aPasteIsOneEventWhateverIsInIt() {
    #expect(decode("\u{1B}[200~a\u{1B}[A\r\u{13}\u{1B}[201~") == [.paste(Array("a\u{1B}[A\r\u{13}".utf8))])
  }

  /// A slow line must not make keys of a text.
  @Test func aPasteGoesOnAfterASilence() {
    var decoder = InputDecoder()
    #expect(decoder.decode("\u{1B}[200~abc\u{1B}[2".utf8) == [])
    #expect(decoder.patience == .seconds(1))
    var cut = decoder
    #expect(cut.flushPaste() == [.paste(Array("abc\u{1B}[2".utf8))])
    #expect(decoder.flush() == [.paste(Array("abc".utf8)), .openPaste(isLeft: false)])
    #expect(decoder.patience == nil)
    #expect(decoder.decode("01~x".utf8) == [.paste([]), .key(Key(.character("x")))])
    _ = decoder.decode("\u{1B}[200~a".utf8)
    _ = decoder.flush()
    #expect(decoder.decode("b\u{11}".utf8) == [] && decoder.patience == .milliseconds(100), "it was told")
    #expect(decoder.flush() == [.paste(Array("b\u{11}".utf8)), .openPaste(isLeft: false)])
    #expect(decoder.decode([0x11]) == [] && decoder.decode("c".utf8) == [], "not alone")
    #expect(decoder.decode("\u{1B}[201~".utf8) == [.paste(Array("\u{11}c".utf8))])
  }

  @Test(
    arguments: [(0x1B, []), (0x03, [.key(.control("c"))]), (0x11, [.key(.control("q"))])] as [(UInt8, [InputEvent])])
  func aKeyAloneAfterASilenceLeavesAPaste(_ byte: UInt8, _ keys: [InputEvent]) {
    var decoder = InputDecoder()
    _ = decoder.decode("\u{1B}[200~half\u{1B}[".utf8)
    _ = decoder.flush()
    #expect(decoder.decode([byte]) == [] && decoder.patience == .milliseconds(100))
    var cut = decoder
    #expect(decoder.flush() == [.openPaste(isLeft: true)] + keys)
    #expect(decoder.decode("\u{1B}[201~x".utf8) == [.key(Key(.character("x")))])
    #expect(cut.flushPaste() == [.paste([0x1B, 0x5B])])
    _ = cut.decode("\u{1B}[200~".utf8)
    _ = cut.flush()
    #expect(cut.decode([0x1B]) == [] && cut.decode("[201~".utf8) == [.paste([])], "an end that was cut behind its Esc")
  }

  /// Who was told of the key need not be silent before it.
  @Test func aKeyLeavesAPasteAtOnceWhenThatWasTold() {
    var decoder = InputDecoder()
    _ = decoder.decode("\u{1B}[200~a".utf8)
    #expect(decoder.decode([0x1B]) == [], "a part of the text")
    _ = decoder.flush()
    _ = decoder.decode("b".utf8)
    #expect(decoder.decode([0x1B]) == [] && decoder.flush() == [.paste([0x1B, 0x62]), .openPaste(isLeft: true)])
    _ = decoder.decode("\u{1B}[200~a".utf8)
    #expect(decoder.patience == .seconds(1), "the next one is another")
  }

  @Test(arguments: ["é", "日", "😀", "\r\n"]) func aPasteIsCutBetweenCharacters(_ character: String) {
    let bytes = Array(character.utf8)
    for cut in 1..<bytes.count {
      var decoder = InputDecoder()
      _ = decoder.decode(Array("\u{1B}[200~a".utf8) + bytes[..<cut])
      #expect(decoder.flush() == [.paste([0x61]), .openPaste(isLeft: false)])
      #expect(decoder.decode(bytes[cut...] + Array("\u{1B}[201~".utf8)) == [.paste(bytes)])
    }
  }

  /// An Esc would drop what is held, and half a letter is none.
  @Test(arguments: [[0x1B], [0xC3], [0x1B, 0x5B], [0xE6, 0x97]] as [[UInt8]]) func halfAKeyIsNothingAtTheEnd(
    _ bytes: [UInt8]
  ) {
    var decoder = InputDecoder()
    #expect(decoder.decode(bytes) == [])
    #expect(decoder.flushPaste() == [])
  }

  @Test func unknownSequencesAreNotTyped() {
    #expect(decode("\u{1B}[?99$zx") == [.unknown, .key(Key(.character("x")))])
    #expect(decode("\u{1B}[I\u{1B}[?62;4cx") == [.key(Key(.character("x")))])
  }

  @Test func invalidBytesAreReplaced() {
    var decoder = InputDecoder()
    #expect(
      decoder.decode([0xFF, 0xC3, 0x28]) == [
        .key(Key(.character("\u{FFFD}"))), .key(Key(.character("\u{FFFD}"))), .key(Key(.character("("))),
      ])
    #expect(decoder.decode([0xE6, 0x97]) == [])
    #expect(decoder.flush() == [.key(Key(.character("\u{FFFD}")))])
  }

  @Test func theTerminalsOwnKeysComeFirst() {
    var decoder = InputDecoder(described: [Array("\u{1B}[X".utf8): Key(.home)], backspace: 0x08)
    #expect(decoder.decode("\u{1B}[X\u{08}".utf8) == [.key(Key(.home)), .key(Key(.backspace))])
  }

  /// Nothing that can be sent makes the decoder stop or hang.
  @Test func noiseIsSurvived() {
    var state: UInt32 = 7
    for _ in 0..<500 {
      var decoder = InputDecoder()
      for _ in 0..<40 {
        state = state &* 1_664_525 &+ 1_013_904_223
        let choices: [UInt8] = [0x1B, 0x5B, 0x4F, 0x3B, 0x31, 0x32, 0x30, 0x7E, 0x3C, 0x4D, UInt8(state >> 24), 0xC3]
        _ = decoder.decode([choices[Int(state >> 16) % choices.count]])
      }
      _ = decoder.flush()
      #expect(decoder.patience == nil)
    }
  }

  /// The rest never comes: the next key is no part of it.
  @Test(arguments: ["\u{1B}[<", "\u{1B}[1;", "\u{1B}[?", "\u{1B}[200"]) func aCutSequenceIsDroppedWhole(_ text: String)
  {
    var decoder = InputDecoder()
    #expect(decoder.decode(text.utf8) == [] && decoder.flush() == [.unknown])
    #expect(decoder.decode("h".utf8) == [.key(Key(.character("h")))])
  }

  /// A slow line parts a sequence: the rest of it is no text. A lone Esc is not waited for as long.
  @Test func sequencesAreWaitedForLongerThanEsc() {
    var decoder = InputDecoder()
    for (bytes, patience) in [
      ("\u{1B}", 25), ("\u{1B}[", 100), ("\u{1B}[1", 1000), ("\u{1B}[1;5", 1000), ("\u{1B}[<", 1000),
    ] {
      #expect(decoder.decode(bytes.utf8) == [] && decoder.patience == .milliseconds(patience))
      _ = decoder.flush()
      #expect(decoder.patience == nil)
    }
    #expect(decoder.decode([0xC3]) == [] && decoder.patience == .seconds(2))
  }
}
