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

  private let outcomes: Mailbox<Outcome>
  private var thread: LoopThread?
  private let wanted = Lock<[String: Ticket]>([:])

  /// - Parameter handler: Called on the loop's thread, once for each search that was not replaced.
  init(on loop: Loop, _ handler: @escaping (Outcome) -> Void) {
    outcomes = Mailbox(on: loop, handler)
  }

  /// Whatever runs for this query is given up.
  func search(_ text: Rope, for pattern: SearchPattern, _ ticket: Ticket) {
    let key = Self.key(ticket)
    wanted.withLock { $0[key] = ticket }
    do throws(EventLoopError) {
      if thread == nil { thread = try LoopThread(name: "search") }
      thread?.loop.perform { [wanted, outcomes] in
        let isWanted = { wanted.withLock { $0[key] == ticket } }
        guard let result = Self.run(pattern, text, isWanted) else { return }
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
    _ pattern: SearchPattern, _ text: Rope, _ isWanted: () -> Bool
  ) -> Result<[Range<ByteOffset>], RegularExpression.Failure>? {
    let deadline = ContinuousClock.now + timeLimit
    var isLate = false
    do throws(RegularExpression.Failure) {
      let matches = try pattern.matches(in: text, text.fullRange, limit: RegularExpression.searchLimit) { _ in
        isLate = ContinuousClock.now > deadline
        return !isLate && isWanted()
      }
      if isLate { return .failure(.init(message: "the search took too long")) }
      return isWanted() ? matches.map { .success($0) } : nil
    } catch {
      return isWanted() ? .failure(error) : nil
    }
  }
}
