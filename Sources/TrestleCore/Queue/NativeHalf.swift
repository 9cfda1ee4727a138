import CBundledJS
import EventLoop
import JSEngine
import JSON

/// The functions and memory that native code gives to `js/runtime`.
extension CommandQueue {
  func makeNativeHalf(
    in context: JSContext, side: JSArray, configuration: BridgeConfiguration
  ) throws -> JSObject {
    let native = try context.ownRealm.makeObject()
    let shared = context.raw.sharedArrayBuffer(buffer.memory)
    guard let shared else { throw BridgeError(.limit, "no memory for the command buffer") }
    try native.set("buffer", context.value(adopting: shared))
    try native.set("side", side)
    try native.set("messageLimit", context.number(Double(configuration.messageLimit)))
    try native.set("callLimit", context.number(Double(Int32(clamping: configuration.callLimit))))
    if let budget = configuration.callBudget {
      let count = context.raw.sharedArrayBuffer(budget.memory)
      guard let count else { throw BridgeError(.limit, "no memory for the count of calls") }
      try native.set("sharedCalls", context.value(adopting: count))
      try native.set("sharedCallLimit", context.number(Double(Int32(clamping: budget.limit))))
    }
    try native.set("stringLimit", context.number(Double(configuration.stringLimit)))
    try native.set(
      "nestingLimit", context.number(Double(min(configuration.nestingLimit, Int(ValueReader.maximumDepth)))))
    try native.set("isDevelopment", context.boolean(configuration.isDevelopment))
    try native.set("tracksOutstanding", context.boolean(configuration.tracksOutstanding))
    try native.set(
      "now",
      context.makeFunction("now") { call in
        call.context.number(Double(MonotonicTime.now.nanoseconds) / 1_000_000)
      })
    try native.set("opened", context.number(Double(moduleContext.opened.nanoseconds) / 1_000_000))
    for (name, word) in [
      ("commandsStart", CommandBuffer.commandsStart), ("commandsEnd", CommandBuffer.commandsEnd),
      ("answersStart", CommandBuffer.answersStart), ("resultStart", CommandBuffer.resultStart),
    ] {
      try native.set(name, context.number(Double(word)))
    }
    try native.set("flush", context.value(adopting: context.rawFunction(owner: self, flush)))
    try native.set("flushSynchronously", context.value(adopting: context.rawFunction(owner: self, flushSynchronously)))
    try native.set(
      "mayMakeResizableBuffer",
      context.makeFunction("mayMakeResizableBuffer") { call in
        // One for what is in use and one for what it may grow into.
        call.context.boolean(MapReserve.take(2) { call.context.collectGarbage() })
      })
    try native.set(
      "part",
      context.makeFunction("part") { call in
        bundled_part(call.argument(0).string ?? "").map { call.context.string(String(cString: $0)) }
      })
    try addModuleFunctions(to: native, in: context)
    try addLoaderFunctions(to: native, in: context, configuration)
    try configuration.wire.hooks?(native, context)
    return native
  }

