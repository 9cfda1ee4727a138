extension String {
  /// As a shell takes it for one word.
  var asShellWord: String {
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@%+=:-".utf8
    if utf8.allSatisfy(plain.contains) { return self }
    return "'" + replacing("'", with: "'\\''") + "'"
  }
}
