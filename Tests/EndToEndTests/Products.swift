import Glibc

/// The programs that were built together with the tests.
enum Products {
  static let xiedit = folder + "xiedit"
  /// The folder of the package.
  static let package = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
  static let core = folder + "xiedit-core"

  /// Of the test runner; ends in a slash.
  static let folder: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = max(readlink("/proc/self/exe", &buffer, buffer.count), 0)
    let path = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }()
}
