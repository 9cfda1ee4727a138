import EventLoop
import Glibc

/// Where a program is, by its name: in the folders of `PATH`, as the process was started with it. An entry that is not absolute is none:
/// it would lead to wherever a script wants.
package struct ProgramSearch {
  /// All of that name, the first one first.
  private let paths: [String]

  package init(_ name: String) {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    paths = folders.utf8.split(separator: UInt8(ascii: ":")).map { String(Substring($0)) }
      .filter { $0.utf8.first == UInt8(ascii: "/") }.map { "\($0)/\(name)" }.filter(Self.isProgram)
  }

  /// - Parameter gate: whose scripts are not to have put it there: what is started for them, or by them, would do what they want. Where they
  ///   may write everywhere nothing is safe from them.
  package func first(for gate: PermissionGate = .open) -> String? { paths.first { !gate.mayReplace($0) } }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}

extension PermissionGate {
  /// Whether scripts may write what a path leads to, or to where it does, or to what it is named by.
  fileprivate func mayReplace(_ path: String) -> Bool {
    guard !isOpen, !grantsAll(.write) else { return false }
    guard let real = realpath(path, nil) else { return true }
    defer { free(real) }
    return [FileModuleLoader.normalized(path), String(cString: real)].contains { covers(.write, $0) }
  }
}
