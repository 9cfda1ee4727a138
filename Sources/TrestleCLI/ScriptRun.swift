import EventLoop
import Glibc
import JSEngine
import Trestle
import TrestleModules
import TrestleReactNative

/// One run of a script in a bridge of its own.
struct ScriptRun {
  let script: Script
  let arguments: [String]
  let permissions: Permissions
  let timeout: Duration?
  /// In bytes.
  let memoryLimit: Int?
  let wire: WireName
  let reports: RunReports
  /// What a run does that is ended from outside: until it begins, nothing but that.
  let ending: Ending
  /// What modules are called that import from it, and what its name says of its kind.
  let main: (key: String, source: ModuleSource)
  let importMap: ImportMap?
  /// Its last value is printed.
  let isPrinted: Bool
  let sources: LoadedSources
  private let maps = SourceMaps()
  private let input = StandardInput()
  private let stopping = Stopping()

  /// Ends the process when nothing is left to do. An error that the script does not handle ends the process at once.
  func run() async -> Never {
    ending.change(to: stop)
    watchMemory()
    do {
      let bridge = try await Bridge(modules: modules, configuration: configuration)
      try await reports.begin(bridge)
      do {
        if isPrinted {
          Terminal.write(try await bridge.enter(script.text, .print, name: script.name) + "\n", to: .output)
        } else {
          try await begin(on: bridge)
        }
      } catch let error as BridgeError where error.code == .unsettled { tellOfUnsettled() } catch {
        await fail(error, on: bridge)
      }
      await bridge.waitUntilIdle()
      if await bridge.isMainPending { tellOfUnsettled() }
      await finish(bridge)
      await bridge.close()
    } catch { fail(error) }
    end(.success)
  }

  private func tellOfUnsettled() -> Never {
    let what =
      isPrinted
      ? "its value waits for a promise that nothing is left to settle"
      : "an await at the top level waits for what nothing is left to do"
    Terminal.tell("\(script.name): \(what)")
    end(.unsettledAwait)
  }

  /// The script, or the module that its name or its text says that it is.
  private func begin(on bridge: isolated Bridge) async throws {
    guard wire == .shared else {
      guard main.source.language == .javaScript else {
        throw BridgeError(.module, "on React Native's wire scripts are plain ones", at: script.name)
      }
      return try bridge.evaluate(script.text, sourceURL: script.name)
    }
    if try bridge.runUnlessModule(script, main.source) { return }
    sources.add(Script(code: script.text, name: main.key))
    try bridge.beginMain(main.key)
  }

  private var modules: ModuleSelection {
    let process = ModuleSelection.process(
      script: script.name, arguments: arguments, input: input, write: StandardStream.output.write
    ) { code in end(ExitStatus(code: code)) }
    return .standard + .files + .processes + .sqlite + process + .workers(workers)
      + (wire == .reactNative ? .reactNative : .none)
      + .linked
  }

  private var workers: WorkerOptions {
    var options = WorkerOptions()
    options.modules = .standard + .files + .processes + .sqlite + .linked
    options.configuration = configuration
    // Those of the run hold for them, too, and one question is asked once.
    options.configuration.permissions = .all
    options.configuration.wire = .shared
    options.folder = script.folder
    options.sources = sources
    return options
  }

  /// A script that the user runs may do what the user may.
  static let capabilities: Set<Capability> = [.files, .processes, .network]

  private var configuration: BridgeConfiguration {
    var configuration = BridgeConfiguration()
    configuration.name = "trestle"
    configuration.capabilities = Self.capabilities
    configuration.permissions = permissions
    if let ask = permissions.onRefusal {
      configuration.permissions.onRefusal = { [input] request in
        // What is typed is for who asks, not for the script.
        input.pause()
        defer { input.resume() }
        return ask(request)
      }
    }
    configuration.limits = memoryLimit.map { ExecutionLimits(residentMemory: $0) }
    if reports.needsScript {
      configuration.limits = configuration.limits ?? ExecutionLimits()
      configuration.limits?.isInterruptible = true
    }
    configuration.tracksOutstanding = reports.hasLeaks
    configuration.isDevelopment = true
    var loader = FileModuleLoader(
      folder: script.folder, root: "/", given: [main.key: main.source], importMap: importMap
    ) { [sources] path, text in sources.add(Script(code: text, name: path)) }
    // Its name may be a link.
    loader.program = [script.folder, Script(code: "", name: main.key).folder]
    configuration.moduleLoader = loader
    configuration.sourceMaps = maps
    configuration.wire = wire.wire
    configuration.trace = reports.trace
    configuration.metrics = reports.metrics
    configuration.onError = { [self] error in
      if let exception = error as? ReportedException, !exception.isFatal { return tell(of: exception) }
      fail(error)
    }
    return configuration
  }

  /// Says what happened and ends the process: whichever thread it happens on, nothing else runs after it.
  private func fail(_ error: any Error) -> Never {
    // Of a run that is being ended this is no news, whatever the script makes of it.
    if let status = stopping.status { end(status) }
    // Without descriptors, or the like, it is not the script that fails.
    if error is EventLoopError { Terminal.tell("\(error)") } else { Terminal.write(report(of: error)) }
    guard Self.isOfMemory(error) else { end(.uncaughtError) }
    if let memoryLimit { Terminal.tell("\(script.name) has used more than \(memoryLimit >> 20) MB") }
    end(.memoryLimit)
  }

