import Trestle

extension ModuleDefinition {
  /// The global `console`.
  public static func console(to output: ConsoleOutput = .standard) -> ModuleDefinition {
    ModuleDefinition("Console", make: { _ in output }) {
      // Synchronous, so that what a script says before it hangs or crashes is read.
      Member<ConsoleOutput>.sync("write", "isError", "text") { (output, isError: Bool, text: String) in
        output.write(isError ? .error : .output, text)
      }
    }
    .with(script: .console)
  }
}

/// Where a console writes to.
public struct ConsoleOutput: Sendable {
  /// The two streams of a console.
  public enum Stream: Sendable { case output, error }

  let write: @Sendable (Stream, String) -> Void

  /// - Parameter write: called on the JS thread, with whole lines.
  public init(_ write: @escaping @Sendable (Stream, String) -> Void) { self.write = write }

  /// The standard output and error of the process, at once: nothing is kept back.
  public static let standard = ConsoleOutput { stream, text in
    (stream == .output ? StandardStream.output : .error).write(text)
  }
}
