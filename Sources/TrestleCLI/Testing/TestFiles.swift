import Glibc
import Trestle

/// Finds the files that hold tests.
enum TestFiles {
  /// Of what the names of these end with scripts are made.
  private static let extensions: Set<Substring> = ["js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx"]

  /// `name.test.js` and the like.
  static func isTest(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 3 && parts[parts.count - 2] == "test" && parts.last.map(extensions.contains) == true
  }

  /// - Parameter filters: files and folders that are there, or parts of the paths of test files below this folder.
  /// - Returns: paths, sorted.
  /// - Throws: if there are none, or none for one of the filters.
  static func find(_ filters: [String]) throws(BridgeError) -> [String] {
    let all = filters.isEmpty || filters.contains { kind(of: $0) == nil } ? walk(".") : []
    guard !filters.isEmpty else {
      if all.isEmpty { throw BridgeError(.notFound, "no tests: there is no file named *.test.js below this folder") }
      return all
    }
    var found: Set<String> = []
    for filter in filters {
      let own: [String]
      switch kind(of: filter) {
      case S_IFDIR: own = walk(filter)
      case nil: own = all.filter { $0.contains(filter) }
      default: own = [filter]
      }
      guard !own.isEmpty else {
        throw BridgeError(
          .notFound, "no tests: there is no file named *.test.js in '\(filter)', or whose path has that in it")
      }
      found.formUnion(own)
    }
    return found.sorted()
  }

  /// Where each is, without links.
  static func folders(of paths: [String]) -> [String: String] {
    // Many are in the same one.
    var real: [String: String] = [:]
    var folders: [String: String] = [:]
    for path in paths {
      let folder = Script(code: "", name: path).folder
      if real[folder] == nil, let place = realpath(folder, nil) {
        real[folder] = String(cString: place)
        free(place)
      }
      folders[path] = real[folder]
    }
    return folders
  }

  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Those below a folder, but for packages and what is hidden. Links to folders are not followed.
  private static func walk(_ folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), name != "node_modules" else { continue }
      let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { found += walk(path) } else if isTest(name) { found.append(path) }
    }
    return found.sorted()
  }
}
