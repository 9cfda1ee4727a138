import EventLoop
import Rope
import Synchronization

/// A command of the shell, run once for each piece of a text, one after the other: on a thread that may wait.
final class ShellWork: Sendable {
  struct Piece: Equatable, Sendable {
    let range: Range<ByteOffset>
    /// A line of the text, with its end if it has one.
    let isLine: Bool

    /// The command reads nothing.
    static let nothing = Piece(range: 0..<0, isLine: false)
  }

  /// Why the text stays as it was, for the user.
  struct Failure: Error { let reason: String }

  typealias Result = Swift.Result<[Rope], Failure>

  /// What all it writes may come to, in bytes.
  static let mostOutput = 1 << 28
  /// The command that runs until somebody ends it: so long it may at most.
  private static let timeLimit = Duration.seconds(365 * 24 * 3600)
  private static let reportInterval = Duration.milliseconds(100)

  let pieces: [Piece]
  private let command: String
  private let text: Rope
  private let lineEnding: String
  private let outputLimit: Int
  private let wasEnded = Atomic(false)
  private let hasReturned = Atomic(false)

  /// - Parameter outputLimit: Tests have a lower one.
  init(command: String, text: Rope, pieces: [Piece], lineEnding: String, outputLimit: Int = mostOutput) {
    (self.command, self.text, self.pieces, self.lineEnding) = (command, text, pieces, lineEnding)
    self.outputLimit = outputLimit
  }

  /// From any thread.
  func end() { wasEnded.store(true, ordering: .relaxed) }

  var isEnded: Bool { wasEnded.load(ordering: .relaxed) }
  var isRunning: Bool { !hasReturned.load(ordering: .acquiring) }

  /// - Parameter report: Told now and then for how many pieces the command has run.
  /// - Returns: for each piece what takes its place.
  func run(_ report: (Int) -> Void) -> Result {
    defer { hasReturned.store(true, ordering: .releasing) }
    var filter = TextFilter(program: "/bin/sh")
    (filter.environment, filter.width) = (TextFilter.ownEnvironment, 1)
    (filter.timeLimit, filter.memoryLimit) = (Self.timeLimit, .max)
    if pieces.count == 1 { filter.watchDelay = .zero }
    var outputs: [Rope] = []
    var (room, lastReport) = (outputLimit, MonotonicTime.now)
    for piece in pieces {
      filter.outputLimit = room
      let input = input(of: piece)
      let outcome = filter.run([.init(arguments: ["-c", command], input: input)], isOver: { isEnded })[0]
      guard case .ended(let status, let bytes, let log) = outcome else {
        guard case .failed(let words) = outcome else { continue }
        return .failure(Failure(reason: words))
      }
      guard status == 0 else { return .failure(Self.failure(status, log)) }
      let output = Rope(bytes)
      guard output.isValidUTF8 else { return .failure(Failure(reason: "what it wrote is no UTF-8")) }
      room -= bytes.count
      outputs.append(replacement(of: piece, by: output))
      if pieces.count > 1, MonotonicTime.now - lastReport >= Self.reportInterval {
        lastReport = .now
        report(outputs.count)
      }
    }
    return .success(outputs)
  }

  /// Line ends are what commands know.
  private func input(of piece: Piece) -> [UInt8] {
    var bytes = text.bytes(in: piece.range)
    if lineEnding == "\r\n" { bytes = UnifiedLineEnds(bytes).bytes }
    if piece.isLine, bytes.last != 0x0A { bytes.append(0x0A) }
    return bytes
  }

  /// Commands end what they write with a line end, whether what they read had one or not.
  private func replacement(of piece: Piece, by output: Rope) -> Rope {
    var output = output.withLineEnds(lineEnding)
    let wasEnded = !piece.range.isEmpty && text[piece.range.upperBound - 1] == 0x0A
    let isEnded = !output.isEmpty && output[output.endOffset - 1] == 0x0A
    if isEnded, !wasEnded {
      output = output.slice(0..<output.lineContentEnd(of: output.endOffset - 1))
    } else if wasEnded, piece.isLine, !output.isEmpty, !isEnded {
      output.append(Rope(lineEnding))
    }
    return output
  }

  /// By the first line of its standard error, if it has one.
  private static func failure(_ status: CInt, _ log: [UInt8]) -> Failure {
    let line = log.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).lazy
      .map { String(decoding: $0.prefix(1000), as: UTF8.self) }
      .first { $0.contains { !$0.isWhitespace } }
    guard let line else { return Failure(reason: "exit code \(status)") }
    return Failure(reason: "\(line.cut(to: 200)) (exit code \(status))")
  }
}
