import Testing

@testable import JSONRPC

@Suite struct LineFramerTests {
  /// However the stream is cut, the lines are the same.
  @Test(arguments: 1...12)
  func linesDoNotDependOnTheCuts(pieceCount: Int) {
    var framer = LineFramer(lengthLimit: 100)
    let lines = framer.lines(of: "one\n\nthree 3\nfour, and a long one\nrest", inPiecesOf: pieceCount)
    #expect(lines == ["one", "", "three 3", "four, and a long one"])
    #expect(framer.hasPartialLine)
  }

  @Test(arguments: 1...12)
  func oversizedLinesAreDroppedAndToldOnce(pieceCount: Int) {
    var framer = LineFramer(lengthLimit: 8)
    let lines = framer.lines(
      of: "12345678\n123456789\n1\n1234567890123456789012345\n12345678\n", inPiecesOf: pieceCount)
    #expect(lines == ["12345678", "(oversized)", "1", "(oversized)", "12345678"])
    #expect(!framer.hasPartialLine)
  }

  @Test func stopsWhenTold() {
    var framer = LineFramer(lengthLimit: 8)
    var count = 0
    Array("a\nb\nc\n".utf8).withUnsafeBufferPointer {
      framer.receive($0) { _ in
        count += 1
        return count < 2
      }
    }
    #expect(count == 2)
  }
}

extension LineFramer {
  fileprivate mutating func lines(of text: String, inPiecesOf pieceCount: Int) -> [String] {
    let bytes = Array(text.utf8)
    var lines: [String] = []
    for start in stride(from: 0, to: bytes.count, by: pieceCount) {
      bytes[start..<min(start + pieceCount, bytes.count)].withUnsafeBufferPointer { chunk in
        receive(chunk) { line in
          switch line {
          case .complete(let text): lines.append(String(decoding: text, as: UTF8.self))
          case .oversized: lines.append("(oversized)")
          }
          return true
        }
      }
    }
    return lines
  }
}
