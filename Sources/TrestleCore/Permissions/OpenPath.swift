import Glibc

/// Where open files are.
package enum OpenPath {
  /// Nil of what has no place, or is there no more.
  package static func real(of descriptor: CInt) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
    guard count > 0, count < buffer.count, buffer[0] == 47 else { return nil }
    // A name that is not UTF-8 stands for no other: what is granted is text.
    return String(validating: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
