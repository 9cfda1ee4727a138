import JSEngine

/// What the bridge itself reports: a code that JavaScript sees as `error.code`, what happened in words, where, and why.
public struct BridgeError: Error, Sendable, CustomStringConvertible {
  /// Open: modules add codes of their own.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An argument or answer that does not convert.
    public static let argument = Code(rawValue: "ERR_ARGUMENT")
    /// A second answer to one call.
    public static let answeredTwice = Code(rawValue: "ERR_ANSWERED_TWICE")
    /// A native method has held the JavaScript thread for long.
    public static let blocked = Code(rawValue: "ERR_BLOCKED")
    /// The bridge is closed, or was before the answer came.
    public static let closed = Code(rawValue: "ERR_CLOSED")
    /// Bytes that are no longer lent, or whose ArrayBuffer was transferred away.
    public static let detached = Code(rawValue: "ERR_DETACHED")
    /// The native side let go of a call without answering.
    public static let dropped = Code(rawValue: "ERR_DROPPED")
    /// Two modules of one name, a missing dependency, an initializer that threw, constants that do not convert.
    public static let module = Code(rawValue: "ERR_MODULE")
    /// A limit of time, heap, size or count was reached.
    public static let limit = Code(rawValue: "ERR_LIMIT")
    /// A record that no encoder of ours writes.
    public static let malformed = Code(rawValue: "ERR_MALFORMED")
    /// Nothing of that name in JavaScript.
    public static let notFound = Code(rawValue: "ERR_NOT_FOUND")
    /// Something that is done on the JavaScript thread only.
    public static let thread = Code(rawValue: "ERR_THREAD")
    /// A script's file that is not there, must not be read, or is no text.
    public static let unreadable = Code(rawValue: "ERR_UNREADABLE")
    /// A promise that nothing is left to settle.
    package static let unsettled = Code(rawValue: "ERR_UNSETTLED")
    /// A file that cannot be written.
    public static let unwritable = Code(rawValue: "ERR_UNWRITABLE")
  }

  public var code: Code
  public var message: String
  /// The method, module or file that it is about.
  public var place: String?
  public var cause: (any Error)?
  /// The limit that ended the script, or its interruption, if that is what happened.
  public var exceeded: ExecutionLimits.Exceeded?

  public init(_ code: Code, _ message: String, at place: String? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.cause = cause
  }

  /// A value on its way to JavaScript that holds itself, or nearly.
  @usableFromInline
  static var tooDeep: BridgeError { BridgeError(.limit, "nested deeper than \(ValueReader.maximumDepth) levels") }

  public var description: String {
    let cause = cause.map { ErrorFields($0).message == message ? "" : "\n  caused by: \($0)" } ?? ""
    return "\(code.rawValue): \(place.map { "\($0): " } ?? "")\(message)\(cause)"
  }
}

extension BridgeError {
  /// The error of a method that nobody waits for, as `onError` is told: its code and message, and the method's name.
  init(of method: MethodReference, _ error: any Error) {
    let fields = ErrorFields(error)
    let message =
      fields.message.hasPrefix("\(method)")
      ? String(fields.message.dropFirst("\(method)".count).drop { ": ,".contains($0) }) : fields.message
    self.init(Code(rawValue: fields.code ?? "ERR_UNKNOWN"), message, at: "\(method)", cause: error)
    exceeded = (error as? BridgeError)?.exceeded
  }

  /// What hosts are told of where the engine is at fault, or was asked in vain.
  init(_ exception: JSException) {
    switch exception.code {
    case .terminated(let limit):
      self.init(.limit, exception.message)
      exceeded = limit
    case .contextClosed: self.init(.closed, "the bridge is closed")
    case .thrown, .wrongType, .wrongContext, .buffer, .engine:
      self.init(.malformed, exception.message, cause: exception.underlying)
    }
  }
}
