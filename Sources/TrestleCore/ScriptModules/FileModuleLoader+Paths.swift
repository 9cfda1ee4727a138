import Glibc

/// Paths, and the keys that are made of them.
extension FileModuleLoader {
  // MARK: Instances

  /// What of a name is no part of a path: `?…` and `#…`.
  static func suffix(of name: String) -> String {
    name.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }.map { String(name[$0...]) } ?? ""
  }

  static func key(of file: String, _ suffix: String) -> String {
    suffix.isEmpty ? file : "file://" + escaped(file, "?#%") + escaped(suffix, "")
  }

  /// With what does not stand in URLs, and `others`, as escapes.
  private static func escaped(_ text: String, _ others: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if (0x21...0x7E).contains(byte), !"\"<>\\^`{|}".utf8.contains(byte), !others.utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// The file that a key is of.
  static func path(ofKey key: String) -> String { key.begins(with: "file:") ? path(ofURL: key) ?? key : key }

  // MARK: Paths

  static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || [43, 45, 46].contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }

  /// The path behind `file://`; nil for another host, or an escape that is none.
  package static func path(ofURL url: String) -> String? {
    guard url.begins(with: "file:///") || url.begins(with: "file:/") && !url.begins(with: "file://") else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(url.utf8.dropFirst(url.begins(with: "file:///") ? 7 : 5))[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        // What is asked of a file, or a place in it, is no part of its name.
        if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      // A slash of a name is none between folders.
      guard digits.utf8.count == 2, digits.utf8.first != UInt8(ascii: "+"), let value = UInt8(digits, radix: 16),
        value != UInt8(ascii: "/")
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  package static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// - Returns: the `count`th folder above, the path itself for 0.
  static func ancestor(of path: String, _ count: Int) -> String {
    (0..<count).reduce(path) { path, _ in parent(of: path) }
  }

  static func lastPart(of path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }

  static func fileExtension(of path: String) -> String {
    let name = lastPart(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return "" }
    return String(name[name.utf8.index(after: dot)...])
  }

  static func join(_ folder: String, _ path: String) -> String {
    folder.ends(with: "/") ? folder + path : folder + "/" + path
  }

  /// Nil if that is longer than a path can be. Both are a script's, and nothing ends what is done here.
  static func replacingStars(in pattern: String, by text: String) -> String? {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    let (added, isTooLong) = (parts.count - 1).multipliedReportingOverflow(by: text.utf8.count)
    guard !isTooLong, added <= PATH_MAX, pattern.utf8.count <= PATH_MAX else { return nil }
    return parts.map { String(Substring($0)) }.joined(separator: text)
  }

  /// Absolute, without `.` and `..`.
  package static func normalized(_ path: String) -> String {
    var path = path
    if !path.begins(with: "/"), let folder = getcwd(nil, 0) {
      defer { free(folder) }
      path = String(cString: folder) + "/" + path
    }
    var parts: [Substring] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")).map({ Substring($0) }) where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}

/// By bytes: a letter of a path may combine with the slash before it.
extension StringProtocol {
  func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }
  func ends(with end: String) -> Bool { utf8.reversed().starts(with: end.utf8.reversed()) }
}
