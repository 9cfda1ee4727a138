import EditorProtocol
import EventLoop
import JSON
import JSONRPC

/// The editor with a living core behind it: when one core dies another takes its place.
package final class ClientSession {
  /// This many cores may end within this time, not more.
  private static let deathLimit = 3
  private static let deathWindow = Duration.seconds(30)
  /// So much that is no message within this time ends a core.
  private static let (noiseLimit, noiseWindow) = (20, Duration.seconds(60))
  /// How often it is looked whether the core still owes an answer.
  private static let tickInterval = Duration.milliseconds(700)
  /// So long a core may take, at the end, to write down what it has not answered.
  private static let lastWait = Duration.seconds(3)
  /// So often it gets as long once more, if it has written down some of it meanwhile.
  private static let longestLastWaits = 10

  package let editor: Editor
  /// Something may have to be drawn.
  package var onChange: () -> Void = {}
  /// There is no core any more and no text: `failure` says why.
  package var onFailure: () -> Void = {}
  /// Why no core could be started, or kept alive before there was any text.
  package private(set) var failure: String?

  /// After so long the user is told that the core has not answered at all.
  private static let startDelay = Duration.seconds(2)

  private let line = CoreLine()
  private let command: CoreCommand
  private let loop: Loop
  private let recordPath: String?
  private var connection: CoreConnection
  private var deaths: [MonotonicTime] = []
  private var noise: [MonotonicTime] = []
  private var hadUpdate = false
  private var hasEnded = false
  private var ticker: LoopSource?
  /// What the core had used of the processor at the last tick.
  private var timeUsed: Duration?
  private var hadMessage = false
  private var remarkedCorrections = 0

  /// Starts the core.
  package init(
    _ command: CoreCommand, on loop: Loop, columns: Int, rows: Int, recordPath: String? = nil
  ) throws(ClientError) {
    self.command = command
    self.loop = loop
    self.recordPath = recordPath
    connection = try CoreConnection(command, on: loop, recordPath: recordPath)
    editor = Editor(channel: line, columns: columns, rows: rows)
    line.connection = connection
    line.onSend = { [unowned self] in watch() }
    connection.owner = self
    editor.core.start()
  }

  /// Waits for the first message, for cores that take their time and may have questions: the screen is not taken yet.
  /// - Parameters:
  ///   - onDelay: Called once, when that takes long.
  ///   - isGivenUp: Whether the user wants to wait no more.
  package func waitForCore(onDelay: @escaping () -> Void, isGivenUp: () -> Bool) throws(ClientError) {
    connection.forwardsLog = true
    let delay = loop.after(Self.startDelay, onDelay)
    defer {
      delay.cancel()
      connection.forwardsLog = false
    }
    while !hadMessage, failure == nil, !isGivenUp() { loop.iterate(waiting: true) }
    if isGivenUp() {
      close()
      throw ClientError(.coreDoesNotAnswer, "core", "it did not answer, and was not waited for")
    }
    if let failure { throw ClientError(.coreDoesNotAnswer, "core", failure) }
  }

  /// Sees to it before the end that a core has written down what was typed: one more core if there is none, or it is silent.
  /// - Returns: What could not be kept, for the user.
  package func keepText() -> String? {
    (onChange, onFailure) = ({}, {})
    editor.core.isLeaving = true
    // What was typed behind a command that runs is not to wait for it.
    editor.gate.endCommands()
    // None are open after an end that has closed them.
    editor.files.rememberRun()
    waitForText { !self.editor.gate.silence.isNoticed }
    if hasEnded || editor.gate.silence.isNoticed, !editor.files.unkeptViews.isEmpty {
      deaths = []
      restartCore()
      waitForText { true }
    }
    return editor.files.unkeptNames.map { "what was typed last in \($0) could not be kept: no core took it in time" }
  }

  /// Lets the core write down what was typed, as long as that makes sense and it gets on with it.
  private func waitForText(while makesSense: () -> Bool) {
    var rounds = Self.longestLastWaits
    while rounds > 0, !hasEnded, makesSense(), editor.files.mayLoseText {
      let amount = editor.files.unkeptAmount
      var isOver = false
      let timer = loop.after(Self.lastWait) { isOver = true }
      defer { timer.cancel() }
      while !isOver, !hasEnded, makesSense(), editor.files.mayLoseText { loop.iterate(waiting: true) }
      rounds = editor.files.unkeptAmount < amount ? rounds - 1 : 0
    }
  }

  /// Ends the core's input; the core keeps the journals of views that were not closed.
  ///
  /// - Parameter isSudden: Whether views were left open. Then the core's end is waited for: while it runs, an editor that is started next
  ///   takes these journals for those of a living one, and does not offer them.
  package func close(isSudden: Bool = false) {
    connection.remark(editor.views.edits.predictions.remark)
    connection.owner = nil
    connection.close()
    if isSudden, !hasEnded { connection.waitForEnd() }
  }

  /// The core does not make sense, does not answer, or is no more: another one is to take its place.
  package func restartCore() {
    endCore()
    if hasEnded { deaths = [] }
    hasEnded = false
    replaceCore(lastWords: "")
  }

  /// The core does not answer, and the user wants to go: there is none any more, and what it has not taken is asked about.
  package func giveUpCore() {
    endCore()
    fail("The core does not answer", "")
    editor.quit()
  }

  private func endCore() {
    connection.owner = nil
    // The number of one that is gone may be another process's by now.
    if !hasEnded { connection.kill() }
    connection.close()
  }

  /// Looks at the clock as long as the core owes something: an idle editor stays idle, and so does one whose user has been told.
  private func watch() {
    guard ticker == nil else { return }
    ticker = loop.after(Self.tickInterval) { [unowned self] in
      ticker = nil
      guard editor.gate.awaitsCore else { return }
      editor.gate.tick(isCoreAtWork: takeCoreWork())
      if editor.screen.needsDisplay { onChange() }
      if editor.gate.silence.isPatient { watch() }
    }
  }

  /// Whether the core has used the processor since it was asked last, as one does that is busy with what it was given.
  private func takeCoreWork() -> Bool {
    let (before, now) = (timeUsed, connection.timeUsed)
    timeUsed = now
    guard let before, let now else { return false }
    return now - before > Self.tickInterval / 4
  }

  private func replaceCore(lastWords: String) {
    let now = MonotonicTime.now
    deaths = deaths.filter { now < $0 + Self.deathWindow } + [now]
    noise = []
    guard deaths.count <= Self.deathLimit else { return fail("The core keeps ending", lastWords) }
    do throws(ClientError) {
      connection = try CoreConnection(command, on: loop, recordPath: recordPath, isNext: true)
    } catch {
      return fail("The core cannot be started", error.description)
    }
    line.connection = connection
    connection.owner = self
    editor.coreWasReplaced()
    onChange()
  }

  private func fail(_ reason: String, _ lastWords: String) {
    line.connection = nil
    hasEnded = true
    if hadUpdate {
      let words = lastWords.isEmpty ? "" : " (\(lastWords))"
      editor.coreIsGone(because: "\(reason): what you type is kept nowhere\(words)")
      onChange()
    } else {
      failure = lastWords.isEmpty ? reason : "\(reason): \(lastWords)"
      onFailure()
    }
  }
}

