import CLinux
import Glibc

/// Writing to descriptors. Here alone, so that interruptions and descriptors that do not wait are thought of once.
package enum Writing {
  /// Writes all of it, waiting where the descriptor is full, also one that does not wait by itself.
  ///
  /// - Returns: false if that fails; `errno` says why.
  package static func all(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      } else if errno == EAGAIN {
        waitUntilWritable(descriptor)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// As `write(2)`, but that nobody is left to read a pipe is an error (`EPIPE`) without the signal, which would end the process.
  package static func some(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Int {
    var (pipeSignal, before) = (sigset_t(), sigset_t())
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    guard pthread_sigmask(SIG_BLOCK, &pipeSignal, &before) == 0 else { return -1 }
    let wasBlocked = sigismember(&before, SIGPIPE) == 1
    let count = write(descriptor, bytes.baseAddress, bytes.count)
    let error = errno
    if !wasBlocked {
      if count < 0, error == EPIPE {
        // The signal is this thread's, and waits for it.
        var noTime = timespec()
        while sigtimedwait(&pipeSignal, nil, &noTime) < 0, errno == EINTR {}
      }
      pthread_sigmask(SIG_SETMASK, &before, nil)
    }
    errno = error
    return count
  }

  /// Copies from one file to another, behind what was copied before; where the file system can, both share it.
  ///
  /// - Returns: how many bytes; 0 at the end, -1 if that fails: `errno` says why.
  package static func copy(from source: CInt, to target: CInt, atMost most: Int) -> Int {
    while true {
      let count = copy_file_range(source, nil, target, nil, most, 0)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private static func waitUntilWritable(_ descriptor: CInt) {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&request, 1, -1)
  }
}
