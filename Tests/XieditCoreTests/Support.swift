import Glibc

/// Why a test could not go on.
struct Failure: Error, CustomStringConvertible {
  var description: String
}

/// A folder that lives as long as this value: not in memory, where nothing is journaled.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/var/tmp/xiedit-core-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(description: String(cString: strerror(errno))) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    for name in names(in: path) { remove(path + "/" + name) }
    Glibc.remove(path)
  }

  /// What lies in the folder at `path`; nothing if it is none.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  /// The path of a file with this text.
  func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = path + "/" + name
    guard let file = fopen(path, "w") else { throw Failure(description: path) }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path
  }

  func text(of name: String) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }

  func bytes(of name: String) -> [UInt8]? {
    guard let file = fopen(path + "/" + name, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
  }
}

/// The program that was built together with the tests: it lies beside the one that runs them.
let corePath: String = {
  var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = path.withUnsafeMutableBytes { bytes in
    bytes.baseAddress.map { readlink("/proc/self/exe", $0.assumingMemoryBound(to: CChar.self), bytes.count) } ?? 0
  }
  let runner = String(decoding: path.prefix(max(count, 0)), as: UTF8.self)
  return (runner.lastIndex(of: "/").map { String(runner[...$0]) } ?? "") + "xiedit-core"
}()
