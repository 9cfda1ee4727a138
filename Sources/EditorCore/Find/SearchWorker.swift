import EventLoop
import Rope

/// Searches whole texts, one after the other, on a thread of its own. Results come back through the loop.
final class SearchWorker {
  /// Names a search: newer ones replace older ones of the same view.
  struct Ticket: Hashable, Sendable {
    let view: String
    let queryIndex: Int
    let search: Int
    let revision: Int
  }

  struct Outcome: Sendable {
    let ticket: Ticket
    let result: Result<[Range<ByteOffset>], RegularExpression.Failure>
  }

  private static let timeLimit = Duration.seconds(10)
  /// Tests shorten it.
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

  /// Whatever runs for this query is given up.
  func search(_ text: Rope, for pattern: SearchPattern, _ ticket: Ticket) {
    let key = Self.key(ticket)
    wanted.withLock { $0[key] = ticket }
    do throws(EventLoopError) {
      if thread == nil { thread = try LoopThread(name: "search") }
      thread?.loop.perform { [wanted, outcomes, reports, reportInterval] in
        let isWanted = { wanted.withLock { $0[key] == ticket } }
        var nextReport = ContinuousClock.now + reportInterval
        let report = { (byteCount: Int, now: ContinuousClock.Instant) in
          guard now >= nextReport else { return }
          nextReport = now + reportInterval
          reports.send((ticket, byteCount))
        }
        guard let result = Self.run(pattern, text, isWanted, report) else { return }
        outcomes.send(Outcome(ticket: ticket, result: result))
      }
    } catch {
      outcomes.send(Outcome(ticket: ticket, result: .failure(.init(message: "\(error)"))))
    }
  }

  func cancel(view: String) {
    wanted.withLock { wanted in wanted = wanted.filter { $0.value.view != view } }
  }

  private static func key(_ ticket: Ticket) -> String { "\(ticket.view)/\(ticket.queryIndex)" }

  private static func run(
    _ pattern: SearchPattern, _ text: Rope, _ isWanted: () -> Bool,
    _ report: (Int, ContinuousClock.Instant) -> Void
  ) -> Result<[Range<ByteOffset>], RegularExpression.Failure>? {
    let deadline = ContinuousClock.now + timeLimit
    var isLate = false
    do throws(RegularExpression.Failure) {
      let matches = try pattern.matches(in: text, text.fullRange, limit: RegularExpression.searchLimit) { byteCount in
        let now = ContinuousClock.now
        report(byteCount, now)
        isLate = now > deadline
        return !isLate && isWanted()
      }
      if isLate { return .failure(.init(message: "the search took too long")) }
      return isWanted() ? matches.map { .success($0) } : nil
    } catch {
      return isWanted() ? .failure(error) : nil
    }
  }
}
