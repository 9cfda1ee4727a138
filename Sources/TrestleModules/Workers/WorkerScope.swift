import Trestle

extension ModuleDefinition {
  /// What `js/modules/worker-scope.js` makes the globals of a worker of.
  static func workerScope(_ scope: WorkerScope) -> ModuleDefinition {
    ModuleDefinition("WorkerScope", make: { _ in scope }) {
      Member<WorkerScope>.constant("name") { $0.name }
      Member<WorkerScope>.sync("post", "numbers", "strings", "buffers") {
        (scope, numbers: RelayedValue, strings: RelayedValue, buffers: [TransferredBytes]) in
        scope.worker.post(WorkerMessage(numbers: numbers, strings: strings, buffers: buffers))
      }
      Member<WorkerScope>.void("close") { scope in scope.worker.close() }
      Member<WorkerScope>.sync("listen") { scope in scope.worker.listen() }
      Member<WorkerScope>.event("message", WorkerMessage.self)
    }
    .with(script: .workerScope)
  }
}

/// A worker as its own scripts see it.
struct WorkerScope: Sendable {
  /// As given, or by its number.
  let name: String
  let worker: Worker
}
