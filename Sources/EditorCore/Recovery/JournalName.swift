/// What the name of a journal says: "notes.txt-1f0c….4711.view-id-1.journal", or with a number more where that was taken.
struct JournalName {
  /// Of the file that is opened to find it.
  let key: String
  /// That has begun it.
  let process: Int

  init?(_ name: String) {
    guard name.hasSuffix(".journal") else { return nil }
    var parts = name.split(separator: ".", omittingEmptySubsequences: false).dropLast()
    if parts.count > 3, parts.last.flatMap({ Int($0) }) != nil { parts.removeLast() }
    guard parts.count > 2, let process = Int(parts[parts.endIndex - 2]) else { return nil }
    (key, self.process) = (parts.dropLast(2).joined(separator: "."), process)
  }
}