extension ClientSession: CoreConnection.Owner {
  package func connection(_ connection: CoreConnection, didReceive notification: CoreNotification) {
    hadMessage = true
    if case .update = notification { hadUpdate = true }
    editor.handle(notification)
  }

  package func connection(_ connection: CoreConnection, answer request: CoreRequest) -> JSONValue {
    editor.answer(request)
  }

  package func connectionDidHandleMessages(_ connection: CoreConnection) {
    if editor.views.edits.predictions.corrected > remarkedCorrections {
      remarkedCorrections = editor.views.edits.predictions.corrected
      connection.remark(editor.views.edits.predictions.remark)
    }
    editor.gate.coreWasHeard()
    if failure == nil, let reason = editor.core.failure {
      failure = reason
      onFailure()
    }
    onChange()
  }

  package func connection(_ connection: CoreConnection, didNotice oddity: String) {
    let now = MonotonicTime.now
    noise = noise.filter { now < $0 + Self.noiseWindow } + [now]
    if noise.count == Self.noiseLimit { restartCore() }
  }

  package func connection(_ connection: CoreConnection, cannotRecordBecause reason: String) {
    editor.notices.alarm("The record \(recordPath ?? "") ends here: \(reason)")
  }

  package func connectionDidEnd(_ connection: CoreConnection, lastWords: String) {
    guard connection === self.connection else { return }
    guard hadMessage else { return fail("the core ended at once", lastWords) }
    replaceCore(lastWords: lastWords)
  }
}

/// The connection of the moment; what is sent when there is none is lost, and requests are told.
private final class CoreLine: CoreChannel {
  var connection: CoreConnection?
  var onSend: () -> Void = {}

  func send(_ notification: FrontEndNotification) {
    connection?.send(notification)
    if case .edit = notification { onSend() }
  }

  func send(_ request: FrontEndRequest, completion: @escaping (Result<JSONValue, ResponseError>) -> Void) {
    guard let connection else { return completion(.failure(.connectionClosed("no core"))) }
    connection.send(request, completion: completion)
    onSend()
  }
}
