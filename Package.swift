// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

/// Arrows point only downwards, from a target to those of lower levels.
let package = Package(
  name: "trestle",
  products: [
    .library(name: "Trestle", targets: ["Trestle"]),
    // For programs that load modules from shared libraries: all of them share this one.
    .library(name: "TrestleDynamic", type: .dynamic, targets: ["Trestle"]),
    .library(name: "EventLoop", targets: ["EventLoop"]),
    .library(name: "TrestleCore", targets: ["TrestleCore"]),
    // The engine alone, as the module JSEngine.
    .library(name: "TrestleEngine", targets: ["JSEngine"]),
    // Foundation's types across the bridge; the others do without Foundation.
    .library(name: "TrestleFoundation", targets: ["TrestleFoundation"]),
    .library(name: "TrestleTesting", targets: ["TrestleTesting"]),
    .library(name: "TrestleModules", targets: ["TrestleModules"]),
    .library(name: "TrestleObservables", targets: ["TrestleObservables"]),
    // React Native's wire, and the modules that its JavaScript asks for.
    .library(name: "TrestleReactNative", targets: ["TrestleReactNative"]),
    .executable(name: "trestle", targets: ["TrestleRunner"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: [
    // 0: C libraries, one importer each
    .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .systemLibrary(
      name: "CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1", providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]),
    .target(name: "CBundledJS"),
    .systemLibrary(name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
    .target(name: "CBundledModules"),
    .target(name: "CBundledReactNative"),
    .target(name: "CBundledTest"),
    .target(name: "CEngineTraps"),
    .target(name: "CLinux"),
    // For programs: embedded, it is the host's to say what its descriptors are.
    .target(name: "CStandardDescriptors"),
    .target(name: "CConformances"),
    .target(name: "CNcurses", linkerSettings: [.linkedLibrary("tinfo")]),
    // Headers alone: the library is loaded when a script first wants a database.
    .target(name: "CSQLite"),
    .target(name: "CTOML"),
    // Domain names and encodings of ICU, which the engine has loaded anyway, and zlib.
    .target(name: "CWebPlatform", linkerSettings: [.linkedLibrary("icuuc"), .linkedLibrary("z")]),
    // 1
    .target(name: "EventLoop", dependencies: ["CGLib", "CLinux"]),
    .target(name: "JSON"),
    .target(name: "Rope"),
    .target(name: "TerminalInput"),
    .target(name: "TextMetrics", exclude: ["generate-cell-widths.py"]),
    // 2
    .target(name: "JSEngine", dependencies: ["CEngineTraps", "CJavaScriptCore", "EventLoop"]),
    .target(name: "EditorProtocol", dependencies: ["JSON"], exclude: ["PROTOCOL.md"]),
    .target(name: "JSONRPC", dependencies: ["JSON", "EventLoop"]),
    // 3
    .target(name: "TrestleCore", dependencies: ["JSEngine", "JSON", "EventLoop", "CBundledJS", "CConformances"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CLinux", "JSON", "Rope", "Trestle", "TrestleModules", "TrestleObservables", "TrestleReactNative",
      ],
      exclude: ["README.md"]),
    .target(name: "TrestleFoundation", dependencies: ["TrestleCore"]),
    .target(name: "TrestleObservables", dependencies: ["TrestleCore", "EventLoop"]),
    .target(name: "TrestleTesting", dependencies: ["TrestleCore", "EventLoop"]),
    // 4
    .macro(
      name: "TrestleMacros",
      dependencies: [
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ]),
    .target(name: "Trestle", dependencies: ["TrestleCore", "TrestleMacros"]),
    .target(
      name: "EditorCore",
      dependencies: [
        "EditorProtocol", "JSONRPC", "Rope", "TextMetrics", "EventLoop", "CPCRE2", "CTOML",
      ]),
    .target(
      name: "EditorClient", dependencies: ["EditorProtocol", "JSONRPC", "TextMetrics", "TerminalInput", "EventLoop"]),
    .target(
      name: "TrestleModules", dependencies: ["Trestle", "EventLoop", "CBundledModules", "CSQLite", "CWebPlatform"]),
    .target(name: "TrestleReactNative", dependencies: ["Trestle", "JSEngine", "EventLoop", "CBundledReactNative"]),
    // 5
    .target(
      name: "TrestleCLI",
      dependencies: [
        "TrestleModules", "TrestleReactNative", "Trestle", "JSEngine", "EventLoop", "TerminalInput",
        "TextMetrics", "CBundledTest",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(name: "TerminalUI", dependencies: ["EditorClient", "TerminalInput", "EventLoop", "CNcurses"]),
    // 6
    .executableTarget(
      name: "xiedit", dependencies: ["TerminalUI", "EditorCore", "CStandardDescriptors"],
      exclude: ["xiedit.1", "completions"]),
    .executableTarget(
      name: "xiedit-core", dependencies: ["EditorCore", "CStandardDescriptors"],
      exclude: ["xiedit-core.1"]),
    .executableTarget(
      name: "TrestleRunner", dependencies: ["TrestleCLI", "CStandardDescriptors"], exclude: ["trestle.1"]),
    // Examples: programs that use the package as any other would.
    .target(name: "TextStatistics", dependencies: ["Trestle"], path: "examples/text-table/Statistics"),
    .executableTarget(
      name: "TextTable", dependencies: ["TextStatistics", "Trestle", "TrestleModules"], path: "examples/text-table",
      exclude: ["README.md", "table.js", "texts.d.ts", "expected-output.txt", "input", "Statistics", "Tests"]),
    .executableTarget(
      name: "Greeter", dependencies: ["Trestle", "TrestleModules"], path: "examples/greeter",
      exclude: ["README.md", "expected-output.txt"]),
    .executableTarget(
      name: "HostedLoopExample", dependencies: ["Trestle", "TrestleModules", "EventLoop"],
      path: "examples/hosted-loop", exclude: ["README.md", "echo.js", "host.d.ts", "expected-output.txt"]),
    .executableTarget(
      name: "LogQuery", dependencies: ["Trestle", "TrestleModules"], path: "examples/logq",
      exclude: ["README.md", "slow.js", "errors.js", "generate.js", "expected-output.txt"]),
    .executableTarget(
      name: "NotebookExample", dependencies: ["Trestle", "TrestleModules", "TrestleObservables"],
      path: "examples/notebook", exclude: ["README.md", "notebook.js", "notebook.d.ts", "expected-output.txt"]),
    .executableTarget(
      name: "ReactNativeExample", dependencies: ["Trestle", "TrestleReactNative"], path: "examples/react-native",
      exclude: ["README.md", "core.js", "app.js", "expected-output.txt"]),
    .testTarget(
      name: "TextTableTests", dependencies: ["TextStatistics", "TrestleTesting"], path: "examples/text-table/Tests"),
    // Tests mirror the targets.
    .target(name: "CCloseCheck", path: "Tests/CCloseCheck"),
    .target(name: "TestSupport", dependencies: ["CCloseCheck", "JSEngine", "JSON"], path: "Tests/TestSupport"),
    .testTarget(name: "EventLoopTests", dependencies: ["CCloseCheck", "EventLoop", "CLinux", "TestSupport"]),
    .testTarget(name: "JSEngineTests", dependencies: ["CEngineTraps", "JSEngine", "EventLoop", "TestSupport"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "JSON", "EventLoop", "CLinux", "TestSupport"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["xiedit", "xiedit-core", "EditorClient", "TrestleRunner", "TextMetrics", "CLinux", "TestSupport"]),
    .testTarget(name: "EditorClientTests", dependencies: ["EditorClient", "TestSupport"]),
    .testTarget(name: "EditorProtocolTests", dependencies: ["EditorProtocol"]),
    .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI"]),
    .testTarget(name: "TextMetricsTests", dependencies: ["TextMetrics"]),
    .testTarget(name: "EditorCoreTests", dependencies: ["EditorCore", "CLinux", "TestSupport"]),
    .testTarget(name: "XieditCoreTests", dependencies: ["xiedit-core", "JSON", "CLinux", "TestSupport"]),
    .testTarget(name: "RopeTests", dependencies: ["Rope"]),
    .testTarget(
      name: "TrestleCoreTests", dependencies: ["TrestleCore", "TrestleReactNative", "JSON", "EventLoop", "TestSupport"]),
    .testTarget(
      name: "TrestleFoundationTests",
      dependencies: ["TrestleFoundation", "TrestleCore", "TrestleReactNative", "Trestle", "TrestleTesting"]),
    .testTarget(
      name: "TrestleTests",
      dependencies: [
        "Trestle", "TrestleFoundation", "TrestleReactNative", "TrestleTesting", "TestSupport", "EventLoop",
      ]),
    .testTarget(
      name: "TrestleObservablesTests",
      dependencies: ["TrestleObservables", "Trestle", "TrestleTesting", "EventLoop", "TestSupport"]),
    .testTarget(
      name: "GuideTests",
      dependencies: [
        "Trestle", "TrestleModules", "TrestleObservables", "TrestleReactNative", "TrestleTesting", "EventLoop",
        "TestSupport",
      ]),
    .testTarget(name: "TrestleTestingTests", dependencies: ["TrestleTesting", "Trestle", "EventLoop"]),
    .testTarget(
      name: "TrestleModulesTests",
      dependencies: [
        "CLinux", "TrestleModules", "TrestleReactNative", "Trestle", "JSEngine", "EventLoop", "TestSupport",
      ]),
    .testTarget(
      name: "TrestleCLITests",
      dependencies: [
        "CLinux", "TrestleRunner", "TrestleCLI", "TerminalInput", "Trestle", "TextTable", "TextStatistics", "Greeter",
        "HostedLoopExample", "LogQuery", "ReactNativeExample", "NotebookExample", "TestSupport",
      ]),
    .testTarget(
      name: "TrestleReactNativeTests",
      dependencies: ["TrestleReactNative", "TrestleModules", "Trestle", "EventLoop", "TestSupport"]),
    .testTarget(
      name: "TrestleMacrosTests",
      dependencies: [
        "TrestleMacros",
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
      ]),
  ],
  cxxLanguageStandard: .cxx17
)

for target in package.targets where ![.system, .plugin].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .treatAllWarnings(as: .error),
      .enableUpcomingFeature("ExistentialAny"),
    ]
}
