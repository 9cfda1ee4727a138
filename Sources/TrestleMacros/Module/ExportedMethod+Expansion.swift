import SwiftSyntax

/// The member of the definition that a method becomes.
extension ExportedMethod {
  /// - Returns: lines without indentation of their own.
  func expansion(in module: ModuleDeclaration) -> [String] {
    let result = result.map { ", result: \($0.metatype)" } ?? ""
    let list = parameters.isEmpty ? "" : ", [\(parameters.map(\.declaration).joined(separator: ", "))]"
    let head = "Member._method(\(name.swiftLiteral), .\(kind.rawValue)\(list)\(result)\(node.documentationArgument)) "
    return [head + "{ \(isStatic ? "_" : "module") in", "  { (call) throws(ConversionError) in"]
      + (parameters.map(\.reading) + body(in: module)).map { "    " + $0 }
      + ["  }", "}"]
  }

  func check(_ checks: inout TypeChecks) {
    for parameter in parameters {
      switch parameter.content {
      case .value(let type, _): checks.add(type, .fromJavaScript, at: parameter.node)
      case .callback("Void", _): break
      case .callback(let value, _): checks.add(CrossingType(known: value), .toCallback, at: parameter.node)
      }
    }
    if let result, let clause = node.signature.returnClause { checks.add(result, .toJavaScript, at: clause) }
  }

  /// The call itself, on `receiver`.
  private func invocation(on receiver: String) -> String {
    let effects = (isThrowing ? "try " : "") + (isAsync ? "await " : "")
    return "\(effects)\(receiver).\(node.name.text)(\(parameters.map(\.passed).joined(separator: ", ")))"
  }

  private func body(in module: ModuleDeclaration) -> [String] {
    let plain = invocation(on: isStatic ? module.typeName : "module")
    switch place {
    case .jsThread:
      if kind == .callbacks { return (mayLackCallback ? reply : []) + callingBack(plain) }
      return isLeftAlone ? [plain] : ["call.\(answer) { \(plain) }"]
    case .task: return reply + block("reply.startConcurrently {", answering(plain))
    case .actor:
      let on = module.isShared ? "(on: module)" : ""
      if isAsync { return reply + enqueued(on, block("reply.start {", ["_ = module"] + answering(plain))) }
      if kind == .callbacks { return (mayLackCallback ? reply : []) + enqueued(on, callingBack(plain)) }
      return isLeftAlone ? enqueued(on, [plain]) : reply + enqueued(on, answering(plain))
    case .globalActor(let actor):
      let isOwn = if case .globalActor = module.isolation { !isStatic && !module.isShared } else { false }
      return reply + block("reply.start { @\(actor) in", isOwn ? onGlobalActorInstance(in: module) : answering(plain))
    }
  }

  /// Whether nothing is to be done when the method has run: nobody waits, and nothing is thrown.
  private var isLeftAlone: Bool { kind == .void && !isThrowing && !isAsync }

  private var reply: [String] { ["let reply = call.uncheckedReply()"] }

  private func block(_ head: String, _ lines: [String]) -> [String] { [head] + lines.map { "  " + $0 } + ["}"] }

  /// - Parameter on: the arguments that say where, if it is not the module's own executor.
  private func enqueued(_ on: String, _ lines: [String]) -> [String] {
    block("call.enqueue\(on) {", block("module.assumeIsolated { module in", lines))
  }

  /// Makes the instance there, if need be.
  private func onGlobalActorInstance(in module: ModuleDeclaration) -> [String] {
    block("do {", ["let instance = try module.value \(module.makeOrFail)"] + answering(invocation(on: "instance")))
      .dropLast() + ["} catch { \(kind == .callbacks ? rejection : "reply.reject(error)") }"]
  }

  /// Answers the reply with what the call gives or throws.
  private func answering(_ invocation: String) -> [String] {
    if kind == .callbacks { return callingBack(invocation) }
    return ["\(isAsync ? "await " : "")reply.\(answer) { \(invocation) }"]
  }

  /// The method answers by its callbacks; what it throws is for the failure callback.
  private func callingBack(_ invocation: String) -> [String] {
    isThrowing ? ["do { \(invocation) } catch { \(rejection) }"] : [invocation]
  }

  private var answer: String { result == nil ? "complete" : "answer" }

  private var rejection: String {
    let callbacks = parameters.filter(\.isCallback)
    if let needed = callbacks.first(where: { !$0.isOptional }) { return "\(needed.local).reject(error)" }
    return (callbacks.map { "\($0.local)?.reject(error)" } + ["reply.reject(error)"]).joined(separator: " ?? ")
  }

  /// Whether an error may have no callback to go to.
  private var mayLackCallback: Bool { isThrowing && parameters.allSatisfy { !$0.isCallback || $0.isOptional } }
}

extension ExportedParameter {
  fileprivate var isOptional: Bool {
    if case .callback(_, isOptional: true) = content { true } else { false }
  }

  /// What the definition says of it.
  fileprivate var declaration: String {
    switch content {
    case .value(let type, let defaultValue):
      ".init(\(name.swiftLiteral), \(type.metatype)\(defaultValue == nil ? "" : ", hasDefault: true"))"
    case .callback(let value, let isOptional):
      ".callback(\(name.swiftLiteral), \(value).self\(isOptional ? ", isOptional: true" : ""))"
    }
  }

  /// The line that reads the argument.
  fileprivate var reading: String {
    switch content {
    case .value(let type, let defaultValue):
      "let \(local) = try call.next(\(type.metatype)\(defaultValue.map { ", default: \($0)" } ?? ""))"
    case .callback(let value, let isOptional):
      "let \(local) = try call.\(isOptional ? "optionalCallback" : "callback")(\(value).self)"
    }
  }
}
