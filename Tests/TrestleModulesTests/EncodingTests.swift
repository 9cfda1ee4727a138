import Testing
import Trestle
import TrestleModules

/// The encodings of `TextDecoder` beside UTF-8.
@Suite struct EncodingTests {
  private func value(of script: String) async throws -> String {
    let bridge = try await ModuleBridge()
    defer { Task { await bridge.bridge.close() } }
    return try await bridge.bridge.evaluate(script, as: String.self)
  }

  /// A label of each, what it stands for, bytes and their text.
  private static let texts = [
    ("866", "ibm866", "8fe0a8a2a5e2", "Привет"), ("latin2", "iso-8859-2", "5a61bff3b3e6", "Zażółć"),
    ("l3", "iso-8859-3", "a6f8", "Ĥĝ"), ("ISO_8859-4", "iso-8859-4", "c0f3", "Āķ"),
    ("cyrillic", "iso-8859-5", "bfe0d8d2d5e2", "Привет"), ("arabic", "iso-8859-6", "e5d1cdc8c7", "مرحبا"),
    ("greek", "iso-8859-7", "c3e5e9dc", "Γειά"), ("visual", "iso-8859-8", "f9ece5ed", "שלום"),
    ("logical", "iso-8859-8-i", "f9ece5ed", "שלום"), ("l6", "iso-8859-10", "def372ba", "Þórš"),
    ("iso885913", "iso-8859-13", "d0edfb6e6973", "Šķūnis"), ("iso885914", "iso-8859-14", "d0b8", "Ŵẁ"),
    ("l9", "iso-8859-15", "6e61ef766520a4", "naïve €"),
    ("iso-8859-16", "iso-8859-16", "aa7469696efee320a49f", "Știință €\u{9F}"),
    ("koi8", "koi8-r", "f0d2c9d7c5d4", "Привет"), ("koi8-ru", "koi8-u", "b7d6c1cb20adae", "Їжак ґў"),
    ("mac", "macintosh", "866e95636f646520bdf0", "Ünïcode Ω\u{F8FF}"),
    ("tis-620", "windows-874", "cac7d1cab4d5", "สวัสดี"),
    ("cp1250", "windows-1250", "50f8ed6c699a", "Příliš"), ("cp1251", "windows-1251", "cff0e8e2e5f2", "Привет"),
    (" Latin1\n", "windows-1252", "6e61ef7665208081", "naïve €\u{81}"),
    ("cp1253", "windows-1253", "c3e5e9dcaa", "Γειά\u{FFFD}"),
    ("iso-8859-9", "windows-1254", "49f064fd72", "Iğdır"), ("cp1255", "windows-1255", "f9ece5edca", "שלום\u{5BA}"),
    ("cp1256", "windows-1256", "e3d1cdc8c7", "مرحبا"), ("cp1257", "windows-1257", "d0edfb6e6973", "Šķūnis"),
    ("cp1258", "windows-1258", "5669ead2fe", "Viê\u{309}₫"),
    ("x-mac-ukrainian", "x-mac-cyrillic", "8ff0e8e2e5f2", "Привет"),
    ("gb2312", "gbk", "c4e3bac32080a2e3", "你好 €€"),
    ("gb18030", "gb18030", "c4e3bac3209439fc3620a8a6a6d98135f437", "你好 😀 é\u{FE10}\u{E7C7}"),
    ("big5-hkscs", "big5", "a741a66e8862", "你好Ê\u{304}"),
    ("x-euc-jp", "euc-jp", "c6fccbdcb8ec8eb68ec58fa2c2", "日本語ｶﾅ¡"),
    ("csiso2022jp", "iso-2022-jp", "1b2442467c4b5c386c1b2842201b284a5c1b284936", "日本語 ¥ｶ"),
    ("sjis", "shift_jis", "93fa967b8ceab6c5f040fa40", "日本語ｶﾅ\u{E000}ⅰ"),
    ("ks_c_5601-1987", "euc-kr", "c7d1b1b9beee2094ee", "한국어 뷁"),
    ("unicodefffe", "utf-16be", "feff00e9d83dde00", "é😀"), ("utf-16", "utf-16le", "fffee9003dd800de", "é😀"),
    ("x-user-defined", "x-user-defined", "6180ff", "a\u{F780}\u{F7FF}"),
  ]

  @Test func eachHasItsNamesAndCharacters() async throws {
    let script = """
      [\(Self.texts.map { "['\($0.0.replacing("\n", with: "\\n"))', '\($0.2)']" }.joined(separator: ","))].map(([label, hex]) => {
        const decoder = new TextDecoder(label);
        return decoder.encoding + ' ' + decoder.decode(Uint8Array.fromHex(hex));
      }).join('\\n')
      """
    let found = try await value(of: script).split(separator: "\n")
    #expect(found.count == Self.texts.count)
    for (found, row) in zip(found, Self.texts) {
      #expect(Array(found.unicodeScalars) == Array("\(row.1) \(row.3)".unicodeScalars))
    }
  }

