import Glibc

/// Where a user's settings are: `$XDG_CONFIG_HOME/xiedit`, or `~/.config/xiedit`.
package enum SettingsFolder {
  /// The file in such a folder.
  package static func file(in folder: String) -> String { folder + "/settings.toml" }

  /// For the user whose environment this process has; nil without a home.
  package static var ofUser: String? {
    if let home = value(of: "XDG_CONFIG_HOME"), home.hasPrefix("/") { return home + "/xiedit" }
    return value(of: "HOME").map { $0 + "/.config/xiedit" }
  }

  private static func value(of name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
