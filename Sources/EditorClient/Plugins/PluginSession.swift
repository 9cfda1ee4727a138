/// What goes on between the user and the plugins, in whatever view is shown.
struct PluginSession {
  /// One line of the palette, and what it does.
  struct PaletteEntry {
    var choice: ChoiceList.Choice
    var run: () -> Void
  }

  /// A command whose arguments are being asked for, in their order.
  struct CommandInProgress {
    var plugin: String
    var command: DeclaredCommand
    var nextArgument = 0

    /// nil when all have been asked for.
    var argument: DeclaredCommand.Argument? {
      nextArgument < command.arguments.count ? command.arguments[nextArgument] : nil
    }
  }

  /// What the open palette offers.
  var palette: [PaletteEntry] = []
  var command: CommandInProgress?
  /// What is shown of the place of the caret, until the next key.
  var hover: String?
  /// The number of the last question about a place; older answers come too late.
  var hoverRequest = 0

  mutating func endPalette() {
    palette = []
    command = nil
  }
}
