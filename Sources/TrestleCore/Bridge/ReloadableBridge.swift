/// A bridge that is opened anew on demand: when a script has been edited, or has gone astray.
///
/// ```swift
/// let scripts = try await ReloadableBridge(scripts: ["main.js"]) { generation in
///   let bridge = try await Bridge(configuration: configuration)
///   try await bridge.evaluate(file: "main.js")
///   return bridge
/// }
/// try await scripts.reload()
/// ```
///
/// Each generation is a bridge of its own, with an engine, a queue and module instances of its own. What an earlier one
/// still had under way is cancelled and fails with `ERR_CLOSED`; nothing of it reaches a later one.
public actor ReloadableBridge {
  /// Counts from 1, those too that did not open.
  public private(set) var generation = 0
  private let scripts: [String]
  private let open: @Sendable (_ generation: Int) async throws -> Bridge
  private let opensFirst: Bool
  private var latest: Task<Generation, any Error>?

  /// A bridge, and why the next one did not take its place.
  private struct Generation {
    let bridge: Bridge
    var failure: (any Error)?
  }

  private var isClosed = false

  /// Opens the first generation.
  ///
  /// - Parameters:
  ///   - scripts: the files that `open` runs: `reload` reads and parses them before it closes anything.
  ///   - opensFirst: the next generation is opened before the present one is closed, which goes on if that fails: for modules, whose imports
  ///     are known when they are loaded. Both are there for a while, with whatever `open` gives them.
  ///   - open: makes a bridge and runs its scripts. A bridge that it opened and does not return is its own to close.
  /// - Throws: what `open` throws, or as `reload` for `scripts`.
  public init(
    scripts: [String] = [], opensFirst: Bool = false,
    open: @escaping @Sendable (_ generation: Int) async throws -> Bridge
  ) async throws {
    self.scripts = scripts
    self.opensFirst = opensFirst
    self.open = open
    try await reload()
  }

  /// The bridge of the present generation, once it is open.
  ///
  /// - Throws: what opening it threw, until the next `reload`; `ERR_CLOSED` after `close`.
  public var bridge: Bridge {
    get async throws {
      guard let latest, !isClosed else { throw Self.closed }
      return try await latest.value.bridge
    }
  }

  /// Closes the present generation, then opens the next. A script that runs is interrupted, if the limits have
  /// `isInterruptible`. Several at once are carried out one after the other.
  ///
  /// - Parameter limit: how long the old one's modules and scripts may take; then the next is opened without waiting
  ///   further.
  /// - Returns: the new bridge.
  /// - Throws: `ERR_UNREADABLE` for a script that is not there, a ``JavaScriptError`` for one that cannot be parsed: the present
  ///   generation goes on. Or what opening it threw; another `reload` may succeed.
  @discardableResult
  public func reload(within limit: Duration = .seconds(5)) async throws -> Bridge {
    guard !isClosed else { throw Self.closed }
    if !scripts.isEmpty {
      try await Self.check(scripts)
      guard !isClosed else { throw Self.closed }
    }
    generation += 1
    let task = Task { [generation, latest, opensFirst, open] in
      guard let old = try? await latest?.value.bridge else { return Generation(bridge: try await open(generation)) }
      if opensFirst {
        do {
          let next = try await open(generation)
          await old.close(within: limit, interrupting: true)
          return Generation(bridge: next)
        } catch { return Generation(bridge: old, failure: error) }
      }
      await old.close(within: limit, interrupting: true)
      return Generation(bridge: try await open(generation))
    }
    latest = task
    let result = try await task.value
    if let failure = result.failure { throw failure }
    return result.bridge
  }

  /// Closes the present generation for good.
  ///
  /// - Returns: as `Bridge.close`.
  @discardableResult
  public func close(within limit: Duration = .seconds(5)) async -> Bool {
    isClosed = true
    guard let bridge = try? await latest?.value.bridge else { return true }
    return await bridge.close(within: limit, interrupting: true)
  }

  /// In an engine that has nothing to do with any of the bridges.
  private static func check(_ files: [String]) async throws {
    let bridge = try await Bridge(modules: .none)
    let problem = await bridge.firstProblem(in: files)
    await bridge.close()
    if let problem { throw problem }
  }

  private static var closed: BridgeError { BridgeError(.closed, "the bridge is closed") }
}

extension Bridge {
  /// Why one of the scripts could not be run at all.
  fileprivate func firstProblem(in files: [String]) -> (any Error)? {
    do {
      for file in files {
        let script = try Script(file: file)
        try withEngine { try $0.checkSyntax(script.text, sourceURL: script.name) }
      }
    } catch { return error }
    return nil
  }
}
