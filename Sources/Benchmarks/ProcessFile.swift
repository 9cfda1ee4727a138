import Glibc

/// What the system tells of processes.
enum ProcessFile {
  static func read(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }

  /// The resident memory of a process and its peak, in bytes.
  static func memory(of process: pid_t) -> (resident: Int, peak: Int) {
    let lines = read("/proc/\(process)/status").split(separator: "\n")
    let value = { (name: String) -> Int in
      let line = lines.first { $0.hasPrefix(name) } ?? ""
      return (line.split { $0 == " " || $0 == "\t" }.compactMap { Int($0) }.first ?? 0) << 10
    }
    return (value("VmRSS:"), value("VmHWM:"))
  }
}
