import CNcurses
import EditorClient
import Glibc

/// The sequences of a terminal, from its description or, where that is silent, those of xterm.
package struct Capabilities: Sendable {
  var enter = "\u{1B}[?1049h"
  var leave = "\u{1B}[?1049l"
  var clear = "\u{1B}[H\u{1B}[2J"
  var eraseToEndOfLine = "\u{1B}[K"
  var showCursor = "\u{1B}[?25h"
  var hideCursor = "\u{1B}[?25l"
  let resetStyle = "\u{1B}[0m"
  /// The window has a title, and keeps that of before.
  fileprivate(set) var hasTitle = true
  private static let (saveTitle, restoreTitle) = ("\u{1B}[22;0t", "\u{1B}[23;0t")

  /// What is sent before the first title; empty for a terminal without.
  var beginTitle: String { hasTitle ? Self.saveTitle : "" }
  var endTitle: String { hasTitle ? Self.restoreTitle : "" }

  /// Names a window (OSC 2).
  func title(_ text: String) -> [UInt8] { hasTitle ? Array("\u{1B}]2;\(text)\u{7}".utf8) : [] }

  /// Set when the terminal moves its cursor in another way than all others.
  private var cursorAddress: String?

  /// xterm's own.
  package static let xterm = Capabilities()

  private static let usualCursorAddress = "\u{1B}[%i%p1%d;%p2%dH"

  func appendMove(row: Int, column: Int, to bytes: inout [UInt8]) {
    if let cursorAddress, let sequence = cncurses_parameterized(cursorAddress, CInt(row), CInt(column)) {
      bytes.append(contentsOf: String(cString: sequence).utf8)
      return
    }
    bytes.append(0x1B)
    bytes.append(0x5B)
    Self.append(row + 1, to: &bytes)
    bytes.append(0x3B)
    Self.append(column + 1, to: &bytes)
    bytes.append(0x48)
  }

  private static func append(_ number: Int, to bytes: inout [UInt8]) {
    if number >= 10 { append(number / 10, to: &bytes) }
    bytes.append(UInt8(0x30 + number % 10))
  }
}

