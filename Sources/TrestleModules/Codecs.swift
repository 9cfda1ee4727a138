import CWebPlatform
import Trestle

/// What `CompressionStream` and `DecompressionStream` of one bridge have at work. On the JS thread.
final class Codecs {
  private var codecs: [Int: OpaquePointer] = [:]
  private var last = 0

  deinit { codecs.values.forEach(web_codec_free) }

  /// - Parameter format: 0 gzip, 1 deflate, 2 raw deflate.
  func open(_ format: Int, _ compresses: Bool) throws -> Int {
    guard let codec = web_codec_make(CInt(clamping: format), compresses) else {
      throw BridgeError(.limit, "Out of memory: no room to compress")
    }
    last += 1
    codecs[last] = codec
    return last
  }

  func close(_ number: Int) { codecs.removeValue(forKey: number).map(web_codec_free) }

  /// What comes out; with the end of the data at `ends`. A data that is broken closes it.
  func feed(_ number: Int, _ bytes: BorrowedBytes, _ ends: Bool) throws -> [UInt8] {
    guard let codec = codecs[number] else { throw BridgeError(.argument, "there is no codec \(number)") }
    do {
      return try bytes.withBytes { bytes in
        try bytes.withUnsafeBytes { raw in
          web_codec_feed(codec, raw.bindMemory(to: UInt8.self).baseAddress, raw.count)
          return try drain(codec, ends)
        }
      }
    } catch {
      close(number)
      throw error
    }
  }

  private static let part = 1 << 16

  private func drain(_ codec: OpaquePointer, _ ends: Bool) throws -> [UInt8] {
    var result: [UInt8] = []
    while true {
      var state = WEB_CODEC_MORE
      result += [UInt8](unsafeUninitializedCapacity: Self.part) { part, filled in
        state = web_codec_next(codec, ends, part.baseAddress, part.count, &filled)
      }
      switch state {
      case WEB_CODEC_MORE: continue
      case WEB_CODEC_HUNGRY where !ends, WEB_CODEC_END: return result
      case WEB_CODEC_HUNGRY: throw BridgeError(.malformed, "the compressed data breaks off")
      case WEB_CODEC_TRAILING: throw BridgeError(.malformed, "there is something behind the compressed data")
      case WEB_CODEC_NO_MEMORY: throw BridgeError(.limit, "Out of memory: no room to compress")
      default: throw BridgeError(.malformed, "the compressed data is broken")
      }
    }
  }
}
