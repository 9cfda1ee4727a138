/// The themes that a core has, and the one that the user has chosen among them.
struct Themes {
  /// Xi's name for the theme that all its front ends have; ours draw it as `terminal`.
  private static let standard = "InspiredGitHub"

  var names: [String] = []
  /// Until the editor ends: another core is told of it.
  var chosen: String?

  /// Without one that looks as another does.
  var offered: [String] { names.contains("terminal") ? names.filter { $0 != Self.standard } : names }
}
