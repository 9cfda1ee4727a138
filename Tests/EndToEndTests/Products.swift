import Glibc

/// The programs that were built together with the tests.
enum Products {
  static let xiedit = folder + "xiedit"
  /// The folder of the package.
  static let package = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
  static let core = folder + "xiedit-core"

  /// Of the test runner; ends in a slash.
  static let folder: String = {
    let path = target(ofLink: "/proc/self/exe")
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }()

  /// - Returns: Empty if there is no such link.
  static func target(ofLink link: String) -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = max(readlink(link, &buffer, buffer.count), 0)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
