import JSON

/// What the standard modules of a bridge may do for its scripts, and for those of the workers that they start. All of it by default; a
/// module that declares a capability needs that besides.
public struct Permissions: Sendable {
  /// What a permission is for.
  public enum Kind: String, Sendable, CaseIterable {
    /// To read files, to list folders, and to learn what is at a path.
    case read
    /// To make, change and remove files and folders.
    case write
    /// To start programs: what these do, nothing here holds for.
    case run
    /// To see variables of the environment.
    case environment
  }

  /// How much of a kind is granted.
  public enum Grant: Sendable, Hashable {
    /// Everything; of files all but those of the kernel (`/proc`, `/sys`), which tell of the process and the machine.
    case all
    /// Paths, with all below them: of the working folder where they are relative, and links in them followed when the bridge opens. Names of
    /// programs and variables.
    case only([String])

    public static let none = Grant.only([])
  }

  public var read: Grant
  public var write: Grant
  public var run: Grant
  public var environment: Grant
  /// Is asked before something is refused, on the thread of who waits; true grants it from then on, a path with all below it. One question
  /// at a time.
  public var onRefusal: (@Sendable (PermissionRequest) -> Bool)?
  /// What would grant it, for messages.
  package var advice: (@Sendable (PermissionRequest) -> String)?
  /// Where granted paths lead; nil: wherever they do when the bridge opens.
  package var paths: [Kind: PathGrant]?

  /// Nothing but these.
  public init(
    read: Grant = .none, write: Grant = .none, run: Grant = .none, environment: Grant = .none
  ) {
    (self.read, self.write, self.run, self.environment) = (read, write, run, environment)
  }

  public static let all = Permissions(read: .all, write: .all, run: .all, environment: .all)
  public static let none = Permissions()

  package subscript(kind: Kind) -> Grant {
    switch kind {
    case .read: read
    case .write: write
    case .run: run
    case .environment: environment
    }
  }

  /// With paths that lead where they do now, in all bridges that are opened with these from now on.
  package var resolved: Permissions {
    var permissions = self
    permissions.paths = PathGrant.all(of: self)
    return permissions
  }

  /// For ``withPaths(_:)``.
  package var pathsText: String {
    let paths = paths ?? PathGrant.all(of: self)
    return JSONValue(JSONObject(paths.map { ($0.rawValue, $1.json) })).description
  }

  /// With paths that lead where they did elsewhere.
  ///
  /// - Returns: nil for what is no such text.
  package func withPaths(_ text: String) -> Permissions? {
    guard let json = try? JSONValue(parsing: text) else { return nil }
    var permissions = self
    permissions.paths = PathGrant.all(of: self)
    for kind in [Kind.read, .write, .run] {
      guard let lists = json[kind.rawValue] else { continue }
      guard let grant = PathGrant(lists, isAll: kind != .run && self[kind] == .all) else { return nil }
      permissions.paths?[kind] = grant
    }
    return permissions
  }

  /// Nothing is refused.
  var isAll: Bool { Kind.allCases.allSatisfy { self[$0] == .all } }
}

/// What a script wants to do and may not.
public struct PermissionRequest: Sendable, Hashable {
  public let kind: Permissions.Kind
  /// An absolute path without `.` and `..`, or the name of a program or a variable.
  public let subject: String
  /// Where the path leads, if there are links on it: what is granted then, whatever the links have become by the time of the answer. For
  /// who is asked alone: nothing is told to scripts of what lies elsewhere.
  public internal(set) var destination: String?

  var isOfPath: Bool { kind == .read || kind == .write }

  package init(_ kind: Permissions.Kind, _ subject: String) { (self.kind, self.subject) = (kind, subject) }

  /// Such as `reading /etc/passwd`.
  public var words: String {
    switch kind {
    case .read: "reading \(subject)"
    case .write: "writing \(subject)"
    case .run: "running \(subject)"
    case .environment: "the variable \(subject)"
    }
  }
}

/// A script was not allowed to do something.
public struct PermissionError: CodedError, Sendable, CustomStringConvertible {
  public static let code = "ERR_PERMISSION"

  public let request: PermissionRequest
  public let message: String

  /// - Parameter advice: what would grant it.
  init(_ request: PermissionRequest, advice: String?) {
    self.request = request
    message = advice.map { "\(request.words) needs \($0)" } ?? "\(request.words) is not permitted"
  }

  public var bridgeCode: String { Self.code }
  public var bridgeProperties: JSONObject {
    ["permission": .string(request.kind.rawValue), "subject": .string(request.subject)]
  }

  public var description: String { message }
}
