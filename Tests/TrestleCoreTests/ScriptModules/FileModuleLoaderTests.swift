import Foundation
import Testing

@testable import TrestleCore

/// Where modules are found: files and packages.
@Suite struct FileModuleLoaderTests {
  private let root: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "modules-\(UUID().uuidString)")
    let files = [
      "app/main.mjs": "", "app/lib.js": "", "app/data.json": "{}", "app/sub/index.js": "", "app/with space.mjs": "",
      "app/ä.mjs": "",
      "app/package.json":
        ##"{"name": "app", "type": "module", "exports": {".": "./main.mjs", "./inner/*": "./sub/*.js"}, "imports": {"#lib": "./lib.js", "#dep": "dep", "#out": "../../x.js", "#many/*": "./****************"}}"##,
      "app/node_modules/dep/package.json": ##"{"exports": {"import": "./esm.mjs", "require": "./cjs.cjs"}}"##,
      "app/node_modules/dep/esm.mjs": "", "app/node_modules/dep/cjs.cjs": "", "app/node_modules/dep/hidden.js": "",
      "app/node_modules/old/package.json": ##"{"main": "lib"}"##, "app/node_modules/old/lib.js": "",
      "app/node_modules/old/other.js": "",
      "app/node_modules/@scope/pack/package.json":
        ##"{"exports": {"./*": {"trestle": "./t/*.js", "default": "./d/*.js"}, "./private/*": null}}"##,
      "app/node_modules/@scope/pack/t/one.js": "", "app/node_modules/@scope/pack/d/two.js": "",
      "app/node_modules/@scope/pack/t/private/x.js": "",
      "app/node_modules/listed/package.json":
        ##"{"exports": {".": ["npm:x", "./l.js"], "./no": {"import": null, "default": "./l.js"}}}"##,
      "app/node_modules/listed/l.js": "",
      "app/node_modules/broken/package.json": "{", "app/node_modules/broken/index.js": "",
      "node_modules/upper/index.js": "",
      "typed/main.ts": "", "typed/a.ts": "", "typed/b.tsx": "", "typed/c.mts": "", "typed/d.cts": "",
      "typed/both.js": "",
      "typed/both.ts": "", "typed/view.tsx": "", "typed/part/index.ts": "", "typed/plain.mjs": "",
      "typed/package.json": ##"{"name": "typed", "exports": "./a.js"}"##, "typed/tsconfig.json": "{",
      "app/node_modules/climbs/package.json": ##"{"exports": "./../dep/hidden.js"}"##,
    ]
    for (path, text) in files {
      let url = folder.appending(path: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "app/link.mjs"), withDestinationURL: folder.appending(path: "app/main.mjs"))
    root = folder.resolvingSymlinksInPath().path
  }

  /// Where a specifier in `app/main.mjs` leads to, below the root; or what is said of it.
  private func place(
    of specifier: String, from referrer: String = "app/main.mjs", isRequired: Bool = false
  ) throws -> String {
    let loader = FileModuleLoader(folder: root + "/app", root: root)
    do {
      let key = try loader.resolve(ModuleRequest(specifier, from: root + "/" + referrer, isRequired: isRequired))
      return key.replacing(root + "/", with: "")
    } catch let error as BridgeError {
      #expect(error.code == .notFound)
      return error.message.replacing(root + "/", with: "").components(separatedBy: ": ").dropFirst().joined(
        separator: ": ")
    }
  }

  @Test(arguments: [
    ("./lib.js", "app/lib.js"), ("../app/./lib.js", "app/lib.js"), ("./link.mjs", "app/main.mjs"),
    ("./with space.mjs", "app/with space.mjs"),
    ("./ä.mjs", "app/ä.mjs"), ("trestle:files", "trestle:files"),
    ("#lib", "app/lib.js"), ("#dep", "app/node_modules/dep/esm.mjs"), ("app", "app/main.mjs"),
    ("app/inner/index", "app/sub/index.js"),
    ("dep", "app/node_modules/dep/esm.mjs"), ("old", "app/node_modules/old/lib.js"),
    ("old/other.js", "app/node_modules/old/other.js"),
    ("@scope/pack/one", "app/node_modules/@scope/pack/t/one.js"), ("listed", "app/node_modules/listed/l.js"),
    ("upper", "node_modules/upper/index.js"),
  ]) func namesLeadToFiles(specifier: String, place expected: String) throws {
    #expect(try place(of: specifier) == expected)
  }

  @Test(arguments: [
    ("./lib", "did you mean 'lib.js'?"), ("./sub", "app/sub is a folder"), ("./data", "did you mean 'data.json'?"),
    ("", "that is no path"),
    ("left-pad", "no folder 'node_modules' above has it; a file beside is './left-pad'"),
    ("node:fs", "that is a part of Node; native modules of this bridge are imported as 'trestle:files'"),
    ("fs/promises", "that is a part of Node; native modules of this bridge are imported as 'trestle:files'"),
    ("https://example.org/x.js", "modules are not loaded from 'https:'"),
    ("file://host/x.js", "the URL names no file here"),
    ("dep/hidden.js", "app/node_modules/dep/package.json does not name './hidden.js' in 'exports'"),
    ("#many/" + String(repeating: "x", count: 1000), "app/package.json makes too long a path of it"),
    ("#none", "app/package.json does not name '#none' in 'imports'"),
    ("#out", "'../../x.js' in app/package.json does not begin with './'"),
    ("@scope/pack/private/x", "app/node_modules/@scope/pack/package.json does not name './private/x' in 'exports'"),
    ("listed/no", "app/node_modules/listed/package.json does not name './no' in 'exports'"),
    ("climbs", "app/node_modules/climbs/package.json leads out of the package: './../dep/hidden.js'"),
    ("@scope", "that is no package's name"),
    ("@scope/pack/two", "app/node_modules/@scope/pack/package.json leads to './t/two.js', which is no file"),
    ("./nul\0.js", "there is no app/nul\0.js"), ("./none.js", "there is no app/none.js"),
    ("./lib.js/x.js", "there is no app/lib.js/x.js"),
  ]) func otherNamesAreExplained(specifier: String, message: String) throws {
    #expect(try place(of: specifier) == message)
  }

  @Test(arguments: [
    ("./lib", "app/lib.js"), ("./sub", "app/sub/index.js"), ("./data", "app/data.json"),
    ("dep", "app/node_modules/dep/cjs.cjs"),
    ("old", "app/node_modules/old/lib.js"),
  ]) func requireTriesMore(specifier: String, place expected: String) throws {
    #expect(try place(of: specifier, isRequired: true) == expected)
  }

  /// What TypeScript would be made into is asked for, and the source is there.
  @Test(arguments: [
    ("./a.js", "typed/a.ts"), ("./b.js", "typed/b.tsx"), ("./b.jsx", "typed/b.tsx"), ("./c.mjs", "typed/c.mts"),
    ("./d.cjs", "typed/d.cts"), ("./both.js", "typed/both.js"), ("./both.ts", "typed/both.ts"), ("typed", "typed/a.ts"),
  ]) func aSourceStandsForWhatItBecomes(specifier: String, place expected: String) throws {
    for referrer in ["typed/main.ts", "typed/plain.mjs"] {
      #expect(try place(of: specifier, from: referrer) == expected)
    }
  }

  @Test(arguments: [
    ("./a", "typed/a.ts"), ("./view", "typed/view.tsx"), ("./both", "typed/both.ts"), ("./part", "typed/part/index.ts"),
    ("./c", "did you mean 'c.mts'?"),
  ]) func typedSourcesMayLeaveExtensionsOut(specifier: String, place expected: String) throws {
    #expect(try place(of: specifier, from: "typed/main.ts") == expected)
    #expect(try place(of: specifier, from: "typed/plain.mjs") != expected || expected.hasPrefix("did you mean"))
  }

  @Test func whatIsWrongWithItsConfigurationIsSaid() throws {
    let error = #expect(throws: BridgeError.self) {
      try FileModuleLoader(folder: root).load(root + "/typed/a.ts", type: nil)
    }
    #expect(error?.place == root + "/typed/tsconfig.json")
  }

  @Test func mapsAreFilesOnly() throws {
    let loader = FileModuleLoader(folder: root)
    #expect(loader.loadSourceMap("data.json", of: root + "/app/main.mjs") == "{}")
    #expect(loader.loadSourceMap("file://\(root)/app/data.json", of: "x") == "{}")
    for url in [
      "nowhere.map", "../../outside.map", "https://example.org/x.map", "/dev/zero", "sub", "", "file://host/x",
    ] {
      #expect(loader.loadSourceMap(url, of: root + "/app/main.mjs") == nil)
    }
  }

  @Test func urlsAreDecoded() throws {
    let loader = FileModuleLoader(root: "/")
    #expect(try loader.resolve(ModuleRequest("file://\(root)/app/with%20space.mjs")) == root + "/app/with space.mjs")
    let instance = "file://\(root)/app/with%20space.mjs?x#y"
    #expect(try loader.resolve(ModuleRequest(instance)) == instance)
    for url in ["file:///%zz", "file:///%+4", "file:///%4", "file://\(root)/app%2Fmain.mjs"] {
      #expect(throws: BridgeError.self) { try loader.resolve(ModuleRequest(url)) }
    }
  }

  @Test(
    arguments: [
      ("app/main.mjs", nil, .module), ("app/lib.js", nil, .module), ("app/data.json", nil, .json),
      ("app/node_modules/dep/cjs.cjs", nil, .commonJS),
      ("app/node_modules/old/lib.js", nil, .script), ("app/data.json", "text", .text), ("app/lib.js", "json", .json),
    ] as [(String, String?, ModuleSource.Format)])
  func whatAFileIsItsNameAndPackageSay(path: String, type: String?, format: ModuleSource.Format) throws {
    #expect(try FileModuleLoader(folder: root).load(root + "/" + path, type: type).format == format)
  }

  @Test func whatIsNoFileOrTextIsRefused() throws {
    for path in ["/dev/zero", root + "/app", root + "/none"] {
      let error = #expect(throws: BridgeError.self) { try FileModuleLoader(root: "/").load(path, type: nil) }
      #expect(error?.code == .unreadable)
    }
  }

  /// What is there and cannot be reached is not told of as missing.
  @Test func whatKeepsFromAFileIsTold() throws {
    let app = root + "/app", long = String(repeating: "x", count: 300)
    try FileManager.default.createSymbolicLink(atPath: app + "/circle.mjs", withDestinationPath: "circle.mjs")
    try FileManager.default.createSymbolicLink(
      atPath: app + "/node_modules/round", withDestinationPath: app + "/node_modules/round")
    for (name, path, reason) in [
      ("./circle.mjs", "circle.mjs", "Too many levels of symbolic links"),
      ("./\(long).mjs", long + ".mjs", "File name too long"),
      ("round", "node_modules/round", "Too many levels of symbolic links"),
    ] {
      for isRequired in [false, true] {
        let error = #expect(throws: BridgeError.self) {
          try FileModuleLoader(folder: root).resolve(
            ModuleRequest(name, from: app + "/main.mjs", isRequired: isRequired))
        }
        #expect(error?.code == .unreadable)
        #expect(
          error?.message
            == "cannot read \(app)/\(path), which \(app)/main.mjs \(isRequired ? "requires" : "imports"): \(reason)")
      }
    }
  }

  @Test func whatIsNotPermittedIsTold() throws {
    let locked = root + "/locked"
    try FileManager.default.createDirectory(atPath: locked, withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: locked + "/a.mjs"))
    #expect(chmod(root, 0o755) == 0 && chmod(locked, 0) == 0)
    defer { chmod(locked, 0o755) }
    // Of this thread alone: the superuser is permitted everything.
    let isSuperuser = geteuid() == 0
    if isSuperuser { setFileUser(65534) }
    defer { if isSuperuser { setFileUser(0) } }
    let error = #expect(throws: BridgeError.self) {
      try FileModuleLoader(folder: root).resolve(ModuleRequest("./locked/a.mjs", from: root + "/main.mjs"))
    }
    #expect(error?.message == "cannot read \(locked)/a.mjs, which \(root)/main.mjs imports: Permission denied")
  }

  /// By its path, by a link, by a package above; and what is told does not depend on whether there is such a file.
  @Test func whatLiesOutsideIsNotRead() throws {
    let inner = root + "/app/sub", loader = FileModuleLoader(folder: inner)
    try FileManager.default.createSymbolicLink(atPath: inner + "/out.mjs", withDestinationPath: root + "/app/main.mjs")
    for name in [
      "../main.mjs", "../none.mjs", root + "/app/main.mjs", "/proc/self/environ", "./out.mjs", "file:///etc/passwd",
    ] {
      let error = #expect(throws: BridgeError.self) {
        try loader.resolve(ModuleRequest(name, from: inner + "/index.js"))
      }
      #expect(error?.message.hasSuffix(": it lies outside of \(inner)") == true, "\(name): \(error?.message ?? "")")
    }
    #expect(throws: BridgeError.self) { try loader.resolve(ModuleRequest("dep", from: inner + "/index.js")) }
    #expect(throws: BridgeError.self) { try loader.load(root + "/app/main.mjs", type: "text") }
    #expect(try loader.resolve(ModuleRequest("./index.js")) == inner + "/index.js")
  }

  /// Not by an import map, a name without its ending, a `tsconfig.json` or a source map either.
  @Test func nothingElseLeadsOutside() throws {
    let inner = root + "/typed/part"
    let map = try ImportMap(#"{"imports": {"out": "../a.ts", "in": "./index.ts"}}"#, file: inner + "/map.json")
    let loader = FileModuleLoader(folder: inner, importMap: map)
    try FileManager.default.createSymbolicLink(atPath: inner + "/link.ts", withDestinationPath: root + "/typed/a.ts")
    for name in ["out", "../a", "../a.js", "../b.js", "../nowhere.js", "./link", "./link.js"] {
      let error = #expect(throws: BridgeError.self) {
        try loader.resolve(ModuleRequest(name, from: inner + "/index.ts"))
      }
      #expect(error?.message.hasSuffix(": it lies outside of \(inner)") == true, "\(name): \(error?.message ?? "")")
    }
    #expect(try loader.resolve(ModuleRequest("in")) == inner + "/index.ts")
    // The broken one of the folder above is not looked at.
    #expect(try loader.load(inner + "/index.ts", type: nil).language == .typeScript)
    #expect(loader.loadSourceMap("../package.json", of: inner + "/index.ts") == nil)
  }

  /// What is said of a link that leads out does not tell whether there is something.
  @Test(arguments: [false, true]) func noLinkTellsWhatIsOutside(isRequired: Bool) throws {
    let inner = root + "/typed/part", outside = root + "/app", loader = FileModuleLoader(folder: inner)
    for (name, target) in [
      ("there.mjs", outside + "/main.mjs"), ("gone.mjs", outside + "/none.mjs"), ("folder", outside),
      ("app", "../../app"),
      ("second", "folder/lib.js"), ("node_modules", outside + "/node_modules"),
    ] { try FileManager.default.createSymbolicLink(atPath: inner + "/" + name, withDestinationPath: target) }
    let long = String(repeating: "x", count: 300)
    for name in [
      "./there.mjs", "./gone.mjs", "./folder", "./folder/", "./folder/sub", "./folder/none", "./folder/main.mjs/x",
      "./folder/lib", "./app/lib.js", "./app/none.js", "./second", "./folder/\(long)", "dep", "none", "dep/none.js",
    ] {
      for referrer in ["index.js", "index.ts"] {
        let error = #expect(throws: BridgeError.self) {
          try loader.resolve(ModuleRequest(name, from: inner + "/" + referrer, isRequired: isRequired))
        }
        #expect(error?.code == .notFound)
        #expect(error?.message.hasSuffix(": it lies outside of \(inner)") == true, "\(name): \(error?.message ?? "")")
      }
    }
  }

  /// As in Node and browsers; a file of the very name comes first, as ever.
  @Test func whatFollowsAQuestionMarkMakesAnInstance() throws {
    let app = root + "/app", loader = FileModuleLoader(root: root)
    try Data("'own'".utf8).write(to: URL(filePath: app + "/own.mjs?1"))
    for (name, key) in [
      ("./lib.js?1", "file://\(app)/lib.js?1"), ("./lib.js#a/../b", "file://\(app)/lib.js#a/../b"),
      ("./with space.mjs?a b", "file://\(app)/with%20space.mjs?a%20b"), ("./link.mjs?", "file://\(app)/main.mjs?"),
      (app + "/lib.js?1", "file://\(app)/lib.js?1"), ("./own.mjs?1", app + "/own.mjs?1"),
    ] { #expect(try loader.resolve(ModuleRequest(name, from: app + "/main.mjs")) == key) }
    let key = "file://\(app)/with%20space.mjs?/x/y"
    #expect(try loader.resolve(ModuleRequest("./lib.js", from: key)) == app + "/lib.js")
    #expect(try loader.load(key, type: nil).format == .module)
    #expect(try loader.load("file://\(app)/data.json?1", type: nil).format == .json)
    #expect(throws: BridgeError.self) { try loader.resolve(ModuleRequest("./none.js?1", from: app + "/main.mjs")) }
    #expect(throws: BridgeError.self) {
      try loader.resolve(ModuleRequest("./lib.js?1", from: app + "/main.mjs", isRequired: true))
    }
  }

  /// What is wrong with it would tell what it says.
  @Test func noLinkLeadsToAPackageOutside() throws {
    let inner = root + "/typed/part"
    try FileManager.default.createSymbolicLink(
      atPath: inner + "/linked", withDestinationPath: root + "/app/node_modules/broken")
    try FileManager.default.createSymbolicLink(
      atPath: inner + "/package.json", withDestinationPath: root + "/app/node_modules/broken/package.json")
    try Data().write(to: URL(filePath: inner + "/a.js"))
    let loader = FileModuleLoader(folder: inner)
    #expect(try loader.load(inner + "/a.js", type: nil).format == .script)
    let error = #expect(throws: BridgeError.self) {
      try loader.resolve(ModuleRequest("./linked", from: inner + "/a.js", isRequired: true))
    }
    #expect(error?.message.hasSuffix(": it lies outside of \(inner)") == true, "\(error?.message ?? "")")
  }

  /// To look for it would take half a minute and more, by an import map for ever.
  @Test(arguments: ["./" + String(repeating: "a/", count: 1_000_000), String(repeating: "../", count: 1_000_000)])
  func aNameThatIsTooLongIsRefused(name: String) throws {
    let map = try ImportMap(#"{"imports": {"x/": "./"}}"#, file: root + "/map.json")
    let error = #expect(throws: BridgeError.self) {
      try FileModuleLoader(folder: root, importMap: map).resolve(ModuleRequest(name, from: root + "/app/main.mjs"))
    }
    #expect(error?.code == .notFound && error?.message.contains("…', which ") == true)
    #expect((error?.message.utf8.count ?? 0) < 1000)
  }

  /// Some keep their readers waiting, whatever they ask for.
  @Test func filesOfTheKernelAreNoModules() {
    let error = #expect(throws: BridgeError.self) {
      try FileModuleLoader(root: "/").load("/proc/self/environ", type: "text")
    }
    #expect(error?.message.contains("a file of the kernel's") == true)
  }

  @Test func aBrokenPackageIsTold() throws {
    let loader = FileModuleLoader(folder: root)
    for text in ["{", "[]", #"{"a": ""# + String(repeating: "a", count: 1 << 20) + "\"}"] {
      try Data(text.utf8).write(to: URL(filePath: root + "/app/node_modules/broken/package.json"))
      let error = #expect(throws: BridgeError.self) {
        try loader.resolve(ModuleRequest("broken", from: root + "/app/main.mjs"))
      }
      #expect(error?.message.contains("app/node_modules/broken/package.json: ") == true, "\(error?.message ?? "")")
    }
  }

  @Test func theLongestStartOfAPatternDecides() throws {
    let package = root + "/app/node_modules/star"
    try FileManager.default.createDirectory(atPath: package, withIntermediateDirectories: true)
    try Data(#"{"exports": {"./a/*": "./one.js", "./*/long/behind": "./two.js"}}"#.utf8).write(
      to: URL(filePath: package + "/package.json"))
    for name in ["one", "two"] { try Data().write(to: URL(filePath: package + "/\(name).js")) }
    #expect(try place(of: "star/a/long/behind") == "app/node_modules/star/one.js")
  }
}

/// As whom this thread asks for files.
@_silgen_name("setfsuid") @discardableResult
private func setFileUser(_ user: UInt32) -> CInt