  private func addModuleFunctions(to native: JSObject, in context: JSContext) throws {
    let queue = self
    for (name, hasScript) in [("moduleConfig", false), ("privateConfig", true)] {
      try native.set(
        name,
        context.makeFunction(name) { call in
          let name = call.argument(0).string ?? ""
          return queue.result(in: call.context) { writer in
            try queue.writeConfig(of: name, hasScript: hasScript, into: &writer)
          }
        })
    }
    try native.set(
      "moduleConstants",
      context.makeFunction("moduleConstants") { call in
        let name = call.argument(0).string ?? ""
        return queue.result(in: call.context) { writer in
          guard let module = queue.registry.module(named: name) else { return writer.append(.undefined) }
          try module.writeConstants(into: &writer, context: queue.moduleContext)
        }
      })
    try native.set(
      "moduleScript",
      context.makeFunction("moduleScript") { call in
        let module = queue.registry.module(named: call.argument(0).string ?? "")
        guard let script = module?.definition.script, script.isPostponed else { return nil }
        return call.context.string("\(script.source())\n//# sourceURL=\(script.sourceURL)")
      })
    try native.set(
      "shape",
      context.makeFunction("shape") { call in
        let id = UInt32(exactly: call.argument(0).number ?? 0) ?? 0
        return queue.result(in: call.context) { writer in
          try (RecordShape.shape(id: id)?.members ?? []).encode(into: &writer)
        }
      })
    try native.set(
      "unionCases",
      context.makeFunction("unionCases") { call in
        let id = UInt32(exactly: call.argument(0).number ?? 0) ?? 0
        return queue.result(in: call.context) { writer in
          try (UnionShape.union(id: id)?.cases ?? []).map(EncodedCase.init).encode(into: &writer)
        }
      })
    try native.set(
      "sharedClass",
      context.makeFunction("sharedClass") { call in
        let id = UInt32(exactly: call.argument(0).number ?? 0) ?? 0
        return queue.result(in: call.context) { writer in try queue.writeConfig(ofClass: id, into: &writer) }
      })
    try native.set(
      "hasModule",
      context.makeFunction("hasModule") { call in
        call.context.boolean(queue.registry.isPublic(call.argument(0).string ?? ""))
      })
    try native.set(
      "moduleVersion",
      context.makeFunction("moduleVersion") { call in
        let name = call.argument(0).string ?? ""
        guard queue.registry.contains(name), let module = queue.registry.module(named: name) else { return nil }
        return call.context.string(module.version)
      })
    try native.set(
      "moduleNames",
      context.makeFunction("moduleNames") { call in
        try call.context.ownRealm.makeArray(queue.registry.modules.map { call.context.string($0.definition.name) })
      })
  }

  /// What `js/loader` needs, and stacks.
  private func addLoaderFunctions(
    to native: JSObject, in context: JSContext, _ configuration: BridgeConfiguration
  ) throws {
    let queue = self
    let maps = configuration.sourceMaps ?? SourceMaps()
    let sources = ModuleSources(configuration, maps)
    func bounds(_ context: JSContext) -> TransformBounds {
      var bounds = TransformBounds(memory: context.limits?.residentMemory) { context.gate.isTurnOver() }
      bounds.permissions = configuration.permissionGate ?? .open
      return bounds
    }
    try native.set(
      "resolveModule",
      context.makeFunction("resolveModule") { call in
        let (specifier, referrer) = (call.argument(0).string ?? "", call.argument(1).string ?? "")
        var request = ModuleRequest(
          specifier, from: referrer.isEmpty ? nil : referrer, isRequired: call.argument(2).boolean == true)
        request.isOfProgram = call.argument(3).boolean == true
        return queue.result(in: call.context) { [request] in try sources.resolve(request).encode(into: &$0) }
      })
    try native.set(
      "loadModule",
      context.makeFunction("loadModule") { call in
        let (key, type) = (call.argument(0).string ?? "", call.argument(1).string ?? "")
        return queue.result(in: call.context) { writer in
          do {
            try sources.load(key, type: type.isEmpty ? nil : type, within: bounds(call.context)).encode(into: &writer)
          } catch let error as ModuleSyntaxError {
            try error.encode(into: &writer)
          }
        }
      })
    try native.set(
      "prepareModules",
      context.makeFunction("prepareModules") { call in
        let keys = (call.argument(0).string ?? "").utf8.split(separator: 0).map { String(Substring($0)) }
        return queue.result(in: call.context) { writer in
          try sources.prepare(keys, within: bounds(call.context))
          writer.append(.undefined)
        }
      })
    try native.set(
      "compileModule",
      context.makeFunction("compileModule") { call in
        try call.context.evaluate(call.argument(0).string ?? "", sourceURL: call.argument(1).string)
      })
    try native.set(
      "hasSourceMaps", context.makeFunction("hasSourceMaps") { call in call.context.boolean(!maps.isEmpty) })
    try native.set(
      "mappedStack",
      context.makeFunction("mappedStack") { call in call.context.string(maps.mapped(call.argument(0).string ?? "")) })
    try native.set(
      "endedTurns",
      context.makeFunction("endedTurns") { call in
        call.context.number(Double(queue.gate._withUnsafeGuaranteedRef { $0.endedTurns }))
      })
    try native.set(
      "jsonMistake",
      context.makeFunction("jsonMistake") { call in
        let text = call.argument(0).string ?? ""
        do throws(JSONError) { _ = try JSONValue(parsing: text) } catch {
          let index =
            text.utf8.index(text.startIndex, offsetBy: error.byteOffset, limitedBy: text.endIndex) ?? text.endIndex
          return call.context.number(Double(text.utf16.distance(from: text.startIndex, to: index)))
        }
        return call.context.number(0)
      })
    try native.set(
      "setMainPending",
      context.makeFunction("setMainPending") { call in
        queue.isMainPending = call.argument(0).boolean == true
        return nil
      })
  }

