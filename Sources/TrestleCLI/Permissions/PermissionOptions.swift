import ArgumentParser
import Glibc
import Trestle

/// `--allow-read` and the like, of what runs scripts.
struct PermissionOptions: ParsableArguments {
  @Flag(help: "Allow the script nothing but what the --allow options grant; any of these does so, too.")
  var sandbox = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Let it read these files and folders, separated by commas; all of them without '='.", valueName: "paths"),
    completion: .file())
  var allowRead: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Let it change these files and folders, or all; nothing of --allow-read.", valueName: "paths"),
    completion: .file())
  var allowWrite: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Let it start these programs, or all. What they do is not restricted.", valueName: "programs"))
  var allowRun: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Let it see these variables of the environment, or all.", valueName: "names"))
  var allowEnv: [String] = []

  @Flag(help: "Refuse what is not granted without asking on the terminal.")
  var noPrompt = false

  /// In the process that a watching one has started: where the paths led when that began.
  @Option(parsing: .unconditional, help: .private)
  var grantedPaths: String?

  /// Each option, and what it grants.
  static let options: [(name: String, kind: Permissions.Kind)] = [
    ("--allow-read", .read), ("--allow-write", .write), ("--allow-run", .run), ("--allow-env", .environment),
  ]

  /// What stands for the value of an option that has none. Nobody writes it.
  private static let everything = "\u{1}"

  /// The same where nothing follows the `=`: refused, as names are missing.
  private static let nothing = ","

  /// The arguments of the process as the parser takes them: what follows an option without `=` is not its value.
  static func parsable(_ arguments: [String]) -> [String] {
    arguments.map { argument in
      if options.contains(where: { $0.name == argument }) { return "\(argument)=\(everything)" }
      // The parser would take what follows.
      return options.contains { "\($0.name)=" == argument } ? "\(argument)\(nothing)" : argument
    }
  }

  /// What a script is given, as it was written.
  static func written(_ arguments: [String]) -> [String] {
    arguments.map { argument in
      options.lazy.map(\.name).compactMap { name in
        switch argument {
        case "\(name)=\(everything)": name
        case "\(name)=\(nothing)": "\(name)="
        default: nil
        }
      }.first ?? argument
    }
  }

  /// What to tell of options behind the script's name, which are the script's own: they look as if they restricted it. Nothing where
  /// others do, or behind `--`.
  ///
  /// - Parameter arguments: the script's, as it is given them.
  func misplacement(in arguments: [String]) -> String? {
    let names = Self.options.map(\.name) + ["--sandbox"]
    let option = arguments.prefix { $0 != "--" }.first { argument in
      names.contains { argument == $0 || argument.hasPrefix("\($0)=") }
    }
    guard let option, !isGiven else { return nil }
    return
      "\(option.asShellWord) stands behind the script, which gets it as an argument: there it grants and refuses nothing."
  }

  func validate() throws {
    for (name, kind) in Self.options {
      for value in values(kind) where value != Self.everything {
        try check(names(in: value), of: name, kind)
      }
    }
    if let grantedPaths, !isGiven || permissions(asks: false).withPaths(grantedPaths) == nil {
      throw ValidationError("--granted-paths is for --watch alone.")
    }
    if noPrompt, !isGiven { throw ValidationError("--no-prompt goes with --sandbox and the --allow options.") }
  }

  private func names(in value: String) -> [String] {
    value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }

  /// Names that nothing has grant nothing: somebody meant something else.
  private func check(_ names: [String], of option: String, _ kind: Permissions.Kind) throws {
    for name in names {
      if name.isEmpty { throw ValidationError("\(option)= needs a name; \(option) alone grants all.") }
      if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
        throw ValidationError(
          "\(option) takes names with nothing but commas between: '\(name)' begins or ends with a blank.")
      }
      guard kind == .environment else { continue }
      if let equals = name.firstIndex(of: "=") {
        throw ValidationError("\(option) takes the names of variables: '\(name[..<equals])', without what follows.")
      }
      if name.contains("*") {
        throw ValidationError("\(option) takes whole names of variables, no patterns such as '\(name)'.")
      }
    }
  }

  private func values(_ kind: Permissions.Kind) -> [String] {
    switch kind {
    case .read: allowRead
    case .write: allowWrite
    case .run: allowRun
    case .environment: allowEnv
    }
  }

  /// Whether anything is refused.
  var isGiven: Bool { sandbox || Self.options.contains { !values($0.kind).isEmpty } }

  private func grant(_ kind: Permissions.Kind) -> Permissions.Grant {
    let values = values(kind)
    if values.contains(Self.everything) { return .all }
    return .only(values.flatMap(names))
  }

  /// For `--granted-paths`; nil where nothing is refused.
  var resolvedPaths: String? { isGiven ? permissions(asks: false).pathsText : nil }

  /// What scripts may do: everything, as long as nothing of this is said.
  ///
  /// - Parameter asks: whether somebody at the terminal is asked about the rest.
  func permissions(asks: Bool) -> Permissions {
    guard isGiven else { return .all }
    var permissions = Permissions(
      read: grant(.read), write: grant(.write), run: grant(.run), environment: grant(.environment))
    permissions.advice = Self.advice
    if asks, !noPrompt, PermissionPrompt.isPossible {
      permissions.onRefusal = { PermissionPrompt(request: $0).isGranted() }
    }
    // One command, one answer: scripts change what links lead to, and later ones are to have what was granted.
    return grantedPaths.flatMap { permissions.withPaths($0) } ?? permissions.resolved
  }

  @Sendable private static func advice(_ request: PermissionRequest) -> String {
    let name = options.first { $0.kind == request.kind }?.name ?? ""
    // A comma would part it.
    return request.subject.utf8.contains(UInt8(ascii: ",")) ? name : "\(name)=\(request.subject.asShellWord)"
  }
}
