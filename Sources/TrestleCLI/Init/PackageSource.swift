import Glibc

/// Where the tool has the package Trestle from.
struct PackageSource {
  /// The dependency in `Package.swift`.
  let declaration: String
  /// What its products are asked of.
  let identity: String
  /// For people.
  let description: String

  /// - Parameter given: a folder or a URL; nil for what there is without asking.
  init(_ given: String?) throws(InitFailure) {
    switch given {
    case nil: self.init(folder: Self.checkout ?? "../trestle", isGiven: false)
    case let url? where url.contains("://") || url.hasPrefix("git@"): try self.init(url: url)
    case let path?: self.init(folder: try Self.realFolder(path), isGiven: true)
    }
  }

  private init(folder: String, isGiven: Bool) {
    declaration = ".package(name: \"trestle\", path: \(folder.swiftLiteral))"
    identity = "trestle"
    description = folder + (isGiven ? "" : "; --package says another place")
  }

  private init(url: String) throws(InitFailure) {
    let last = url.split { "/:".contains($0) }.last ?? ""
    let name = last.hasSuffix(".git") ? last.dropLast(4) : last
    guard !name.isEmpty, url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else {
      throw InitFailure(message: "--package: '\(url)' is no URL of a repository")
    }
    declaration = ".package(url: \(url.swiftLiteral), branch: \"main\")"
    identity = String(name)
    description = "\(url), branch main"
  }

  /// Relative to the tool a path would mean another folder than here.
  private static func realFolder(_ path: String) throws(InitFailure) -> String {
    guard let real = realpath(path, nil) else {
      throw InitFailure(message: "--package: \(path): \(String(cString: strerror(errno)))")
    }
    defer { free(real) }
    let folder = String(cString: real)
    guard access(folder + "/Package.swift", F_OK) == 0 else {
      throw InitFailure(message: "--package: \(path): there is no Package.swift in it")
    }
    return folder
  }

  /// The package that this program was built in, if it is there: it lies below it then.
  private static var checkout: String? {
    guard let real = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(real) }
    var folder = Substring(String(cString: real))
    while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
      folder = folder[..<slash]
      let isPackage = access("\(folder)/Package.swift", F_OK) == 0
      if isPackage, access("\(folder)/Sources/TrestleModules", F_OK) == 0 { return String(folder) }
    }
    return nil
  }
}

extension String {
  /// As a literal in Swift.
  var swiftLiteral: String {
    let escaped = unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
