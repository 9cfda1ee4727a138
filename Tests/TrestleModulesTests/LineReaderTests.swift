import EventLoop
import Foundation
import Testing

@testable import TrestleModules

@Suite struct LineReaderTests {
  /// The reader of a file with these bytes, which is gone before it is read.
  private func reader(of bytes: some Sequence<UInt8>) throws -> LineReader {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return LineReader(try FileDescriptor(opening: FilePlace(SystemPath(of: path)), O_RDONLY))
  }

  /// One line of 4 MB comes in 64 pieces: to search it anew with each would be 32 times the work.
  @Test func aLongLineIsSearchedOnce() throws {
    let size = 4 << 20
    var reader = try reader(of: repeatElement(UInt8(ascii: "x"), count: size))
    #expect(try reader.next()?.utf8.count == size)
    #expect(try reader.next() == nil)
    #expect(reader.work == size)
  }

  /// What is left of a piece is moved once for its last line, not once a line.
  @Test(arguments: [1, 256]) func shortLinesAreNotMovedOneByOne(atMost: Int) throws {
    let count = 300_000
    var reader = try reader(of: String(repeating: "ab\n", count: count).utf8)
    var seen = 0
    while case let lines = try reader.next(atMost: atMost), !lines.isEmpty {
      #expect(lines.count <= atMost)
      seen += lines.count
    }
    #expect(seen == count)
    #expect(reader.work < 4 * count)
  }

  @Test func noTextIsWithoutEnd() throws {
    let file = try FileDescriptor(opening: FilePlace(SystemPath(of: "/dev/null")), O_RDONLY)
    try file.checkLength(FileDescriptor.longestText)
    #expect(throws: FileError.self) { try file.checkLength(FileDescriptor.longestText + 1) }
  }

  @Test func linesKeepTheirEnds() throws {
    var reader = try reader(of: "a\r\n\n\r\r\nb".utf8)
    let lines = try reader.next(atMost: 9)
    #expect(lines == ["a\r\n", "\n", "\r\r\n"])
    #expect(lines.map(\.withoutLineEnd) == ["a", "", "\r"])
    #expect(try reader.next() == "b")
    #expect(try reader.next(atMost: 9) == [])
  }

  @Test func whatIsNoTextIsAnErrorOfItsOwnLine() throws {
    var reader = try reader(of: [97, 10, 255, 10, 98, 10, 99])
    #expect(try reader.next(atMost: 9) == ["a\n"])
    let error = #expect(throws: FileError.self) { try reader.next(atMost: 9) }
    #expect(error?.code == .notText)
    #expect(try reader.next() == "b\n")
    #expect(try reader.rest() == "c")
    #expect(try reader.next() == nil)
  }

  @Test func theRestIsCheckedAcrossPieces() throws {
    var reader = try reader(of: [97, 10] + Array(String(repeating: "€", count: 50_000).utf8) + [0xE2, 0x82])
    #expect(try reader.next() == "a\n")
    let error = #expect(throws: FileError.self) { try reader.rest() }
    #expect(error?.code == .notText)
  }
}
