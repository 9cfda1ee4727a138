import JSEngine

/// What `js/loader` asks for: which module a name means, and what its source becomes. On the JavaScript thread.
final class ModuleSources {
  struct Loaded {
    var format: ModuleSource.Format
    var text: String
    /// What stacks call it: where it was made of another text, not the key, whose lines are those of that text.
    var name: String
  }

  private let loader: (any ModuleLoader)?
  private let transformer: (any ModuleTransformer)?
  private let maps: SourceMaps
  /// What was transformed together, until it is asked for.
  private var prepared: [String: Result<Loaded, any Error>] = [:]

  init(_ configuration: BridgeConfiguration, _ maps: SourceMaps) {
    (loader, transformer, self.maps) = (configuration.moduleLoader, configuration.moduleTransformer, maps)
  }

  func resolve(_ request: ModuleRequest) throws -> String { try loaderOfBridge().resolve(request) }

  func load(_ key: String, type: String?, within bounds: TransformBounds) throws -> Loaded {
    if type == nil, let result = prepared.removeValue(forKey: key) { return try result.get() }
    let source = try loaderOfBridge().load(key, type: type)
    guard source.language != .javaScript else { return loaded(source, source.text, key, name: Self.name(of: key)) }
    return try transformed([ModuleToTransform(key: key, source: source)], within: bounds)[0].get()
  }

  /// Has modules transformed that will be asked for, so many at once as that goes.
  func prepare(_ keys: [String], within bounds: TransformBounds) throws {
    let loader = try loaderOfBridge()
    prepared = [:]
    var modules: [ModuleToTransform] = []
    for key in keys {
      // What cannot be loaded fails once more where it is asked for.
      guard let source = try? loader.load(key, type: nil), source.language != .javaScript else { continue }
      modules.append(ModuleToTransform(key: key, source: source))
    }
    for (module, result) in zip(modules, transformed(modules, within: bounds)) { prepared[module.key] = result }
  }

  private func transformed(
    _ modules: [ModuleToTransform], within bounds: TransformBounds
  ) -> [Result<Loaded, any Error>] {
    guard let transformer else {
      let error = BridgeError(.module, "this bridge has nothing to run TypeScript and JSX with")
      return modules.map { _ in .failure(error) }
    }
    var results = transformer.transform(modules, within: bounds)[...]
    return modules.map { module in
      guard let result = results.popFirst() else {
        return .failure(BridgeError(.module, "the transformer has left it out", at: module.key))
      }
      return result.map { loaded(module.source, $0, module.key, name: Self.name(of: module.key) + "#js") }
    }
  }

  /// Instances of one file have its name: the engine leaves queries of URLs out of stacks.
  private static func name(of key: String) -> String {
    key.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ? FileModuleLoader.path(ofKey: key) : key
  }

  private func loaded(_ source: ModuleSource, _ text: String, _ key: String, name: String) -> Loaded {
    guard [.module, .commonJS, .script].contains(source.format) else {
      return Loaded(format: source.format, text: text, name: name)
    }
    let text = maps.note(text, name: name, base: FileModuleLoader.path(ofKey: key)) { [loader] url in
      loader?.loadSourceMap(url, of: key)
    }
    return Loaded(format: source.format, text: text, name: name)
  }

  private func loaderOfBridge() throws -> any ModuleLoader {
    guard let loader else { throw BridgeError(.module, "this bridge has no loader of modules") }
    return loader
  }
}
