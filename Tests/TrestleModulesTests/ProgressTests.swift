import Testing
import Trestle
import TrestleModules

/// A method of an actor that calls a function of the script's while it works.
@Suite struct ProgressTests {
  @Test func aMethodTellsHowFarItIs() async throws {
    let bridge = try await ModuleBridge(.definitions([Worker.moduleDefinition]))
    try await bridge.run(
      """
      const { Worker } = NativeModules;
      const seen = [];
      Worker.work(3, step => { seen.push(step) }, text => text.length).then(total => console.log(seen.join(), total));
      """)
    #expect(bridge.output == "1,2,3 18\n")
    #expect(bridge.uncaught == [])
    await bridge.bridge.close()
  }
}

@NativeModule
actor Worker {
  @Exported func work(
    _ steps: Int, progress: ScriptFunction<Int, Undefined>, measure: ScriptFunction<String, Int>
  ) async throws -> Int {
    var total = 0
    for step in 1...steps {
      progress.notify(step)
      total += try await measure("step " + String(repeating: ".", count: step - 1))
    }
    return total
  }
}
