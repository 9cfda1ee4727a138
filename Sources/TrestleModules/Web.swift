import CWebPlatform
import Glibc
import Trestle

extension ModuleDefinition {
  /// The web's globals that reach nothing outside of the bridge: events, URLs, texts, streams, compression, random numbers,
  /// `structuredClone`. Each is made when it is first touched.
  public static let web = ModuleDefinition("Web", make: { _ in WebPlatform() }) {
    Member<WebPlatform>.sync("domainToASCII", "domain") { (_, domain: String) in WebPlatform.ascii(of: domain) }
    Member<WebPlatform>.sync("encodeText", "text") { (_, text: String) in Array(text.utf8) }
    Member<WebPlatform>.sync("decodeText", "bytes") { (_, bytes: BorrowedBytes) in try WebPlatform.text(bytes) }
    Member<WebPlatform>.sync("random", "count") { (_, count: Int) in try WebPlatform.random(count) }
    Member<WebPlatform>.sync("decodeSequences", "converter", "bytes", "width") {
      (_, converter: String, bytes: BorrowedBytes, width: Int) in
      try WebPlatform.decode(bytes, of: width, by: converter)
    }
    Member<WebPlatform>.sync("processors") { _ in max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
    Member<WebPlatform>.sync("openCodec", "format", "compresses") { (web, format: Int, compresses: Bool) in
      try web.codecs.open(format, compresses)
    }
    Member<WebPlatform>.sync("feedCodec", "number", "bytes", "ends") {
      (web, number: Int, bytes: BorrowedBytes, ends: Bool) in
      try web.codecs.feed(number, bytes, ends)
    }
    Member<WebPlatform>.sync("closeCodec", "number") { (web, number: Int) in web.codecs.close(number) }
  }
  .with(script: .web)
}

/// The native half of the web's globals. On the JS thread.
final class WebPlatform {
  let codecs = Codecs()

  /// Names are that long at most, with all that a text of a URL may hold.
  private static let longestDomain = 1 << 16

  /// The domain as it is written in a URL; nil if it is none.
  static func ascii(of domain: String) -> String? {
    guard domain.utf8.count < longestDomain else { return nil }
    var domain = domain
    let result = domain.withUTF8 { text in
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: longestDomain) { result -> String? in
        guard let start = result.baseAddress else { return nil }
        let isDone = text.withMemoryRebound(to: CChar.self) {
          web_domain_to_ascii($0.baseAddress, $0.count, start, result.count)
        }
        return isDone ? String(cString: start) : nil
      }
    }
    return result
  }

  /// Nil if they are not UTF-8.
  static func text(_ bytes: BorrowedBytes) throws -> String? {
    try bytes.withBytes { bytes in
      bytes.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
    }
  }

  /// Bytes of the system's generator.
  static func random(_ count: Int) throws -> [UInt8] {
    guard (0...65536).contains(count) else { throw BridgeError(.argument, "expected 65536 bytes at most") }
    return try [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      guard web_random(bytes.baseAddress, count) else {
        throw BridgeError(.argument, "the system gives no random bytes")
      }
      filled = count
    }
  }

  /// Each sequence of bytes as two units of UTF-16, of which the second may be 0.
  static func decode(_ bytes: BorrowedBytes, of width: Int, by converter: String) throws -> [UInt16] {
    guard (1...4).contains(width) else { throw BridgeError(.argument, "expected sequences of 1 to 4 bytes") }
    return try bytes.withBytes { bytes in
      let count = bytes.byteCount / width
      return try bytes.withUnsafeBytes { raw in
        try [UInt16](unsafeUninitializedCapacity: count * 2) { units, filled in
          let isDone = web_decode_sequences(
            converter, raw.bindMemory(to: UInt8.self).baseAddress, width, count, units.baseAddress)
          guard isDone else { throw BridgeError(.argument, "there is no converter \(converter)") }
          filled = count * 2
        }
      }
    }
  }
}
