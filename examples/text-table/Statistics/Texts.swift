import Foundation
import Trestle

/// The native half of the example: counts what is in text files, away from the JavaScript thread.
@NativeModule(isLinked: false)
package actor Texts {
  @Exported package let paths: [String]

  package init(paths: [String]) { self.paths = paths }

  @Exported package func statistics(_ path: String) throws -> Statistics {
    let file = URL(fileURLWithPath: path)
    let bytes = try Data(contentsOf: file)
    let words = bytes.split { !$0.isLetter }
    let longest = words.max { $0.count < $1.count } ?? Data()
    return Statistics(
      name: file.lastPathComponent, lines: bytes.count { $0 == UInt8(ascii: "\n") }, words: words.count,
      bytes: bytes.count, longestWord: String(decoding: longest, as: UTF8.self))
  }
}

/// What one file holds.
@Record package struct Statistics {
  var name: String
  var lines: Int
  var words: Int
  var bytes: Int
  var longestWord: String
}

extension UInt8 {
  fileprivate var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self >= 0x80 }
}
