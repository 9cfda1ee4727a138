import EditorProtocol
import JSON
import Testing

@testable import EditorCore

/// What takes the time, in Chrome's trace format.
@Suite(.serialized) struct TracingTests {
  private func trace(_ driver: CoreDriver, _ folder: TemporaryFolder) throws -> [JSONValue] {
    driver.notify(.saveTrace(destination: folder("trace"), frontEndSamples: [["name": "frame", "ph": "X"]]))
    driver.run { folder.names == ["trace"] }
    return try JSONValue(parsing: Array(try #require(folder.contents("trace")).utf8)).array ?? []
  }

  @Test func messagesAreRecordedWhileItIsWanted() throws {
    let (folder, driver) = (TemporaryFolder(), CoreDriver())
    driver.open()
    driver.edit("insert", ["chars": "before"])
    driver.notify(.tracingConfig(enabled: true))
    driver.edit("insert", ["chars": "x"])
    _ = driver.request("get_config", ["view_id": .string(driver.view.rawValue)])
    let samples = try trace(driver, folder)
    #expect(
      samples.compactMap { $0["name"]?.string } == ["updates", "edit", "updates", "get_config", "updates", "frame"])
    #expect(samples.first?["ph"] == "X" && (samples.first?["dur"]?.double ?? -1) >= 0)
    driver.notify(.tracingConfig(enabled: false))
    #expect(driver.session.tracing.trace.samples == [])
  }

  @Test func pluginsTellTheirOwn() throws {
    let (folder, plugins) = (TemporaryFolder(), try PluginFolder())
    try plugins.install(
      "one",
      PluginFolder.answering(
        #"case $line in *'"collect_trace"'*) id=${line#*'"id":'}; id=${id%%,*}; say "{\"id\":$id,\"result\":[{\"name\":\"of the plugin\"}]}";; *'"tracing_config"'*) say '{"method":"alert","params":{"msg":"traces"}}';; esac"#
      ))
    try plugins.install("mute", "exec sleep 100\n")
    let driver = CoreDriver(handshake: true, settings: plugins.path)
    driver.open()
    driver.run { driver.session.plugins.hasStarted }
    driver.notify(.tracingConfig(enabled: true))
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts == ["one: traces"])
    let samples = try trace(driver, folder)
    #expect(
      samples.compactMap { $0["name"]?.string }.suffix(2) == ["frame", "of the plugin"], "nobody waits for the other")
    withExtendedLifetime(plugins) { driver.session.plugins.end() }
  }

  @Test func aFileThatCannotBeWrittenIsNamed() {
    let driver = CoreDriver()
    driver.notify(.saveTrace(destination: "/nowhere/trace", frontEndSamples: []))
    driver.run { !driver.alerts.isEmpty }
    #expect(driver.alerts.first?.contains("/nowhere") == true)
  }
}
