import EventLoop
import Foundation
import Testing

@testable import TrestleCore

@Suite struct PermissionGateTests {
  @Test(arguments: [
    ("/a/b", "/a/b", true), ("/a/b", "/a/b/c", true), ("/a/b", "/a/bc", false), ("/a/b", "/a", false),
    ("/a/b", "/a/B", false), ("/a/b/", "/a/b/c", true), ("/a//b/.", "/a/b", true), ("/a/x/../b", "/a/b/c", true),
    ("/a/b/..", "/a/c", true), ("/", "/a", true), ("/a/e\u{301}", "/a/\u{e9}", false), ("", "/a", false),
    ("/a\0/b", "/a", false), ("/proc", "/proc/self/environ", true), ("/", "/proc/1", false), ("/a", "pipe:[1]", false),
    ("/a/b", "/a/b (deleted)", false),
  ])
  func pathsAreComparedNameByName(_ granted: String, _ path: String, isCovered: Bool) {
    let gate = PermissionGate(Permissions(read: .only([granted])))
    #expect(gate.covers(.read, path) == isCovered)
    #expect(!gate.covers(.write, path))
  }

  /// Those of the kernel tell of the process.
  @Test func allIsNotTheKernels() {
    let gate = PermissionGate(Permissions(read: .all))
    #expect(gate.covers(.read, "/process") && gate.covers(.read, "/"))
    #expect(!gate.covers(.read, "/proc") && !gate.covers(.read, "/proc/self") && !gate.covers(.read, "/sys/x"))
    #expect(!gate.covers(.read, "/elsewhere", isOfKernel: true))
    #expect(PermissionGate(.all).covers(.read, "/proc/self"))
  }

  /// They may be mounted anywhere.
  @Test func aFolderIsNotTheKernels() throws {
    let gate = PermissionGate(Permissions(read: .only(["/a"])))
    #expect(gate.covers(.read, "/a/proc/1") && !gate.covers(.read, "/a/proc/1", isOfKernel: true))
    let permissions = Permissions(read: .only(["/proc/self"]))
    let named = PermissionGate(permissions)
    #expect(named.covers(.read, "/proc/\(getpid())/comm", isOfKernel: true))
    // Also in the reruns of a command.
    let given = try #require(Permissions(read: .only(["/proc/self"])).withPaths(permissions.pathsText))
    #expect(PermissionGate(given).covers(.read, "/proc/\(getpid())/comm", isOfKernel: true))
  }

