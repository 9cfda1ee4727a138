import EditorProtocol
import Rope
import Testing

@testable import EditorCore

/// Which bytes are which text.
@Suite struct EncodingTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    /// Nil for bytes that are no text.
    let encoding: TextEncoding?
    let bytes: [UInt8]
    let text: String

    init(_ encoding: TextEncoding?, _ bytes: [UInt8], _ text: String = "") {
      (self.encoding, self.bytes, self.text) = (encoding, bytes, text)
    }

    var testDescription: String { "\(encoding?.rawValue ?? "binary") \(text)" }
  }

  private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

  static let samples = [
    Sample(.utf8, ascii("plain\n"), "plain\n"),
    Sample(.utf8, ascii("grüße, 日本\n"), "grüße, 日本\n"),
    // As `find -print0` has it.
    Sample(.utf8, ascii("a.txt\0b.txt\0c.txt\0"), "a.txt\0b.txt\0c.txt\0"),
    Sample(.utf8, ascii("é\0\né\0\n"), "é\0\né\0\n"),
    Sample(.utf8WithMark, [0xEF, 0xBB, 0xBF] + ascii("é\n"), "é\n"),
    Sample(.utf16LittleEndianWithMark, [0xFF, 0xFE, 0x41, 0, 0xE9, 0, 0xE5, 0x65, 0x0A, 0], "Aé日\n"),
    Sample(.utf16BigEndianWithMark, [0xFE, 0xFF, 0, 0x41, 0, 0xE9, 0x65, 0xE5, 0, 0x0A], "Aé日\n"),
    Sample(.utf16LittleEndianWithMark, [0xFF, 0xFE, 0x3D, 0xD8, 0, 0xDE], "😀"),
    Sample(.utf16LittleEndianWithMark, [0xFF, 0xFE], ""),
    Sample(.utf16LittleEndian, [0x41, 0, 0x42, 0, 0x0A, 0], "AB\n"),
    Sample(.utf16LittleEndian, [0x41, 0, 0xE9, 0, 0xE5, 0x65, 0x0A, 0], "Aé日\n"),
    Sample(.utf16BigEndian, [0, 0x41, 0, 0x42, 0, 0x0D, 0, 0x0A], "AB\r\n"),
    Sample(.latin1, ascii("caf") + [0xE9, 0x0A], "café\n"),
    Sample(.latin1, ascii("na") + [0xEF] + ascii("ve, gr") + [0xFC, 0xDF] + ascii("e\n"), "naïve, grüße\n"),
    Sample(.latin1, ascii("GR") + [0xD6, 0xDF] + ascii("E\n"), "GRÖßE\n"),
    Sample(.latin1, ascii("s") + [0xE4, 0xE4, 0x0A], "sää\n"),
    Sample(.latin1, [0xA7] + ascii(" 5 kostet 20 ") + [0xA3, 0x0A], "§ 5 kostet 20 £\n"),
    Sample(.latin1, ascii("a") + [0x81, 0x0A], "a\u{81}\n"),
    Sample(.windows1252, ascii("it") + [0x92] + ascii("s 20 ") + [0x80, 0x0A], "it’s 20 €\n"),
    Sample(.windows1252, [0x93] + ascii("No") + [0x94, 0x20, 0x96] + ascii(" caf") + [0xE9, 0x0A], "“No” – café\n"),
    Sample(.shiftJIS, [0x82, 0xB1, 0x82, 0xF1, 0x82, 0xC9, 0x82, 0xBF, 0x82, 0xCD, 0x0A], "こんにちは\n"),
    Sample(.shiftJIS, ascii("a ") + [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x81, 0x42, 0x0A], "a 日本語。\n"),
    Sample(.shiftJIS, [0x83, 0x65, 0x83, 0x4C, 0x83, 0x58, 0x83, 0x67], "テキスト"),
    Sample(.gb18030, [0xC4, 0xE3, 0xBA, 0xC3, 0xA3, 0xAC, 0xCA, 0xC0, 0xBD, 0xE7, 0x0A], "你好，世界\n"),
    Sample(.gb18030, ascii("// ") + [0xD6, 0xD0, 0xCE, 0xC4] + ascii(" text\n"), "// 中文 text\n"),
    Sample(.gb18030, [0x94, 0x39, 0xD1, 0x31, 0xA8, 0xA6, 0xA2, 0xE3, 0x0A], "👍é€\n"),
    Sample(
      .gb18030, [0xD5, 0xE2, 0xCA, 0xC7, 0x95, 0x32, 0x82, 0x36, 0xB2, 0xE2, 0xCA, 0xD4, 0xA8, 0xA6, 0x0A], "这是𠀀测试é\n"),
    // A mark says what it is, whatever else is in it.
    Sample(.utf16LittleEndianWithMark, [0xFF, 0xFE, 0x61, 0, 0, 0, 0x62, 0], "a\0b"),
    // Most of it is UTF-8: it is damaged, and no other encoding makes it better.
    Sample(nil, ascii("é ü ñ ") + [0xFF, 0x0A]),
    Sample(nil, [0xEF, 0xBB, 0xBF, 0x61, 0xFF]),
    Sample(nil, [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0xFF, 0x90, 0, 1]),
    Sample(nil, [0xFF, 1, 2, 3, 4, 5, 0xC0]),
    // An odd byte at the end, a half of a pair of surrogates.
    Sample(nil, [0xFF, 0xFE, 0x41, 0, 0x42]),
    Sample(nil, [0xFF, 0xFE, 0x3D, 0xD8, 0x41, 0]),
  ]

  @Test(arguments: samples) func aTextIsDetected(_ sample: Sample) throws {
    let bytes = Rope(sample.bytes)
    let (image, text) = FileImage.split(bytes)
    #expect(text.isValidUTF8 == (sample.encoding != nil))
    if let encoding = sample.encoding {
      #expect(image.encoding == encoding)
      #expect(text == Rope(sample.text))
    } else {
      #expect(image.encoding.isUTF8)
    }
    #expect(try image.bytes(of: text) == bytes)
    #expect(image.text(of: bytes) == text)
  }

  @Test(arguments: TextEncoding.allCases) func everyEncodingIsKnown(_ encoding: TextEncoding) throws {
    let image = FileImage(encoding)
    // Also where the converter's pieces end.
    for count in [0, 1, 8190, 8191, 8192, 16_383, 16_384, 16_385, 100_000] {
      let text = Rope(String(repeating: "a", count: count) + "\r\nmore\n")
      let bytes = try image.bytes(of: text)
      #expect(image.text(of: bytes) == text)
      #expect(bytes.byteCount >= text.byteCount)
    }
  }

  @Test(arguments: [(TextEncoding.shiftJIS, "日本、テ"), (.gb18030, "中文😀é"), (.utf16BigEndian, "é日😀")])
  func charactersLieAcrossPieces(_ encoding: TextEncoding, _ word: String) throws {
    for shift in 0..<4 {
      let text = Rope(String(repeating: "a", count: shift) + String(repeating: word, count: 5000))
      let bytes = try FileImage(encoding).bytes(of: text)
      #expect(FileImage(encoding).text(of: bytes) == text)
    }
  }

  @Test(arguments: [
    (TextEncoding.latin1, "one\ntwé €\n", 9, "line 2, column 5: ISO-8859-1 has no “€” (U+20AC)"),
    (.windows1252, "日", 0, "line 1, column 1: Windows-1252 has no “日” (U+65E5)"),
    (.shiftJIS, "日é", 3, "line 1, column 2: Shift_JIS has no “é” (U+00E9)"),
    // The C library leaves tags out and tells nobody.
    (.latin1, "ab\u{E0041}c", 2, "line 1, column 3: ISO-8859-1 has no “\u{E0041}” (U+E0041)"),
    (.latin1, "ab\u{E0041}", 2, "line 1, column 3: ISO-8859-1 has no “\u{E0041}” (U+E0041)"),
  ])
  func whatAnEncodingHasNotIsNamed(_ encoding: TextEncoding, _ text: String, _ offset: Int, _ message: String) {
    let text = Rope(text)
    do throws(Unencodable) {
      _ = try FileImage(encoding).bytes(of: text)
      Issue.record("it was encoded")
    } catch {
      #expect(error == Unencodable(offset: ByteOffset(offset), encoding: encoding))
      let detail = FileError(error, in: text, path: "/f").detail
      #expect(detail == message)
    }
  }

  @Test func whatIsNoTextCannotBeEncoded() {
    #expect(throws: Unencodable(offset: 1, encoding: .latin1)) { try FileImage(.latin1).bytes(of: Rope([0x61, 0xFF])) }
  }

  /// Also after an edit of what is ASCII.
  @Test func randomBytesAreKept() throws {
    var random = SystemRandomNumberGenerator()
    let alphabets: [[UInt8]] = [
      Array(0...255), Array(1...255), Array(0x20...0x7E) + [0xE4, 0xF6, 0xFC, 0xDF], [0x41, 0x0A, 0x80, 0x92, 0xE9],
      [0x82, 0xA0, 0x83, 0x41, 0x0A], [0xC4, 0xE3, 0xBA, 0xC3, 0x20], [0, 0x41], [0xFF, 0xFE, 0, 0x41, 0xD8, 0xDC],
      [0xEF, 0xBB, 0xBF, 0x41, 0xC3, 0xA9],
    ]
    for round in 0..<4000 {
      let alphabet = alphabets[round % alphabets.count]
      let bytes = Rope(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
      let (image, text) = FileImage.split(bytes)
      let written = bytes.bytes(in: bytes.fullRange)
      #expect(try image.bytes(of: text) == bytes, "\(written)")
      var typed = text
      typed.insert("x", at: typed.endOffset)
      let longer = try image.bytes(of: typed)
      #expect(image.text(of: longer) == typed, "\(written)")
      #expect(longer.slice(0..<bytes.endOffset) == bytes, "\(written)")
    }
  }

  /// Whatever part of a file is there: what is shown of it stays.
  @Test(arguments: samples) func theTextOfABeginningIsThatOfTheWhole(_ sample: Sample) {
    let whole = Rope(sample.bytes)
    for count in 0...sample.bytes.count {
      let certain = FileImage.certainText(ofBeginning: whole.slice(0..<ByteOffset(count)))
      let (image, text) = FileImage.split(whole, beginningWith: certain)
      #expect(certain.isEmpty || text.starts(with: certain))
      #expect(image.text(of: whole) == text)
    }
  }

  @Test func aFileThatWasWrittenAnewKeepsItsEncoding() {
    let latin = FileImage(.latin1)
    #expect(FileImage.split("plain\n", formerly: latin).image == latin)
    #expect(FileImage.split(Rope([0xE9, 0x0A]), formerly: FileImage(.windows1252)).image.encoding == .windows1252)
    #expect(FileImage.split("é\n", formerly: latin).image == FileImage())
    #expect(FileImage.split("plain\n", formerly: FileImage(.utf16BigEndian)).image == FileImage())
  }
}