  /// Of this script, or as it is told of a worker of its own.
  private static func isOfMemory(_ error: any Error) -> Bool {
    let limit = ExecutionLimits.Exceeded.residentMemory
    if let error = error as? BridgeError { return error.exceeded == limit }
    let error = error as? JavaScriptError
    return error?.code == BridgeError.Code.limit.rawValue && error?.properties["exceeded"]?.string == "\(limit)"
  }

  /// On the JS thread, where a profile is taken.
  private func finish(_ bridge: isolated Bridge) { reports.finish() }
  private func fail(_ error: any Error, on bridge: isolated Bridge) { fail(error) }

  private func end(_ status: ExitStatus) -> Never {
    reports.finish()
    let isUnwritten = status == .success && reports.hasFailed.load(ordering: .relaxed)
    (isUnwritten ? .uncaughtError : status).exit()
  }

  /// React Native's JavaScript goes on after these.
  private func tell(of exception: ReportedException) {
    if !exception.isUpdate { Terminal.write(report(of: exception)) }
  }

  private func report(of error: any Error) -> String {
    Bridge.report(of: error, hasColor: Terminal.hasColor) { name in
      name == script.name ? script.text : sources.text(of: name) ?? maps.text(of: name) ?? text(ofSource: name)
    }
  }

  /// What a script that is run was made of lies beside it, as a rule.
  private func text(ofSource name: String) -> String? {
    // The script says what that is: it would have any file shown.
    guard maps.names(name), permissions.read == .all else { return nil }
    return try? Script(file: name, mustBeFile: true).text
  }

  /// How long a script that is interrupted may take to stop, what it has left to be written down, and somebody to take what is said then.
  private static let (timeToStop, timeToReport, timeToTell) = (
    Duration.seconds(10), Duration.seconds(60), Duration.seconds(2)
  )

  /// Has a run ended from outside, where it is to be, from now on: to read its script may take for ever. Without reports an interruption
  /// itself ends the process, as long as it would leave nothing behind.
  ///
  /// - Parameters:
  ///   - name: of the script.
  ///   - needsScript: some reports are taken on the JS thread alone.
  static func watch(_ name: String, timeout: Duration?, hasReports: Bool, needsScript: Bool) -> Ending {
    let ending = Ending { status in
      tell(of: status, name, timeout)
      status.exitAtOnce()
    }
    let timeToEnd = (needsScript ? timeToStop + timeToReport : .zero) + timeToTell * 4
    let watch = Watch(timeout: timeout, timeToEnd: timeToEnd) { ending($0) }
    if hasReports { Interruptions.take() }
    if timeout != nil || hasReports { watch.start() }
    RunEnd.onFirstToClear {
      guard !hasReports else { return }
      Interruptions.take()
      if timeout == nil { watch.start() }
    }
    return ending
  }

  private static func tell(of status: ExitStatus, _ name: String, _ timeout: Duration?) {
    guard status == .timeout, let timeout else { return }
    Watch.attempt(for: timeToTell) {
      Terminal.tell("\(name) has not ended after \(timeout)")
    }
  }

  /// Ends the process where the memory stays above the limit, or is far above it: the engine looks at none in the middle of one step, such
  /// as `Object.keys` of a great array, which may last for minutes, or `fill`, which takes a gigabyte a second.
  private func watchMemory() {
    guard let memoryLimit else { return }
    Watch.startThread { [self] in
      var looks = 0
      while looks < 100 {
        usleep(20_000)
        let bytes = residentBytes()
        looks = bytes > memoryLimit ? looks + 1 : 0
        // The engine ends a script at the limit sooner than that, where it comes to it.
        if looks > 5, bytes - memoryLimit > max(memoryLimit, 256 << 20) { break }
      }
      Watch.attempt(for: Self.timeToTell) {
        Terminal.tell("\(script.name) uses more than \(memoryLimit >> 20) MB, and nothing else has ended it")
      }
      tellOfMissingReports()
      ExitStatus.memoryLimit.exitAtOnce()
    }
  }

  /// Ends the run. A script that is at work is interrupted first, where reports are to be taken from it.
  private func stop(_ status: ExitStatus) {
    stopping.status = status
    Self.tell(of: status, script.name, timeout)
    guard reports.needsScript, let bridge = reports.bridge else { end(status) }
    bridge.interrupt()
    // Where no script is at work.
    bridge.loop.perform { end(status) }
    let deadline = ContinuousClock.now + Self.timeToStop
    while .now < deadline, !reports.isStuck { usleep(10_000) }
    // Nobody may be reading what it says; the script may be waiting for that, too.
    Watch.attempt(for: Self.timeToTell) { reports.finish() }
    tellOfMissingReports()
    status.exitAtOnce()
  }

  private func tellOfMissingReports() {
    guard reports.areMissing, !reports.isStuck else { return }
    Watch.attempt(for: Self.timeToTell) { Terminal.tell("\(script.name): there was no time for its reports") }
  }
}
