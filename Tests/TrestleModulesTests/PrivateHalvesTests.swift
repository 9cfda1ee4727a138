import TestSupport
import Testing
import Trestle
import TrestleModules
import TrestleReactNative

/// The native halves of the standard modules are in no script's reach, in a worker neither.
@Suite struct PrivateHalvesTests {
  typealias Wire = BridgeConfiguration.Wire

  /// What a script finds of them: by every way to name a module, and by every name of a property that it can get to.
  private static let look =
    realmWalk + """

      const look = () => {
        const found = [], modules = ['Console', 'Timers', 'Web', 'WorkerScope', 'Workers'];
        const note = (what, isThere) => { if (isThere) found.push(what); };
        for (const name of modules) {
          note(`${name} by name`, NativeModules[name] !== undefined);
          note(`${name} in`, name in NativeModules);
          note(`${name} among the keys`, Object.keys(NativeModules).includes(name) || Reflect.ownKeys(NativeModules).includes(name));
          note(`${name} by descriptor`, Object.getOwnPropertyDescriptor(Object.getPrototypeOf(NativeModules), name) !== undefined);
          note(`${name} listed`, trestle.moduleNames().includes(name) || trestle.moduleVersion(name) !== undefined);
          try { trestle.requireVersion(name, ''); note(`${name} by version`, true); } catch (error) { note(`${name} by version`, error.code !== 'ERR_NOT_FOUND'); }
          note(`${name} of the proxy`, (globalThis.nativeModuleProxy?.[name] ?? undefined) !== undefined);
          note(`${name} of the config`, (globalThis.nativeRequireModuleConfig?.(name) ?? undefined) !== undefined);
        }
        const early = walkFrom({ globalThis }, () => false).names;
        // Globals that are made at their first touch.
        for (const key of Reflect.ownKeys(globalThis)) globalThis[key];
        const { names } = walkFrom({ globalThis }, () => false);
        for (const member of ['createTimer', 'createImmediate', 'deleteTimer', 'start', 'readLines', 'readRest', 'stopReading', 'emitInOwnTurn']) {
          note(`a member ${member}`, names.has(member) || early.has(member));
        }
        // The walk sees what is public.
        for (const member of ['timeOrigin', 'postMessage', 'readText', 'setTimeout']) note(`no member ${member}`, !names.has(member));
        return found.join();
      };
      """

  private func withBridge(_ wire: Wire, _ body: (Bridge) async throws -> Void) async throws {
    var options = WorkerOptions()
    options.modules = .definitions([.console(), .timers, .web]) + .files
    options.configuration.capabilities = [.files]
    options.configuration.wire = wire
    options.timeToEnd = patience
    let modules = try await ModuleBridge(
      .files + .workers(options) + .process(script: "main.js", arguments: []) { _ in }, capabilities: [.files],
      wire: wire)
    try await modules.bridge.evaluate(
      "NativeModules.Files; NativeModules.Process; console.log(setTimeout(() => {}, 0))")
    try await body(modules.bridge)
    #expect(await modules.bridge.close(within: patience))
  }

  @Test(arguments: Wire.allCases) func noneIsThere(wire: Wire) async throws {
    try await withBridge(wire) { bridge in
      let found = try await bridge.evaluate("\(Self.look) look()", as: String.self)
      #expect(found == "")
    }
  }

  @Test(arguments: Wire.allCases) func norInAWorker(wire: Wire) async throws {
    try await withBridge(wire) { bridge in
      let found = try await bridge.evaluate(
        """
        \(Self.look)
        new Promise((resolve, reject) => {
          const worker = new Worker(`${walkSource} NativeModules.Files; const look = ${look}; postMessage(look())`, { eval: true });
          worker.onmessage = ({ data }) => resolve(data);
          worker.onerror = ({ error }) => reject(error);
        })
        """.replacing("${walkSource}", with: "const walkFrom = ${walkFrom};"), as: String.self)
      #expect(found == "")
    }
  }
}
