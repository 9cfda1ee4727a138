import Foundation

/// Writes a program that can be started at once.
///
/// Another process writes it: what this one has open for writing is open in the children of other tests, too, until they have become
/// what they start, and cannot be started meanwhile ("Text file busy").
public func writeProgram(_ text: String, to path: String) throws {
  let draft = path + ".text"
  try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
  defer { unlink(draft) }
  var child: pid_t = 0
  let words: [String] = ["install", "-m", "755", draft, path]
  var arguments = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var status: CInt = 0
  guard posix_spawn(&child, "/usr/bin/install", nil, nil, &arguments, environ) == 0,
    waitpid(child, &status, 0) == child, status == 0
  else { throw CocoaError(.fileWriteUnknown) }
}