  @Test func onTheWayToWhatIsGrantedOneMayLook() {
    let gate = PermissionGate(Permissions(read: .only(["/a/b/c"])))
    for path in ["/", "/a", "/a/b", "/a/b/c", "/a/b/c/d"] { #expect(gate.mayLook(.read, at: path), "\(path)") }
    for path in ["/b", "/a/c", "/a/b/cd", "/ab"] { #expect(!gate.mayLook(.read, at: path), "\(path)") }
  }

  @Test func linksInWhatIsGrantedAreFollowedOnce() throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("trestle-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "real")
    let gate = PermissionGate(Permissions(read: .only([folder + "/link/new"])))
    #expect(gate.covers(.read, folder + "/real/new/file"))
    #expect(gate.mayLook(.read, at: folder + "/link") && gate.mayLook(.read, at: folder + "/real"))
    try FileManager.default.removeItem(atPath: folder + "/link")
    try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/etc")
    #expect(gate.covers(.read, folder + "/real/new") && !gate.covers(.read, "/etc/new"))
  }

  @Test func namesOfProgramsAndVariables() {
    let gate = PermissionGate(Permissions(run: .only(["git", "/bin/./date"]), environment: .only(["HOME"])))
    #expect(gate.covers(.run, name: "git") && gate.covers(.run, name: "/bin/date"))
    #expect(
      !gate.covers(.run, name: "/usr/bin/git") && !gate.covers(.run, name: "date") && !gate.covers(.run, name: "GIT"))
    #expect(gate.covers(.environment, name: "HOME") && !gate.covers(.environment, name: "HOM"))
    #expect(!gate.covers(.read, "/"))
  }

  @Test func whoStartsABridgeGrantsNoMoreThanHeHas() {
    let parent = PermissionGate(Permissions(read: .only(["/a"]), run: .only(["x"])))
    let gate = PermissionGate(Permissions(read: .only(["/a/b", "/c"]), run: .all), within: parent)
    #expect(gate.covers(.read, "/a/b") && !gate.covers(.read, "/a/c") && !gate.covers(.read, "/c"))
    #expect(gate.covers(.run, name: "x") && !gate.covers(.run, name: "y") && !gate.grantsAll(.run))
    let open = PermissionGate(.all, within: parent)
    #expect(!open.isOpen && open.covers(.read, "/a/x") && !open.covers(.write, "/a/x"))
  }

  @Test func whatWasAnsweredIsNotAskedAgain() throws {
    let asked = Lock<[String]>([])
    var permissions = Permissions(read: .only(["/a"]))
    permissions.onRefusal = { request in
      asked.withLock { $0.append(request.words) }
      return request.subject != "/no"
    }
    let parent = PermissionGate(permissions)
    let worker = PermissionGate(.all, within: parent)
    for gate in [worker, parent] {
      try gate.check(.read, path: "/yes")
      try gate.check(.run, name: "true")
      #expect(throws: PermissionError.self) { try gate.check(.read, path: "/no") }
      #expect(throws: PermissionError.self) { try gate.check(.write, path: "/no") }
    }
    #expect(asked.withLock { $0 } == ["reading /yes", "running true", "reading /no", "writing /no"])
    #expect(worker.covers(.read, "/yes/below") && !worker.covers(.read, "/yesterday"))
  }

  /// A folder at a time, from the end.
  @Test func linksOnTheWayToWhatIsNotThere() throws {
    func slow(_ path: String) -> String {
      if let real = realpath(path, nil) {
        defer { free(real) }
        return String(cString: real)
      }
      let name = (path as NSString).lastPathComponent
      let above = slow((path as NSString).deletingLastPathComponent)
      return above == "/" ? "/" + name : above + "/" + name
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("trestle-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/a/b/c", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (link, target) in [("l", "a/b"), ("a/l", "b"), ("a/b/l", "../.."), ("gone", "nowhere")] {
      #expect(symlink(target, folder + "/" + link) == 0)
    }
    for _ in 0..<500 {
      let names = (0..<Int.random(in: 0...7)).map { _ in ["a", "b", "c", "l", "gone", "x"].randomElement() ?? "" }
      let path = ([folder] + names).joined(separator: "/")
      #expect(PathGrant.withoutLinks(path) == slow(path), "\(path)")
    }
    let long = "/" + String(repeating: "a/", count: 100_000) + "b"
    #expect(PathGrant.withoutLinks(long) == long)
  }

  @Test func nobodyIsAskedAboutWhatCanBeNoPath() throws {
    let asked = Lock(0)
    var permissions = Permissions()
    permissions.onRefusal = { _ in
      asked.withLock { $0 += 1 }
      return true
    }
    let gate = PermissionGate(permissions)
    let long = "/" + String(repeating: "a/", count: 100_000) + "b"
    #expect(throws: PermissionError.self) { try gate.check(.read, path: long) }
    try gate.check(.read, path: "/short")
    #expect(asked.withLock { $0 } == 1)
  }

  /// What is granted is what was shown, whatever a link leads to by the time of the answer.
  @Test func aLinkThatChangesWhileItIsAskedAboutLeadsNowhere() throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("trestle-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/shown", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let link = folder + "/link"
    #expect(symlink("shown", link) == 0)
    var permissions = Permissions()
    let shown = Lock<String?>(nil)
    permissions.onRefusal = { request in
      shown.withLock { $0 = request.destination }
      unlink(link)
      return symlink("/etc", link) == 0
    }
    let gate = PermissionGate(permissions)
    #expect(throws: PermissionError.self) { try gate.check(.read, path: link) }
    #expect(shown.withLock { $0 } == folder + "/shown")
    #expect(gate.covers(.read, folder + "/shown") && !gate.covers(.read, "/etc"))
  }

  @Test func errorsSayWhatWouldGrantIt() {
    var permissions = Permissions()
    #expect("\(PermissionGate(permissions).error(PermissionRequest(.write, "/a")))" == "writing /a is not permitted")
    permissions.advice = { "--allow=\($0.subject)" }
    let error = PermissionGate(.all, within: PermissionGate(permissions)).error(PermissionRequest(.run, "x"))
    #expect("\(error)" == "running x needs --allow=x" && error.bridgeCode == "ERR_PERMISSION")
    #expect(error.bridgeProperties == ["permission": "run", "subject": "x"])
  }
}
