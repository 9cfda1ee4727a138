import EditorProtocol
import EventLoop
import Glibc
import JSON
import JSONRPC

/// A core process and the JSON-RPC peer that talks with it. One connection follows another when a core dies.
package final class CoreConnection: CoreChannel {
  /// What the connection tells its owner.
  package protocol Owner: AnyObject {
    func connection(_ connection: CoreConnection, didReceive notification: CoreNotification)
    func connection(_ connection: CoreConnection, answer request: CoreRequest) -> JSONValue
    /// All that has come in has been told.
    func connectionDidHandleMessages(_ connection: CoreConnection)
    /// Something that is no message of the protocol; the connection goes on.
    func connection(_ connection: CoreConnection, didNotice oddity: String)
    /// What passes is written down no more.
    func connection(_ connection: CoreConnection, cannotRecordBecause reason: String)
    /// The core is gone: `lastWords` is the end of its log.
    func connectionDidEnd(_ connection: CoreConnection, lastWords: String)
  }

  private static let keptLogBytes = 4096

  package weak var owner: (any Owner)?
  private let loop: Loop
  private let process: ChildProcess
  private let peer: Peer
  private var recording: RecordingTransport?
  private let log: ProcessLog
  /// Whether the core's log goes to the standard error as it comes: while there is no screen yet.
  package var forwardsLog: Bool {
    get { log.isForwarded }
    set { log.isForwarded = newValue }
  }

  /// - Parameters:
  ///   - recordPath: Where both directions are written down, if anywhere.
  ///   - isNext: It takes the place of another one, and writes on behind what that has said.
  package init(
    _ command: CoreCommand, on loop: Loop, recordPath: String? = nil, isNext: Bool = false
  ) throws(ClientError) {
    self.loop = loop
    do throws(EventLoopError) {
      process = try ChildProcess(
        command.path, name: command.name, arguments: command.arguments, company: command.company)
    } catch {
      throw ClientError(
        .cannotStartCore, command.path, "the core cannot be started: \(String(cString: strerror(error.systemError)))")
    }
    var transport: any Transport = PipeTransport(input: process.output, output: process.input, on: loop)
    if let recordPath {
      do throws(ResponseError) {
        let recording = try RecordingTransport(transport, path: recordPath, goesOn: isNext)
        transport = recording
        self.recording = recording
      } catch {
        throw ClientError(.cannotStartCore, "--record", error.data?.string ?? error.message)
      }
    }
    peer = Peer(transport: transport)
    log = ProcessLog(of: process, keptByteCount: Self.keptLogBytes)
    recording?.onFailure = { [weak self] reason in
      guard let self else { return }
      owner?.connection(self, cannotRecordBecause: reason)
    }
    peer.start(handler: self)
    log.read(on: loop)
    // The child is reaped by the loop, also when this connection is gone by then.
    loop.onExit(of: process.id) { _ in }
  }

  /// Ends the core: at the end of its input it puts its journal on disk and goes.
  package func close() {
    peer.close()
    process.endInput()
    log.pause()
  }

  /// Waits until the core has come to its end, a second at most.
  package func waitForEnd() {
    for _ in 0..<200 {
      var status = siginfo_t()
      // Left for who follows the process.
      guard waitid(P_PID, UInt32(process.id), &status, WEXITED | WNOHANG | WNOWAIT) == 0, status.si_signo == 0 else {
        return
      }
      usleep(5000)
    }
  }

  /// What all threads of the core have used of the processor; nil where that cannot be told. A core elsewhere is another process's child.
  var timeUsed: Duration? {
    var (clock, time) = (clockid_t(), timespec())
    guard clock_getcpuclockid(process.id, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Ends a core that does not listen.
  package func kill() {
    Glibc.kill(process.id, SIGKILL)
  }

  /// Puts a remark into what is written down.
  func remark(_ text: @autoclosure () -> String) { recording?.remark(text()) }

  package func send(_ notification: FrontEndNotification) {
    peer.notify(notification.method, writeParams: notification.encodeParams)
  }

  package func send(
    _ request: FrontEndRequest, completion: @escaping (Result<JSONValue, ResponseError>) -> Void
  ) {
    let (method, params) = request.encoded
    peer.request(method, params: params, completion: completion)
  }
}

extension CoreConnection: PeerHandler {
  package func peer(_ peer: Peer, didReceiveNotification method: String, params: JSONValue) {
    do throws(ProtocolError) {
      owner?.connection(self, didReceive: try CoreNotification(method: method, params: params))
    } catch {
      owner?.connection(self, didNotice: error.description)
    }
  }

  package func peer(_ peer: Peer, didReceiveRequest method: String, params: JSONValue, reply: Reply) {
    do throws(ProtocolError) {
      let request = try CoreRequest(method: method, params: params)
      guard let owner else { return }
      reply.succeed(owner.connection(self, answer: request))
    } catch {
      reply.fail(error.code == .unknownMethod ? .methodNotFound(method) : .invalidParams(.string(error.description)))
    }
  }

  package func peerDidHandleMessages(_ peer: Peer) { owner?.connectionDidHandleMessages(self) }

  package func peer(_ peer: Peer, didNotice oddity: String) { owner?.connection(self, didNotice: oddity) }

  package func peer(_ peer: Peer, didCloseBecauseOf end: TransportEnd) {
    log.readRest()
    owner?.connectionDidEnd(self, lastWords: log.lastLine)
  }
}
