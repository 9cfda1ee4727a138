import Glibc

/// Whether there is no such process any more, or nobody has asked for its exit status yet: on some machines nobody ever does.
public func hasEnded(_ process: pid_t) -> Bool {
  guard let file = fopen("/proc/\(process)/stat", "re") else { return true }
  defer { fclose(file) }
  var buffer = [UInt8](repeating: 0, count: 1024)
  let text = String(decoding: buffer[..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
  // The state follows the name, which stands in brackets and may hold any.
  let state = text[(text.lastIndex(of: ")") ?? text.startIndex)...].dropFirst(2).first
  return state == nil || state == "Z" || state == "X"
}
