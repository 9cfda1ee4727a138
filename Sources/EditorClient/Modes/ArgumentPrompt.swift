import JSON

/// A plugin's command whose arguments are being asked for, in their order.
struct CommandInProgress {
  var plugin: String
  var command: DeclaredCommand
  var nextArgument = 0

  /// nil when all have been asked for.
  var argument: DeclaredCommand.Argument? {
    nextArgument < command.arguments.count ? command.arguments[nextArgument] : nil
  }

  /// With a value for the argument that was asked for.
  func with(_ value: JSONValue) -> CommandInProgress {
    guard let argument else { return self }
    var next = self
    next.command.set(argument, to: value)
    next.nextArgument += 1
    return next
  }
}

/// Asks for an argument that is typed.
final class ArgumentPrompt: Prompt {
  private let progress: CommandInProgress
  private let argument: DeclaredCommand.Argument

  init(_ editor: Editor, _ progress: CommandInProgress, _ argument: DeclaredCommand.Argument) {
    self.progress = progress
    self.argument = argument
    super.init(editor, argument.title, history: .argument(argument.title))
  }

  override var note: String { argument.description }

  override func accept(_ text: String) {
    if let value = argument.type.value(of: text) { return editor.proceed(with: progress.with(value)) }
    editor.mode = self
    editor.notices.refuse("not \(argument.type.expected)")
  }
}

/// Asks for an argument that is one of some values.
final class ChoiceArgumentPrompt: ChoicePrompt {
  private let progress: CommandInProgress
  private let argument: DeclaredCommand.Argument
  private let values: [DeclaredCommand.Option]

  init(
    _ editor: Editor, _ progress: CommandInProgress, _ argument: DeclaredCommand.Argument,
    _ options: [DeclaredCommand.Option]
  ) {
    self.progress = progress
    self.argument = argument
    values = options
    super.init(editor, argument.title, choices: options.map { ChoiceList.Choice(title: $0.title) })
  }

  override var note: String { argument.description }

  override var refusal: String { "not one of these" }

  override func accept(choice index: Int) { editor.proceed(with: progress.with(values[index].value)) }
}
