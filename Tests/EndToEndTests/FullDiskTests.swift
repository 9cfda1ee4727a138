import Glibc
import TestSupport
import Testing

/// A disk of one megabyte, in a mount namespace of the editor's own. Only where users may make one.
@Suite(.serialized, .offThePool, .enabled(if: SmallDisk.canBeMade)) struct FullDiskTests: EditorSuite {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  @Test func aSaveThatFindsNoRoomHarmsNothing() throws {
    let text = String(repeating: "x", count: 79) + "\n"
    try home.write(String(repeating: text, count: 8000), to: "a.txt")
    let session = try TerminalSession(
      [
        "/usr/bin/unshare", "-rm", "/bin/sh", "-c",
        "\(SmallDisk.make) && cp a.txt disk && exec \(Products.xiedit) disk/a.txt",
      ],
      in: home, columns: 80, rows: 12)
    try session.wait(toSee: "Ln 1/8001")
    // As the editor sees it.
    let disk = "/proc/\(session.process)/root\(home.path)/disk"
    try session.type("new \u{13}")
    try session.wait(toSee: "Not saved: ")
    try session.wait(toSee: "No space left on device")
    try session.wait(toSee: "a.txt *")
    #expect(TemporaryFolder.names(inFolder: disk) == ["a.txt"], "no litter")
    #expect(size(of: disk + "/a.txt") == 640_000)
    // Room is made: less text.
    try session.type("\u{01}x\u{13}")
    try session.wait(toSee: "Saved a.txt")
    #expect(size(of: disk + "/a.txt") == 2)
    try quit(session)
  }

  private func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : -1
  }
}

private enum SmallDisk {
  static let make = "mkdir disk && mount -t tmpfs -o size=1m none disk"

  static let canBeMade: Bool = {
    guard let home = try? TemporaryFolder(),
      let session = try? TerminalSession(["/usr/bin/unshare", "-rm", "/bin/sh", "-c", make], in: home)
    else { return false }
    return (try? session.waitForEnd()) == 0
  }()
}