/// What is known of the terminal before it is taken.
package struct TerminalDescription: Sendable {
  package var capabilities = Capabilities.xterm
  package var depth = Palette.Depth.sixteen
  package var keys: [[UInt8]: Key] = [:]
  package var backspace: UInt8 = 0x7F
  /// Why something is not as it should be, if so.
  package var warning: String?

  /// Reads the description of `TERM`. An unknown window is taken for an xterm with 256 colours: the new ones are described on few machines,
  /// and are like it.
  /// - Throws: For what is no screen, or may be none.
  package init(environment: (String) -> String?) throws(ClientError) {
    let term = environment("TERM") ?? ""
    let isKnown = !term.isEmpty && cncurses_setup(term) == 0
    guard isKnown ? cncurses_string("cup") != nil : Self.isWindow(term) else { throw Self.refusal(of: term, isKnown) }
    if !isKnown {
      warning = "The terminal type \"\(term)\" is unknown here; it is treated as xterm-256color"
      // Keys and modes come from the built-in tables if even this is not described.
      _ = cncurses_setup("xterm-256color")
    }
    if isKnown { capabilities = Capabilities.described() }
    capabilities.hasTitle = Self.isWindow(term)
    if let backspace = Self.string("kbs")?.utf8.first { self.backspace = backspace }
    keys = Self.describedKeys()
    depth = Self.depth(term: term, isKnown: isKnown, environment: environment)
    if warning == nil, !Self.isUTF8(environment) {
      warning = "The locale is not UTF-8; text is shown as UTF-8 all the same"
    }
  }

  private static func refusal(of term: String, _ isKnown: Bool) -> ClientError {
    let remedy = "if it is like most, start TERM=xterm-256color xiedit …"
    if term.isEmpty { return ClientError(.notATerminal, "TERM", "not set, which tells the terminal's type; \(remedy)") }
    let problem = isKnown ? "a terminal of this type has no cursor to move" : "this type is not known here"
    return ClientError(.notATerminal, "TERM=\(term)", "\(problem), and xiedit draws a screen; \(remedy)")
  }

  /// Those that are windows, or pass on to one what is for it. Others could show a title in the text.
  private static func isWindow(_ term: String) -> Bool {
    let windows = [
      "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "konsole", "vte", "gnome", "st-", "wezterm",
      "contour", "ghostty", "iterm", "mintty", "putty",
    ]
    return windows.contains { term.hasPrefix($0) }
  }

  private static func depth(
    term: String, isKnown: Bool, environment: (String) -> String?
  ) -> Palette.Depth {
    if environment("NO_COLOR")?.isEmpty == false { return .none }
    if ["truecolor", "24bit"].contains(environment("COLORTERM") ?? "") || term.hasSuffix("-direct") {
      return .trueColour
    }
    let colours = isKnown ? cncurses_number("colors") : 256
    return colours >= 256 ? .indexed : colours >= 8 ? .sixteen : .none
  }

  private static func isUTF8(_ environment: (String) -> String?) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.compactMap { environment($0) }.first { !$0.isEmpty } ?? ""
    return locale.lowercased().replacingDash.contains("utf8")
  }

  fileprivate static func string(_ name: String) -> String? {
    cncurses_string(name).map { String(cString: $0) }
  }

  private static func describedKeys() -> [[UInt8]: Key] {
    var codes: [(String, Key)] = [
      ("kcuu1", Key(.up)), ("kcud1", Key(.down)), ("kcuf1", Key(.right)), ("kcub1", Key(.left)), ("khome", Key(.home)),
      ("kend", Key(.end)), ("kpp", Key(.pageUp)), ("knp", Key(.pageDown)), ("kdch1", Key(.delete)),
      ("kich1", Key(.insert)), ("kcbt", Key(.tab, .shift)),
    ]
    for number in 1...12 { codes.append(("kf\(number)", Key(.function(number)))) }
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in codes {
      guard let sequence = string(name), sequence.utf8.count > 1, !sequence.isUsualKeySequence else { continue }
      keys[Array(sequence.utf8)] = key
    }
    return keys
  }
}

extension Capabilities {
  /// Of the terminal that was set up last.
  fileprivate static func described() -> Capabilities {
    let string = TerminalDescription.string
    var capabilities = Capabilities()
    capabilities.clear = (string("clear") ?? capabilities.clear).withoutPadding
    capabilities.enter = (string("smcup") ?? "").withoutPadding
    // Without a screen of its own the program leaves none of its text between the shell's lines.
    capabilities.leave = string("rmcup")?.withoutPadding ?? capabilities.clear
    capabilities.eraseToEndOfLine = (string("el") ?? capabilities.eraseToEndOfLine).withoutPadding
    capabilities.showCursor = (string("cnorm") ?? "").withoutPadding
    capabilities.hideCursor = (string("civis") ?? "").withoutPadding
    if let address = string("cup")?.withoutPadding, address != usualCursorAddress {
      capabilities.cursorAddress = address
    }
    return capabilities
  }
}

extension String {
  /// Without the delays of old terminals, `$<5>`.
  fileprivate var withoutPadding: String {
    var rest = self[...]
    var result = ""
    while let dollar = rest.firstIndex(of: "$"), rest[dollar...].hasPrefix("$<"),
      let end = rest[dollar...].firstIndex(of: ">")
    {
      result += rest[..<dollar]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  fileprivate var replacingDash: String { filter { $0 != "-" } }

  /// One that the decoder reads without a table.
  fileprivate var isUsualKeySequence: Bool {
    var decoder = InputDecoder()
    guard case .key? = decoder.decode(utf8).first else { return false }
    return !decoder.isWaiting && hasPrefix("\u{1B}[") || hasPrefix("\u{1B}O")
  }
}
