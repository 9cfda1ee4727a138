import Glibc

/// The programs that were built together with the tests.
enum Products {
  static let xiedit = folder + "xiedit"
  static let core = folder + "xiedit-core"

  /// The folder of the image that this code is in.
  private static let folder: String = {
    var information = Dl_info()
    let address = unsafeBitCast(marker as @convention(c) () -> Void, to: UnsafeRawPointer.self)
    guard dladdr(address, &information) != 0, let name = information.dli_fname else { return "" }
    let path = String(cString: name)
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }()

  private static let marker: @convention(c) () -> Void = {}
}
