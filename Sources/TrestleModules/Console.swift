import Glibc
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
    writeAll(text, to: stream == .output ? STDOUT_FILENO : STDERR_FILENO)
  }
}

/// Writes all of `text`, waiting where the descriptor makes it wait; gives up where it fails.
func writeAll(_ text: String, to descriptor: CInt) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count > 0 { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
      if count < 0, errno == EAGAIN { waitUntilWritable(descriptor) } else if count < 0, errno != EINTR { return }
    }
  }
}

private func waitUntilWritable(_ descriptor: CInt) {
  var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  poll(&request, 1, -1)
}
