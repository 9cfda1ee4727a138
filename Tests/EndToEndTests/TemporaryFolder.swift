import Glibc

/// A folder that lives as long as this value.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/xiedit-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw TerminalSession.Failure(description: String(cString: strerror(errno)))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if name != ".", name != ".." { remove(path + "/" + name) }
      }
      closedir(directory)
    }
    rmdir(path)
  }

  /// Writes a file here.
  /// - Returns: Its path.
  @discardableResult
  func write(_ contents: String, to name: String) throws -> String {
    try write(Array(contents.utf8), to: name)
  }

  @discardableResult
  func write(_ contents: [UInt8], to name: String) throws -> String {
    let file = path + "/" + name
    guard let handle = fopen(file, "w") else {
      throw TerminalSession.Failure(description: "\(file): \(String(cString: strerror(errno)))")
    }
    fwrite(contents, 1, contents.count, handle)
    fclose(handle)
    return file
  }

  /// Writes the settings of an editor whose home this is.
  func writeSettings(_ text: String) throws {
    for folder in ["/config", "/config/xiedit"] { mkdir(path + folder, 0o700) }
    try write(text, to: "config/xiedit/settings.toml")
  }

  /// The bytes of a file here; nil if there is none.
  func bytes(of name: String) -> [UInt8]? {
    guard let handle = fopen(path + "/" + name, "r") else { return nil }
    defer { fclose(handle) }
    var contents: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, handle), count > 0 { contents += buffer[..<count] }
    return contents
  }

  func text(of name: String) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }

  var names: [String] { names(in: ".") }

  /// What lies in a folder here.
  func names(in folder: String) -> [String] { Self.names(inFolder: path + "/" + folder) }

  /// The sorted names of what lies in the folder at `path`.
  static func names(inFolder path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