  /// Writes a result, or the error in its place, for `readResult` in JavaScript.
  private func result(in context: JSContext, _ write: (inout ValueWriter) throws -> Void) -> JSValue {
    var writer = ValueWriter()
    writer.append(.resolve, slot: 0)
    do { try write(&writer) } catch {
      writer.removeAll()
      writer.appendRejection(error, slot: 0)
    }
    return returnResult(writer, in: context).map { context.value(adopting: $0) } ?? context.undefined
  }

  /// What JavaScript needs to know of a module: `{id, methods, hasConstants, events, sources}`; undefined if there is none of that name
  /// that has a script, or has none.
  private func writeConfig(of name: String, hasScript: Bool, into writer: inout ValueWriter) throws {
    guard let module = registry.module(named: name), (module.definition.script != nil) == hasScript else {
      return writer.append(.undefined)
    }
    try module.check()
    writer.append(.object, low: 5)
    writer.append("id")
    module.id.encode(into: &writer)
    writer.append("methods")
    try module.details.methods.encode(into: &writer)
    writer.append("hasConstants")
    (!module.details.constants.isEmpty).encode(into: &writer)
    writer.append("events")
    try module.details.events.map(\.name).encode(into: &writer)
    writer.append("sources")
    try module.details.sourceNames.encode(into: &writer)
  }
}

extension ModuleSources.Loaded {
  /// `{format, text, name}`.
  fileprivate func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 3)
    for (key, value) in [("format", format.rawValue), ("text", text), ("name", name)] {
      writer.append(key)
      value.encode(into: &writer)
    }
  }
}

extension ModuleSyntaxError {
  /// The same with the message as text, and the place.
  fileprivate func encode(into writer: inout ValueWriter) throws {
    writer.append(.object, low: 4)
    for (key, value) in [("format", "unparsed"), ("text", message)] {
      writer.append(key)
      value.encode(into: &writer)
    }
    for (key, value) in [("line", line), ("column", column)] {
      writer.append(key)
      value.encode(into: &writer)
    }
  }
}

/// `flush()`: makes the calls in the buffer now. Nothing is answered before the turn ends.
private let flush: RawFunction = { _, function, _, _, _, exception in
  guard let function else { return nil }
  let queue = RawContext.owner(of: function, as: CommandQueue.self)
  queue.gate._withUnsafeGuaranteedRef { $0.calledByScript(exception) { queue.drain() } }
  return nil
}

/// `flushSynchronously()`: makes the calls in the buffer; the last one's answer is the result.
private let flushSynchronously: RawFunction = { _, function, _, _, _, exception in
  guard let function else { return nil }
  let queue = RawContext.owner(of: function, as: CommandQueue.self)
  return queue.gate._withUnsafeGuaranteedRef { $0.calledByScript(exception) { queue.drainSynchronously() } }
}
