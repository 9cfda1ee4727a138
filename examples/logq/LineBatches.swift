import Foundation

/// A file as whole lines, about a megabyte at a time.
struct LineBatches {
  private let file: FileHandle
  /// The beginning of a line whose end has not been read.
  private var rest: [UInt8] = []

  init(path: String) throws { file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)) }

  /// - Returns: nil at the end of the file.
  mutating func next() throws -> LineBatch? {
    while let data = try file.read(upToCount: 1 << 20), !data.isEmpty {
      guard let end = data.lastIndex(of: LineBatch.newline) else {
        rest += data
        continue
      }
      let batch = LineBatch(bytes: rest + data[...end])
      rest = Array(data[(end + 1)...])
      return batch
    }
    defer { rest = [] }
    return rest.isEmpty ? nil : LineBatch(bytes: rest + [LineBatch.newline])
  }
}

/// Lines, each with a line break at its end.
struct LineBatch: Sendable {
  static let newline = UInt8(ascii: "\n")

  let bytes: [UInt8]

  /// What a script is given: what is no UTF-8 is � there.
  var text: String { String(decoding: bytes.dropLast(), as: UTF8.self) }

  /// The bytes of these lines, as they are in the file.
  ///
  /// - Parameter numbers: from 0, ascending.
  func lines(at numbers: [Int32]) -> Data {
    bytes.withUnsafeBytes { bytes in
      var (chosen, number, start) = (Data(), Int32(0), 0)
      for wanted in numbers {
        while number <= wanted, start < bytes.count, let base = bytes.baseAddress {
          let end = memchr(base + start, CInt(Self.newline), bytes.count - start).map {
            UnsafeRawPointer($0) - base + 1
          }
          let line = start..<(end ?? bytes.count)
          if number == wanted { chosen.append(contentsOf: bytes[line]) }
          number += 1
          start = line.upperBound
        }
      }
      return chosen
    }
  }
}
