import Trestle

/// A structured clone on its way: `Clone` of `js/modules/clone.js`.
@Record struct WorkerMessage: Sendable {
  var numbers: RelayedValue
  var strings: RelayedValue
  var buffers: [TransferredBytes]
}

/// The event `message`.
@Record struct MessageOfWorker: Sendable {
  var worker: Int
  var message: WorkerMessage
}

/// The event `error`: number and error in an array; and what was thrown, if that is no error.
struct FailureOfWorker: BridgeEncodable, Sendable {
  var worker: Int
  var error: any Error

  static var bridgeSchema: BridgeSchema { BridgeSchema(.array(.codable(name: "any"))) }

  func encode(into writer: inout ValueWriter) throws {
    let thrown = (error as? JavaScriptError)?.thrown
    writer.append(.array, low: thrown == nil ? 2 : 3)
    worker.encode(into: &writer)
    writer.append(error: error)
    try thrown?.encode(into: &writer)
  }
}
