import Glibc

/// The file beside a target that is to take its place. Its name depends on the target alone, so that the next save finds and removes what
/// a killed one left.
struct TemporaryFile {
  let path: String
  private let system: any FileSystem

  init(besides target: String, system: any FileSystem) {
    self.system = system
    // Room for the longest names.
    let name = String(decoding: system.name(of: target).utf8.prefix(200), as: UTF8.self)
    path = system.folder(of: target) + "/.\(name).xiedit-save"
  }

  /// Makes and locks it. Private to the user until it has the target's permissions; otherwise as the user's mask wants new files.
  func create(isPrivate: Bool) throws(FileError) -> CInt {
    while true {
      let descriptor = try open(isPrivate)
      do throws(FileError) {
        if try system.lockIfPossible(descriptor) != .busy, try system.isNamed(descriptor, path) { return descriptor }
      } catch {
        system.close(descriptor)
        discard()
        throw error
      }
      // Who looked for what a killed save had left has had it first, and removed it.
      system.close(descriptor)
    }
  }

  private func open(_ isPrivate: Bool) throws(FileError) -> CInt {
    let (flags, mode): (CInt, UInt32) = (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, isPrivate ? 0o600 : 0o666)
    var end: ContinuousClock.Instant?
    while true {
      let isLast = end.map { .now >= $0 } ?? false
      do throws(FileError) { return try system.open(path, flags, mode: mode) } catch {
        guard error.systemError == EEXIST else { throw error }
      }
      do throws(FileError) { try removeAbandoned() } catch {
        guard [.notFound, .inUse].contains(error.code) else { throw error }
        // Who removes what a killed save has left has it for a moment; a save that goes on has it for longer.
        if isLast { throw inUse }
        end = end ?? .now + .milliseconds(100)
        usleep(2000)
      }
    }
  }

  func discard() { try? system.remove(path) }

  /// Removes what a killed save left, if that is what is there.
  func removeAbandoned() throws(FileError) {
    try system.withOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) { descriptor throws(FileError) in
      let status = try system.status(of: descriptor)
      guard status.kind == .regular, status.owner == system.effectiveUser else { throw inUse }
      switch try system.lockIfPossible(descriptor) {
      case .taken: break
      case .busy: throw inUse
      // A save writes all the time. One of the future is of before the clock was set back.
      case .unknown: if abs(Int64(time(nil)) - status.modificationTime / 1_000_000_000) < 60 { throw inUse }
      }
      // Another may have removed it, and have begun its own.
      if try system.isNamed(descriptor, path) { try system.remove(path) }
    }
  }

  private var inUse: FileError { FileError(.inUse, "cannot write", path: path, detail: "it is being saved already") }
}
