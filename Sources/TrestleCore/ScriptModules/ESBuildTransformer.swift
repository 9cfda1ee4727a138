import EventLoop
import Glibc

/// Makes JavaScript of TypeScript and JSX by the program `esbuild`, which is looked for in `PATH` when it is needed.
///
/// Types are taken out, not checked. Each file is a run of the program, four at a time: it reads the source and writes what that becomes, has
/// no environment of the host's, and is ended with the script's turn. What a source became is kept on disk, for the user alone, and not made
/// again.
public struct ESBuildTransformer: ModuleTransformer {
  /// Its path; nil for the first in `PATH`.
  public var program: String?
  /// How long one module may take.
  public var timeLimit = Duration.seconds(30)
  /// Nil to keep nothing.
  var cache: TransformCache?

  /// - Parameter cachesResults: keeps what sources became in `$XDG_CACHE_HOME/trestle`, or `~/.cache/trestle`.
  public init(program: String? = nil, cachesResults: Bool = true) {
    self.program = program
    cache = cachesResults ? .ofUser : nil
  }

  public func transform(
    _ modules: [ModuleToTransform], within bounds: TransformBounds
  ) -> [Result<String, any Error>] {
    let inPath = ProgramSearch("esbuild")
    guard let found = program ?? inPath.first(for: bounds.permissions), let identity = Self.identity(of: found) else {
      return modules.map { .failure(isMissing($0.key, inPath.first())) }
    }
    var results = [Result<String, any Error>?](repeating: nil, count: modules.count)
    var missing: [(index: Int, job: TextFilter.Job, cacheKey: TransformCache.Key)] = []
    for (index, module) in modules.enumerated() {
      let arguments = Self.arguments(for: module)
      let cacheKey = TransformCache.Key(transformer: identity, options: arguments, source: module.source.text)
      if let text = cache?.read(cacheKey) {
        results[index] = .success(text)
      } else {
        missing.append((index, TextFilter.Job(arguments: arguments, input: Array(module.source.text.utf8)), cacheKey))
      }
    }
    var filter = TextFilter(program: found)
    filter.timeLimit = timeLimit
    // With less it does not begin.
    filter.memoryLimit = max(bounds.memory ?? filter.memoryLimit, 128 << 20)
    var outcomes = filter.run(missing.map(\.job), isOver: bounds.isOver)
    let stumbled = outcomes.indices.filter { Self.hasStumbledOverMap(outcomes[$0]) }
    let again = stumbled.map { index in
      TextFilter.Job(arguments: missing[index].job.arguments, input: missing[index].job.input + Array(Self.noMap.utf8))
    }
    for (index, outcome) in zip(stumbled, filter.run(again, isOver: bounds.isOver)) { outcomes[index] = outcome }
    for ((index, _, cacheKey), outcome) in zip(missing, outcomes) {
      let result = Self.result(of: outcome, modules[index])
      if let text = try? result.get() { cache?.write(text, for: cacheKey) }
      results[index] = result
    }
    return results.map { $0 ?? .failure(BridgeError(.module, "it was not transformed")) }
  }

  private func isMissing(_ key: String, _ changeable: String?) -> BridgeError {
    let problem =
      program.map { "'\($0)' is no program" }
      ?? changeable.map { "\($0) is where the script may write, and not started" }
      ?? "'esbuild' is not in PATH (Debian: apt-get install esbuild)"
    return BridgeError(.module, "TypeScript and JSX are run with the program esbuild: \(problem)", at: key)
  }

  // MARK: The program

  /// What another version of it would not have.
  private static func identity(of program: String) -> String? {
    var status = stat()
    guard let path = SystemPath(program), path.pass(to: { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    let time = status.st_mtim
    return "\(program) \(status.st_dev) \(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
  }

  static func arguments(for module: ModuleToTransform) -> [String] {
    let (source, options) = (module.source, module.source.compilerOptions)
    let loader =
      switch source.language {
      case .javaScript: "js"
      case .jsx: "jsx"
      case .typeScript: "ts"
      case .tsx: "tsx"
      }
    // A map's source is relative to the module's folder.
    let name = module.key.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
    var arguments = [
      "--loader=\(loader)", "--format=\(source.format == .commonJS ? "cjs" : "esm")", "--sourcefile=\(name)",
      "--sourcemap=inline", "--sources-content=false", "--charset=utf8", "--platform=neutral", "--target=esnext",
      "--log-level=error", "--log-limit=1", "--color=false",
    ]
    if source.language != .typeScript {
      switch options.jsx {
      case .automatic: arguments += ["--jsx=automatic", "--jsx-import-source=\(options.jsxImportSource)"]
      case .classic:
        arguments += [
          "--jsx=transform", "--jsx-factory=\(options.jsxFactory)", "--jsx-fragment=\(options.jsxFragmentFactory)",
        ]
      }
    }
    let (fields, imports) = (options.definesClassFields, options.keepsUnusedImports)
    let configuration =
      #"{"compilerOptions":{"useDefineForClassFields":\#(fields),"preserveValueImports":\#(imports)}}"#
    return arguments + ["--tsconfig-raw=\(configuration)"]
  }

  // MARK: What it says

  private static func result(of outcome: TextFilter.Outcome, _ module: ModuleToTransform) -> Result<String, any Error> {
    switch outcome {
    case .failed(let words): return .failure(BridgeError(.module, words, at: module.key))
    case .ended(0, let output, _):
      guard let text = String(validating: output, as: UTF8.self) else {
        return .failure(BridgeError(.module, "esbuild has written what is no UTF-8", at: module.key))
      }
      return .success(text)
    case .ended(let status, _, let log):
      let log = String(decoding: log, as: UTF8.self)
      if let error = syntaxError(in: log, module.source.text) { return .failure(error) }
      let words = log.split(separator: "\n").first { !$0.allSatisfy(\.isWhitespace) } ?? "exit code \(status)"
      return .failure(BridgeError(.module, "esbuild: \(words)", at: module.key))
    }
  }

  /// It follows a map that the source brings along, and ends where that is broken.
  private static func hasStumbledOverMap(_ outcome: TextFilter.Outcome) -> Bool {
    guard case .ended(let status, _, let log) = outcome, status != 0 else { return false }
    return String(decoding: log, as: UTF8.self).contains("#sourceMappingURL:")
  }

  /// The last one counts; of one that is no base64 it only warns.
  private static let noMap = "\n//# sourceMappingURL=data:;base64,!"

  /// `✘ [ERROR] message`, an empty line, `    file:line:column:`.
  static func syntaxError(in log: String, _ source: String) -> ModuleSyntaxError? {
    let lines = log.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
    guard let first = lines.firstIndex(where: { $0.utf8.starts(with: "✘ [ERROR] ".utf8) }), first + 1 < lines.count
    else { return nil }
    let message = String(Substring(lines[first].utf8.dropFirst("✘ [ERROR] ".utf8.count)))
    let place = lines[first + 1].utf8.split(separator: UInt8(ascii: ":")).suffix(2).map { Int(String(Substring($0))) }
    guard lines[first + 1].hasSuffix(":"), place.count == 2, let line = place[0], let offset = place[1], line > 0 else {
      return nil
    }
    return ModuleSyntaxError(message, line: line, column: column(ofByte: offset, inLine: line, of: source))
  }

  private static func column(ofByte offset: Int, inLine number: Int, of source: String) -> Int {
    let lines = source.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.indices.contains(number - 1) else { return 1 }
    return String(decoding: lines[number - 1].prefix(max(offset, 0)), as: UTF8.self).utf16.count + 1
  }
}
