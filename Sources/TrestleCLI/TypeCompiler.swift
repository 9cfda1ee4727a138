import Glibc
import Trestle

/// The program `tsc`.
struct TypeCompiler {
  let path: String

  /// The first in `PATH`, if there is one.
  static var inPath: TypeCompiler? {
    ProgramSearch("tsc").first().map(TypeCompiler.init)
  }

  /// Why it could not be run.
  struct Failure: Error, CustomStringConvertible {
    let code: CInt
    var description: String { String(cString: strerror(code)) }
  }

  private static let options = [
    "--noEmit", "--strict", "--allowJs", "--checkJs", "--target", "ES2022", "--lib", "ES2022", "--module", "ES2022",
    "--moduleResolution", "node", "--moduleDetection", "force", "--resolveJsonModule", "--allowSyntheticDefaultImports",
    "--jsx", "preserve",
  ]

  /// Writes what it finds to the standard output.
  ///
  /// - Returns: the exit code: 0 where all is well, 1 with mistakes, and as of a shell where a signal ended it.
  func check(_ files: [String], declarations: String) throws(Failure) -> CInt {
    var folder = Array("/tmp/trestle-check-XXXXXX".utf8CString)
    guard mkdtemp(&folder) != nil else { throw Failure(code: errno) }
    let name = String(decoding: folder.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer {
      unlink(name + "/trestle.d.ts")
      rmdir(name)
    }
    try write(declarations, to: name + "/trestle.d.ts")
    // Names with @ in front would be lists of arguments.
    let scripts = files.map { $0.hasPrefix("/") ? $0 : "./" + $0 }
    // What lies about of Node's is not there for these scripts.
    return try run(Self.options + ["--typeRoots", name, name + "/trestle.d.ts"] + scripts)
  }

  private func write(_ text: String, to path: String) throws(Failure) {
    guard let file = fopen(path, "wx") else { throw Failure(code: errno) }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else { throw Failure(code: errno) }
  }

  private func run(_ arguments: [String]) throws(Failure) -> CInt {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigfillset(&defaults)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    // The terminal interrupts both: this one is to take its folder away.
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, path, nil, &attributes, &words, environ)
    guard failure == 0 else { throw Failure(code: failure) }
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { throw Failure(code: errno) } }
    let signal = status & 0x7f
    if signal != 0 { return 128 + signal }
    return status == 0 ? 0 : 1
  }
}
