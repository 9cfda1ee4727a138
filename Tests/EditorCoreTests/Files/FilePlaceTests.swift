import Glibc
import Testing

@testable import EditorCore

@Suite struct FilePlaceTests {
  private let files = TemporaryFolder()
  private let system = LinuxFileSystem()

  /// One file has one place by all its names, and no two files have the same.
  @Test func isTheSameByAllNames() throws {
    mkdir(files("é"), 0o755)
    symlink("é", files("link"))
    symlink("é/a", files("leading"))
    symlink("none", files("dangling"))
    for name in ["é/a", "é/./a", "link/a", "é//a", "link/../é/a", "leading"] {
      #expect(try files.place(name).path == files("é/a"), "\(name)")
    }
    #expect(try files.place("dangling") == files.place("none"))
    #expect(try files.place("link/\u{301}x").path == files("é/\u{301}x"))
    #expect(try files.place("link/no/such/a").path == files("é/no/such/a"))
    #expect(try files.place("a/") != files.place("a"))
    #expect(try system.place(of: "/a").path == "/a")
    let folder = try system.realPath(".")
    for name in ["a", "./a", ".//a"] { #expect(try system.place(of: name).path == folder + "/a", "\(name)") }
    #expect(try system.place(of: "no/such/a").path == folder + "/no/such/a")
  }

  /// Below a folder that the user may not search, where the working folder can be, and what is below that.
  @Test func hasAPlaceBelowWhatMayNotBeSearched() throws {
    mkdir(files("closed"), 0o755)
    mkdir(files("closed/open"), 0o755)
    let folder = open(files("closed/open"), O_RDONLY | O_DIRECTORY)
    try #require(chmod(files("closed"), 0) == 0)
    // Root may search any. Of this thread alone.
    let setUser = try #require(
      dlsym(nil, "setfsuid").map { unsafeBitCast($0, to: (@convention(c) (uid_t) -> CInt).self) })
    if geteuid() == 0 { _ = setUser(65534) }
    defer {
      if geteuid() == 0 { _ = setUser(0) }
      chmod(files("closed"), 0o755)
      close(folder)
    }
    let name = "/proc/self/fd/\(folder)/a"
    #expect(try system.place(of: name).path == files("closed/open/a"))
  }

  /// Also where names are no text, which strings make the same.
  @Test func foldersThatAreNoTextDiffer() throws {
    var places: Set<FilePlace> = []
    for byte: UInt8 in [0xFE, 0xFF] {
      let path = files.path.utf8CString.dropLast() + [0x2F, CChar(bitPattern: byte), 0]
      #expect(mkdir(Array(path), 0o755) == 0 && symlink(Array(path), files("link\(byte)")) == 0)
      places.insert(try files.place("link\(byte)/a"))
      rmdir(Array(path))
    }
    #expect(places.count == 2)
  }
}
