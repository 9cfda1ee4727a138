@testable import TrestleCore

/// A module with events as members, and what its sources are told.
struct Sensor: Sendable {
  let changed: EventSource<Int>
  let state = EventSource<Point>(replaysLast: true)
  let ended = EventSource<Void>()
  let journal = Journal()

  init(emitsAtStart: Bool = false) {
    let changed = EventSource<Int>()
    self.changed = changed
    changed.onObservation { [journal] in
      journal.append("start")
      if emitsAtStart { changed.emit(0) }
    } stop: { [journal] in
      journal.append("stop")
    }
  }

  var module: ModuleDefinition {
    ModuleDefinition("Sensor", make: { _ in self }) {
      Member<Sensor>.event("changed") { $0.changed }
      Member<Sensor>.event("state", documentation: "How it is.") { $0.state }
      Member<Sensor>.event("ended") { $0.ended }
      Member<Sensor>.event("named", String.self)
      Member<Sensor>.void("change", "value") { (sensor, value: Int) in sensor.changed.emit(value) }
      Member<Sensor>.promise("move", "x") { (sensor, x: Double) in
        sensor.state.emit(Point(x: x, y: 0, name: ""))
        return x
      }
    }
  }

  /// Opens a bridge with it, whose scripts have `Sensor` and a list `seen`.
  func withBridge<Result: Sendable>(
    wire: Wire = .shared, _ body: (Bridge, ErrorLog) async throws -> Result
  ) async throws -> Result {
    try await TrestleCoreTests.withBridge([module], wire: wire) { bridge, log in
      try await bridge.evaluate("globalThis.seen = []; const { Sensor } = NativeModules;")
      return try await body(bridge, log)
    }
  }
}
