import CBundledModules
import Trestle

/// What is to be known of the modules of this library.
public enum StandardModules {
  /// TypeScript declarations of them all and of what every bridge has.
  public static let typeDeclarations = typeDeclarations(of: names)

  /// Those of these, where they have any, behind those of what every bridge has.
  public static func typeDeclarations(of modules: [String]) -> String {
    ([""] + declared.filter(modules.contains)).map { String(cString: bundled_type_declarations($0)) }.joined()
  }

  /// The names of the modules. The globals of some are all that scripts see of them.
  public static let names = ["Console", "Timers", "Web"] + declared
  private static let declared = ["Files", "Process", "Processes", "SQLite", "Workers"]
}

/// The modules' own JavaScript, from `js/modules`.
extension ModuleScript {
  static let console = ours("trestle:console.js") { String(cString: bundled_console_script()) }
  static let timers = ours(
    "trestle:timers.js",
    globals: [
      "setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate", "queueMicrotask",
      "performance", "PerformanceEntry", "PerformanceMark", "PerformanceMeasure",
    ]
  ) { String(cString: bundled_timers_script()) }
  static let process = ours("trestle:process.js", globals: []) { String(cString: bundled_process_script()) }
  static let sqlite = ours("trestle:sqlite.js", globals: []) { String(cString: bundled_sqlite_script()) }
  static let worker = ours("trestle:worker.js", globals: ["Worker"]) { String(cString: bundled_worker_script()) }
  static let workerScope = ours("trestle:worker-scope.js") {
    String(cString: bundled_worker_scope_script())
  }
  static let web = ours(
    "trestle:web.js",
    globals: [
      "TextEncoder", "TextDecoder", "structuredClone", "AbortSignal", "AbortController", "Event", "EventTarget",
      "CustomEvent", "DOMException", "MessageEvent", "ErrorEvent", "URL", "URLSearchParams", "URLPattern", "Crypto",
      "crypto",
      "Navigator", "navigator", "atob", "btoa", "reportError", "ReadableStream", "ReadableStreamDefaultReader",
      "ReadableStreamBYOBReader", "ReadableStreamDefaultController", "ReadableByteStreamController",
      "ReadableStreamBYOBRequest", "WritableStream", "WritableStreamDefaultWriter", "WritableStreamDefaultController",
      "TransformStream", "TransformStreamDefaultController", "CountQueuingStrategy", "ByteLengthQueuingStrategy",
      "CompressionStream", "DecompressionStream", "TextEncoderStream", "TextDecoderStream",
      "Blob", "File",
    ]
  ) { String(cString: bundled_web_script()) }

  /// Runs where no script reaches it.
  ///
  /// - Parameter globals: all that it makes, where it may run when one of these, or the module, is first touched.
  private static func ours(
    _ sourceURL: String, globals: [String]? = nil, _ source: @escaping @Sendable () -> String
  ) -> ModuleScript {
    var script = ModuleScript(sourceURL: sourceURL, source)
    script.realm = .own
    script.globals = globals
    return script
  }
}
