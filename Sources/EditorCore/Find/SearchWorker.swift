import EventLoop
import Glibc
import Rope

/// Searches whole texts, and replaces much in them, one after the other on a thread of its own. Results come back through the loop.
final class SearchWorker {
  /// Names a search: newer ones replace older ones of the same view.
  struct Ticket: Hashable, Sendable {
    let view: String
    let queryIndex: Int
    let search: Int
    let revision: Int

    /// The query index of what replaces.
    static let replacement = -1
  }

  enum Finding: Sendable {
    case matches([Range<ByteOffset>])
    case replacement(Replacement.Outcome)
  }

  struct Outcome: Sendable {
    let ticket: Ticket
    let result: Result<Finding, RegularExpression.Failure>
  }

  /// Goes on as long as what it calls says so, and tells it how many bytes it is through. Nil when it was stopped.
  private typealias Work =
    @Sendable (_ goOn: (_ byteCount: Int) -> Bool) throws(RegularExpression.Failure) -> Finding?

  // Tests shorten them.
  /// Of the processor: on a busy machine a search takes longer, and is no worse for it.
  var timeLimit = Duration.seconds(10)
  var reportInterval = Duration.milliseconds(100)

  private let outcomes: Mailbox<Outcome>
  private let reports: Mailbox<(ticket: Ticket, searchedByteCount: Int)>
  private var thread: LoopThread?
  private let wanted = Lock<[String: Ticket]>([:])

  /// - Parameters:
  ///   - onProgress: Called on the loop's thread, ten times a second at most, with how many bytes a search is through.
  ///   - handler: Called there once for each search that was not replaced.
  init(on loop: Loop, onProgress: @escaping (Ticket, Int) -> Void, _ handler: @escaping (Outcome) -> Void) {
    outcomes = Mailbox(on: loop, handler)
    reports = Mailbox(on: loop) { onProgress($0.ticket, $0.searchedByteCount) }
  }

  func search(_ text: Rope, for pattern: SearchPattern, _ ticket: Ticket) {
    start(ticket) { [timeLimit] goOn throws(RegularExpression.Failure) in
      let end = Self.processorTime + timeLimit
      var isLate = false
      let matches = try pattern.matches(in: text, text.fullRange, limit: RegularExpression.searchLimit) {
        isLate = Self.processorTime > end
        return !isLate && goOn($0)
      }
      if isLate { throw RegularExpression.Failure(message: "the search took too long") }
      return matches.map { .matches($0) }
    }
  }

  func replace(_ replacement: Replacement, _ ticket: Ticket) {
    start(ticket) { goOn throws(RegularExpression.Failure) in
      replacement.workOut { goOn(Int($0 * Double(replacement.text.byteCount))) }.map { .replacement($0) }
    }
  }

  /// Whatever runs for this query is given up.
  private func start(_ ticket: Ticket, _ work: @escaping Work) {
    let key = Self.key(ticket)
    wanted.withLock { $0[key] = ticket }
    do throws(EventLoopError) {
      if thread == nil { thread = try LoopThread(name: "search") }
      thread?.loop.perform { [wanted, outcomes, reports, reportInterval] in
        let isWanted = { wanted.withLock { $0[key] == ticket } }
        var nextReport = ContinuousClock.now + reportInterval
        let result = Result { () throws(RegularExpression.Failure) in
          try work { byteCount in
            let now = ContinuousClock.now
            if now >= nextReport {
              nextReport = now + reportInterval
              reports.send((ticket, byteCount))
            }
            return isWanted()
          }
        }
        guard isWanted() else { return }
        switch result {
        case .success(nil): break
        case .success(let finding?): outcomes.send(Outcome(ticket: ticket, result: .success(finding)))
        case .failure(let failure): outcomes.send(Outcome(ticket: ticket, result: .failure(failure)))
        }
      }
    } catch {
      outcomes.send(Outcome(ticket: ticket, result: .failure(.init(message: "\(error)"))))
    }
  }

  func cancel(view: String) {
    wanted.withLock { wanted in wanted = wanted.filter { $0.value.view != view } }
  }

  /// What the calling thread has used.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func key(_ ticket: Ticket) -> String { "\(ticket.view)/\(ticket.queryIndex)" }
}
