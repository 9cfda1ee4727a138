import Glibc

/// Writes down both directions of a transport: one line for each line, led by `< ` if it was received, `> ` if it was
/// sent and `# ` if it is a remark. Lines that have not ended wait in memory.
package final class RecordingTransport: Transport {
  private let base: any Transport
  private weak var receiver: (any TransportReceiver)?
  private let file: UnsafeMutablePointer<FILE>
  private var received = LineFramer(lengthLimit: .max)
  private var sent = LineFramer(lengthLimit: .max)
  /// Called once, with the reason, when something could not be written: the record ends there, what passes does not.
  package var onFailure: (String) -> Void = { _ in }
  private var hasFailed = false

  /// Creates the file, readable by its owner alone: it holds all text that passes.
  /// - Parameter goesOn: Behind what is in the file; else that is emptied.
  /// - Throws: ``ResponseError`` that names the path and the system's reason.
  package init(_ base: any Transport, path: String, goesOn: Bool = false) throws(ResponseError) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | (goesOn ? O_APPEND : O_TRUNC) | O_CLOEXEC, 0o600)
    guard descriptor >= 0, let file = fdopen(descriptor, "w") else {
      throw .internalError(.string("\(path): \(systemErrorText(errno))"))
    }
    self.base = base
    self.file = file
  }

  deinit { fclose(file) }

  package func open(receiver: any TransportReceiver) {
    self.receiver = receiver
    base.open(receiver: self)
  }

  package func send(_ bytes: UnsafeBufferPointer<UInt8>) {
    record(bytes, prefix: "> ", in: &sent)
    base.send(bytes)
  }

  package var unsentByteCount: Int { base.unsentByteCount }

  package var isReceivingPaused: Bool {
    get { base.isReceivingPaused }
    set { base.isReceivingPaused = newValue }
  }

  package func close() { base.close() }

  package func remark(_ text: String) {
    fputs("# \(text)\n", file)
    flush()
  }

  private func flush() {
    guard fflush(file) != 0, !hasFailed else { return }
    hasFailed = true
    onFailure(systemErrorText(errno))
  }

  private func record(_ bytes: UnsafeBufferPointer<UInt8>, prefix: String, in framer: inout LineFramer) {
    if hasFailed { return }
    framer.receive(bytes) { line in
      guard case .complete(let line) = line else { return true }
      fputs(prefix, file)
      fwrite(line.baseAddress, 1, line.count, file)
      putc(0x0A, file)
      return true
    }
    flush()
  }
}

extension RecordingTransport: TransportReceiver {
  package func transportDidReceive(_ bytes: UnsafeBufferPointer<UInt8>) {
    record(bytes, prefix: "< ", in: &received)
    receiver?.transportDidReceive(bytes)
  }

  package func transportDidDrainInput() { receiver?.transportDidDrainInput() }
  package func transportDidDrainOutput() { receiver?.transportDidDrainOutput() }
  package func transportDidEnd(_ end: TransportEnd) { receiver?.transportDidEnd(end) }
}