  /// Every byte is read once, what follows a broken sequence by itself.
  @Test(arguments: [
    ("utf-16le", "61", "\u{FFFD}"), ("utf-16le", "3dd86100", "\u{FFFD}a"), ("utf-16le", "00de3dd8", "\u{FFFD}\u{FFFD}"),
    ("utf-16be", "d83dd83dde00", "\u{FFFD}😀"), ("big5", "8130ff81", "\u{FFFD}0\u{FFFD}\u{FFFD}"),
    ("gb18030", "81308130813081ff", "\u{80}\u{FFFD}0\u{FFFD}"), ("gb18030", "8431a530", "\u{FFFD}"),
    ("gb18030", "8130", "\u{FFFD}"), ("gb18030", "813081", "\u{FFFD}"), ("gb18030", "813020", "\u{FFFD}0 "),
    ("shift_jis", "812081a0fd", "\u{FFFD} □\u{FFFD}"), ("euc-jp", "8fa1218e61", "\u{FFFD}!\u{FFFD}a"),
    ("euc-kr", "c9a1", "\u{FFFD}"),
    ("euc-kr", "81", "\u{FFFD}"), ("iso-2022-jp", "1b24", "\u{FFFD}$"), ("iso-2022-jp", "1b28421b284261", "\u{FFFD}a"),
    ("iso-2022-jp", "1b2442461b284261", "\u{FFFD}a"), ("iso-2022-jp", "1b2870", "\u{FFFD}(p"),
    ("iso-2022-jp", "0e80", "\u{FFFD}\u{FFFD}"),
    ("windows-874", "dbfc", "\u{FFFD}\u{FFFD}"),
  ])
  func whatIsBroken(_ label: String, _ hex: String, _ expected: String) async throws {
    let script = """
      const bytes = Uint8Array.fromHex('\(hex)'), lax = new TextDecoder('\(label)'), strict = new TextDecoder('\(label)', { fatal: true });
      let error;
      try { strict.decode(bytes) } catch (caught) { error = caught.name + ' ' + caught.message }
      JSON.stringify([lax.decode(bytes), lax.decode(bytes), error, strict.decode(new Uint8Array(0))])
      """
    let text = try await value(of: script)
    #expect(text == "[\"\(expected)\",\"\(expected)\",\"TypeError decode: the bytes are not \(label)\",\"\"]")
  }

  /// Random bytes come out the same in parts, wherever these end, and by a stream.
  @Test func partsAreAsTheWhole() async throws {
    let script = """
      let state = 7;
      const random = (count) => (state = (state * 48271) % 2147483647) % count;
      const failures = [], labels = \(Set(Self.texts.map(\.1)).sorted());
      for (const label of labels) {
        const decoder = new TextDecoder(label);
        for (let round = 0; round < 60; round++) {
          const from = random(2) ? [0x1B, 0x24, 0x28, 0x42, 0x81, 0x30, 0x8E, 0x8F, 0xA1, 0xD8, 0xDC, 0x61] : undefined;
          const bytes = Uint8Array.from({ length: random(40) }, () => from ? from[random(from.length)] : random(256));
          const whole = decoder.decode(bytes);
          let parts = '';
          for (let at = 0; at < bytes.length;) {
            const end = Math.min(bytes.length, at + random(5));
            parts += decoder.decode(bytes.subarray(at, end), { stream: true });
            at = end;
          }
          parts += decoder.decode();
          const streamed = await Array.fromAsync(new Blob([bytes]).stream().pipeThrough(new TextDecoderStream(label)));
          if (parts !== whole || streamed.join('') !== whole) failures.push(label + ' ' + bytes);
        }
      }
      labels.length + failures.join()
      """
    #expect(
      try await value(of: "(async () => { \(script.replacing("labels.length +", with: "return labels.length +")) })()")
        == "38")
  }

  @Test(arguments: [
    "replacement", "hz-gb-2312", "utf-7", "utf-32", "", "latin-1", "constructor", "__proto__", "\u{212A}oi8-r",
  ])
  func whatIsNone(_ label: String) async throws {
    let found = try await value(
      of: "try { new TextDecoder('\(label)').encoding } catch (error) { error.name + ' ' + error.message }")
    #expect(found == "RangeError TextDecoder: the encoding '\(label)' is not supported")
  }

  /// Tables of all that a script may decode stay within what a message may hold.
  @Test func longTexts() async throws {
    let script = """
      const bytes = new Uint8Array(300001).map((_, index) => index % 2 ? 0xFA : 0x93);
      const text = new TextDecoder('shift_jis').decode(bytes);
      String([text.length, text.at(0), text.at(-2), text.at(-1)])
      """
    #expect(try await value(of: script) == "150001,日,日,\u{FFFD}")
  }
}
