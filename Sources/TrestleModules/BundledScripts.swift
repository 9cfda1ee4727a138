import CBundledModules
import Trestle

/// The modules' own JavaScript, from `js/modules`.
extension ModuleScript {
  static let console = ModuleScript(sourceURL: "trestle:console.js") { String(cString: bundled_console_script()) }
  static let timers = ModuleScript(sourceURL: "trestle:timers.js") { String(cString: bundled_timers_script()) }
  static let process = ModuleScript(sourceURL: "trestle:process.js") { String(cString: bundled_process_script()) }
  static let web = ModuleScript(sourceURL: "trestle:web.js") { String(cString: bundled_web_script()) }
}
