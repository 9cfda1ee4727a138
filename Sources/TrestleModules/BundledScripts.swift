import CBundledModules
import Trestle

/// The modules' own JavaScript, from `js/modules`.
extension ModuleScript {
  static let console = ModuleScript(sourceURL: "trestle:console.js") { String(cString: bundled_console_script()) }
  static let timing = ModuleScript(sourceURL: "trestle:timing.js") { String(cString: bundled_timing_script()) }
  static let process = ModuleScript(sourceURL: "trestle:process.js") { String(cString: bundled_process_script()) }
  static let web = ModuleScript(sourceURL: "trestle:web.js") { String(cString: bundled_web_script()) }
}
