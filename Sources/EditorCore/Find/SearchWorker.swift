import EventLoop
import Glibc
import Rope
import Synchronization

/// Searches whole texts, and replaces much in them, on threads of its own: what takes long keeps nothing else waiting. Results come back
/// through the loop.
final class SearchWorker {
  /// Names a search: newer ones replace older ones of the same view.
  struct Ticket: Hashable, Sendable {
    let view: String
    let queryIndex: Int
    let search: Int
    let revision: Int

    /// The query index of what replaces.
    static let replacement = -1

    fileprivate var query: Query { Query(view: view, index: queryIndex) }
  }

  fileprivate struct Query: Hashable {
    let view: String
    let index: Int
  }

  enum Finding: Sendable {
    case matches(IntervalTree)
    case replacement(Replacement.Outcome)
  }

  struct Outcome: Sendable {
    let ticket: Ticket
    let result: Result<Finding, RegularExpression.Failure>
  }

  /// Goes on as long as what it calls says so, and tells it how many bytes it is through. Nil when it was stopped.
  private typealias Work =
    @Sendable (RegularExpression.OwnThread, _ goOn: @escaping (_ byteCount: Int) -> Bool) throws(RegularExpression
    .Failure) -> Finding?

  // Tests shorten them.
  /// Of the processor: on a busy machine a search takes longer, and is no worse for it.
  var timeLimit = Duration.seconds(10)
  var reportInterval = Duration.milliseconds(100)

  /// So many searches run at once; more wait.
  private static let mostThreads = 4

  /// Told to a search that nobody wants any more.
  private final class Cancellation: Sendable {
    let isSet = Atomic(false)
  }

  private final class Lane: Sendable {
    let thread: LoopThread
    /// Searches that it has been given and that have not ended.
    let load = Atomic(0)

    init() throws(EventLoopError) { thread = try LoopThread(name: "search") }
  }

  private let onProgress: (Ticket, Int) -> Void
  private let handler: (Outcome) -> Void
  private lazy var outcomes = Inbox<Outcome>(on: loop) { [weak self] outcome in
    guard let self, isRunning(outcome.ticket) else { return }
    running[outcome.ticket.query] = nil
    handler(outcome)
  }
  private lazy var reports = Inbox<(ticket: Ticket, searchedByteCount: Int)>(on: loop) { [weak self] report in
    guard let self, isRunning(report.ticket) else { return }
    onProgress(report.ticket, report.searchedByteCount)
  }
  private let loop: Loop
  private var lanes: [Lane] = []
  private var running: [Query: (ticket: Ticket, cancellation: Cancellation)] = [:]

  /// - Parameters:
  ///   - onProgress: Called on the loop's thread, ten times a second at most, with how many bytes a search is through.
  ///   - handler: Called there once for each search that was not replaced.
  init(on loop: Loop, onProgress: @escaping (Ticket, Int) -> Void, _ handler: @escaping (Outcome) -> Void) {
    (self.loop, self.onProgress, self.handler) = (loop, onProgress, handler)
  }

  /// It has neither ended nor been given up.
  func isRunning(_ ticket: Ticket) -> Bool { running[ticket.query]?.ticket == ticket }

  func search(_ text: Rope, for pattern: SearchPattern, _ ticket: Ticket) {
    start(ticket) { [timeLimit] thread, goOn throws(RegularExpression.Failure) in
      let end = ThreadTime.used + timeLimit
      var isLate = false
      let matches = try pattern.matches(in: text, text.fullRange, .long(thread)) {
        isLate = ThreadTime.used > end
        return !isLate && goOn($0)
      }
      if isLate { throw RegularExpression.Failure(message: "the search took too long") }
      return matches.map { .matches($0) }
    }
  }

  func replace(_ replacement: Replacement, _ ticket: Ticket) {
    start(ticket) { thread, goOn throws(RegularExpression.Failure) in
      replacement.workOut(on: thread) { goOn(Int($0 * Double(replacement.text.byteCount))) }.map { .replacement($0) }
    }
  }

  /// Whatever runs for this query is given up.
  private func start(_ ticket: Ticket, _ work: @escaping Work) {
    running[ticket.query]?.cancellation.isSet.store(true, ordering: .relaxed)
    let cancellation = Cancellation()
    running[ticket.query] = (ticket, cancellation)
    do throws(EventLoopError) {
      let lane = try freeLane()
      lane.load.add(1, ordering: .relaxed)
      lane.thread.loop.perform { [outcomes, reports, reportInterval] in
        defer { lane.load.subtract(1, ordering: .relaxed) }
        let isWanted = { !cancellation.isSet.load(ordering: .relaxed) }
        guard isWanted(), let thread = RegularExpression.OwnThread(lane.thread) else { return }
        var nextReport = MonotonicTime.now + reportInterval
        let result = Result { () throws(RegularExpression.Failure) in
          try work(thread) { byteCount in
            let now = MonotonicTime.now
            if now >= nextReport {
              nextReport = now + reportInterval
              reports.send((ticket, byteCount))
            }
            return isWanted()
          }
        }
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

  /// One that does nothing, or the one with the least to do.
  private func freeLane() throws(EventLoopError) -> Lane {
    let least = lanes.min { $0.load.load(ordering: .relaxed) < $1.load.load(ordering: .relaxed) }
    if let least, least.load.load(ordering: .relaxed) == 0 || lanes.count == Self.mostThreads { return least }
    let lane = try Lane()
    lanes.append(lane)
    return lane
  }

  /// Whether every search that was begun has ended, also those that were given up.
  var isIdle: Bool { lanes.allSatisfy { $0.load.load(ordering: .relaxed) == 0 } }

  func cancel(view: String) {
    for (query, search) in running where query.view == view {
      search.cancellation.isSet.store(true, ordering: .relaxed)
      running[query] = nil
    }
  }
}
